/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/experiment.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/config/assemble.h"
#include "sim/config/assignment.h"
#include "sim/config/declare.h"
#include "sim/config/expect.h"
#include "sim/config/extends.h"
#include "sim/config/measured.h"
#include "sim/config/read.h"
#include "sim/config/sweep.h"
#include "sim/config/until.h"
#include "sim/config/values.h"
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

/* `1000 requests`: whether it has the form, and then the number. */
static bool is_request_count(const struct node *node, char number[], size_t size)
{
    static const char *const words[] = { "requests", "request" };
    for (size_t i = 0; node->kind == NODE_SCALAR && i < ARRAY_LENGTH(words); i++) {
        size_t length = strlen(words[i]);
        if (node->count >= length && strcmp(node->text + node->count - length, words[i]) == 0) {
            length = node->count - length;
            while (length > 0 && node->text[length - 1] == ' ') {
                length--;
            }
            snprintf(number, size, "%.*s", (int)length, node->text);
            return true;
        }
    }
    return false;
}

static bool read_measured_time(const struct node *node, sim_time *time, struct error *err)
{
    enum units_result result = UNITS_OK;
    if (node->kind == NODE_SCALAR) {
        result = units_parse(UNITS_TIME, node->text, 1, SIM_DURATION_MAX, time);
    }
    if (result == UNITS_NO_UNIT || result == UNITS_UNKNOWN_UNIT) {
        error_user(err, &node->place, "`%.60s` is neither a time nor a number of requests",
                   node->text);
        return error_hint(err, "write for example `30s` or `1000 requests`");
    }
    return read_quantity(node, UNITS_TIME, 1, SIM_DURATION_MAX, time, err);
}

static bool read_measure(const struct node *node, struct experiment *experiment, struct error *err)
{
    struct engine_span *span = &experiment->span;
    char number[64];
    int64_t count = 0;
    if (!is_request_count(node, number, sizeof(number))) {
        return read_measured_time(node, &span->measure, err);
    }
    enum units_result result = units_parse(UNITS_COUNT, number, 1, EXPERIMENT_REQUESTS_MAX, &count);
    if (result == UNITS_EMPTY) {
        error_user(err, &node->place, "how many requests are to be measured?");
        return error_hint(err, "write for example `1000 requests`");
    }
    if (result != UNITS_OK) {
        return units_error(result, UNITS_COUNT, number, 1, EXPERIMENT_REQUESTS_MAX, &node->place,
                           err);
    }
    span->requests = (uint64_t)count;
    return true;
}

/* Nothing but the requests ends a counted window: time is left for them, and for the drain. */
static bool bound_counted(const struct node *run, struct experiment *experiment, struct error *err)
{
    struct engine_span *span = &experiment->span;
    sim_time left = SIM_DURATION_MAX - span->warmup - span->drain;
    if (left < 1) {
        error_user(err, &run->place, "`warmup` and `drain` leave no time to measure");
        return error_hint(err, "write at most 26 days, `640h`, in all");
    }
    experiment->drains_fully = node_find(run, "drain") == NULL;
    if (experiment->drains_fully) {
        span->drain = left / 2;
    }
    span->measure = SIM_DURATION_MAX - span->warmup - span->drain;
    return true;
}

static bool read_run(struct arena *arena, const struct node *run, struct experiment *experiment,
                     struct error *err)
{
    static const char *const keys[] = { "warmup", "measure", "drain", "repeats",
                                        "until",  "at_most", NULL };
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
    const struct node *measure = node_find(mapping, "measure");
    if ((measure != NULL && !read_measure(measure, experiment, err)) ||
        !until_read(arena, mapping, experiment, err)) {
        return false;
    }
    if (span->requests > 0) {
        return bound_counted(mapping, experiment, err);
    }
    if ((sim_sum)span->warmup + span->measure + span->drain > SIM_DURATION_MAX) {
        error_user(err, &mapping->place, "`warmup`, `measure` and `drain` are too long together");
        return error_hint(err, "write at most 26 days, `640h`, in all");
    }
    return true;
}

static bool read_head(struct arena *arena, const struct node *root, struct experiment *experiment,
                      struct error *err)
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
    return run == NULL || read_run(arena, run, experiment, err);
}

/* ---- The whole. ---- */

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
        .values = values_create(arena),
    };
    const struct node *root = extends_load(arena, read.file, err);
    read.root = root;
    if (root == NULL || !read_head(arena, root, &read, err) || !declare_check(root, err) ||
        !assignment_parse(arena, root, sets, set_count, &read.sets, err) ||
        !variant_read(arena, &read, err) ||
        !sweep_read(arena, root, node_find(root, "sweep"), &read.points, &read.point_count, err) ||
        !assignment_check_swept(&read, err) || !build_all(&read, err) || !until_check(&read, err) ||
        !variant_read_compare(&read, err)) {
        return false;
    }
    const struct node *measured = node_find(root, "measured");
    if (measured != NULL && !measured_read(arena, measured, &read, err)) {
        return false;
    }
    const struct node *expect = node_find(root, "expect");
    if (expect != NULL && !expect_read(arena, expect, &read, err)) {
        return false;
    }
    read.values->complete = true;
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
