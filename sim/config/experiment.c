/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/experiment.h"

#include <assert.h>
#include <string.h>

#include "sim/config/assemble.h"
#include "sim/config/assignment.h"
#include "sim/config/declare.h"
#include "sim/config/extends.h"
#include "sim/config/measured.h"
#include "sim/config/read.h"
#include "sim/config/sweep.h"
#include "sim/config/variant.h"

/* ---- Head. ---- */

static bool check_format(const struct node *root, struct error *err)
{
    const struct node *node = node_find(root, "ringtail");
    int64_t version = 0;
    if (node == NULL) {
        error_user(err, &root->place, "`ringtail: %d` is missing", EXPERIMENT_FORMAT);
        return error_hint(err, "begin an experiment with the version of its format");
    }
    if (!read_quantity(node, UNITS_COUNT, 1, INT64_MAX, &version, err)) {
        return false;
    }
    if (version > EXPERIMENT_FORMAT) {
        error_user(err, &node->place, "format %.20s is newer than this program, which knows %d",
                   node->text, EXPERIMENT_FORMAT);
        return error_hint(err, "use a newer ringtail");
    }
    return true;
}

static bool read_run(const struct node *run, struct experiment *experiment, struct error *err)
{
    static const char *const keys[] = { "warmup", "measure", "drain", "repeats", NULL };
    const struct node *mapping = read_mapping(run, "`run`", err);
    if (mapping == NULL || !read_keys(mapping, keys, "`run`", err)) {
        return false;
    }
    struct engine_span *span = &experiment->span;
    const struct {
        const char *key;
        enum units_quantity quantity;
        int64_t min;
        int64_t max;
        int64_t *value;
    } values[] = {
        { "warmup", UNITS_TIME, 0, SIM_DURATION_MAX, &span->warmup },
        { "measure", UNITS_TIME, 1, SIM_DURATION_MAX, &span->measure },
        { "drain", UNITS_TIME, 0, SIM_DURATION_MAX, &span->drain },
        { "repeats", UNITS_COUNT, 1, EXPERIMENT_REPEATS_MAX, &experiment->repeats },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        const struct node *node = node_find(mapping, values[i].key);
        if (node != NULL && !read_quantity(node, values[i].quantity, values[i].min, values[i].max,
                                           values[i].value, err)) {
            return false;
        }
    }
    if ((sim_sum)span->warmup + span->measure + span->drain > SIM_DURATION_MAX) {
        error_user(err, &mapping->place, "`warmup`, `measure` and `drain` are too long together");
        return error_hint(err, "write at most 26 days, `640h`, in all");
    }
    return true;
}

static bool read_head(const struct node *root, struct experiment *experiment, struct error *err)
{
    static const char *const keys[] = { "ringtail", "title",    "seed",    "run",   "cpus",
                                        "stack",    "variants", "compare", "sweep", "measured",
                                        "expect",   "extends",  NULL };
    if (!check_format(root, err) || !read_keys(root, keys, "the experiment", err)) {
        return false;
    }
    const struct node *title = node_find(root, "title");
    if (title != NULL) {
        experiment->title = read_text(title, "`title`", err);
        if (experiment->title == NULL || !read_check_printable(title, "`title`", err)) {
            return false;
        }
    }
    const struct node *seed = node_find(root, "seed");
    int64_t number = 1;
    if (seed != NULL && !read_quantity(seed, UNITS_COUNT, 0, INT64_MAX, &number, err)) {
        return false;
    }
    experiment->seed = (uint64_t)number;
    const struct node *run = node_find(root, "run");
    return run == NULL || read_run(run, experiment, err);
}

/* ---- The whole. ---- */

/* Kept for the one who judges; here only its form is checked. */
static bool check_expect(const struct node *expect, struct error *err)
{
    const struct node *list = expect == NULL ? NULL : read_list(expect, "`expect`", err);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (read_mapping(list->items[i], "an expectation", err) == NULL) {
            return false;
        }
    }
    return expect == NULL || list != NULL;
}

static bool build_all(const struct experiment *experiment, struct error *err)
{
    bool ok = true;
    for (size_t variant = 0; ok && variant < experiment->variant_count; variant++) {
        for (size_t point = 0; ok && point < experiment->point_count; point++) {
            struct arena *arena = arena_create();
            ok = experiment_build(experiment, variant, point, 0, arena, err) != NULL;
            arena_destroy(arena);
        }
    }
    return ok;
}

static const char *name_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash == NULL ? file : slash + 1;
}

bool experiment_load(struct arena *arena, const char *file, const char *const *sets,
                     size_t set_count, struct experiment *experiment, struct error *err)
{
    struct experiment read = {
        .file = arena_strdup(arena, file),
        .title = name_of(file),
        .span = { .warmup = 1 * SIM_S, .measure = 10 * SIM_S },
        .repeats = 8,
    };
    const struct node *root = extends_load(arena, read.file, err);
    read.root = root;
    if (root == NULL || !read_head(root, &read, err) || !declare_check(root, err) ||
        !assignment_parse(arena, root, sets, set_count, &read.sets, err) ||
        !variant_read(arena, &read, err) ||
        !sweep_read(arena, root, node_find(root, "sweep"), &read.points, &read.point_count, err) ||
        !assignment_check_swept(&read, err) || !build_all(&read, err) ||
        !variant_read_compare(&read, err) || !check_expect(node_find(root, "expect"), err)) {
        return false;
    }
    const struct node *measured = node_find(root, "measured");
    if (measured != NULL && !measured_read(arena, measured, &read, err)) {
        return false;
    }
    *experiment = read;
    return true;
}

struct engine *experiment_build(const struct experiment *experiment, size_t variant, size_t point,
                                uint64_t repeat, struct arena *run_arena, struct error *err)
{
    assert(variant < experiment->variant_count && point < experiment->point_count);
    return assemble_stack(experiment, variant, point, repeat, run_arena, err);
}

const struct measured_figure *experiment_measured(const struct experiment *experiment,
                                                  size_t variant, size_t point, const char *metric)
{
    struct arena *arena = arena_create();
    struct metric wanted;
    struct error unused = { 0 };
    const struct measured_figure *found = NULL;
    bool known = metric_parse(arena, metric, NULL, &wanted, &unused);
    for (size_t i = 0; known && found == NULL && i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        if (figure->variant == variant && figure->point == point &&
            metric_equals(&figure->metric, &wanted)) {
            found = figure;
        }
    }
    arena_destroy(arena);
    return found;
}
