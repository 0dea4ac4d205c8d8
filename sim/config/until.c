/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/until.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/config/read.h"
#include "sim/config/suggest.h"

bool until_has_interval(enum metric_kind kind)
{
    return kind == METRIC_RATE || kind == METRIC_MEAN || kind == METRIC_PERCENTILE ||
           kind == METRIC_PHASE;
}

int64_t until_next(const struct until *until, int64_t repeats)
{
    return repeats > until->at_most / 2 ? until->at_most : repeats * 2;
}

/* ---- Reading. ---- */

static bool read_metric(struct arena *arena, const struct node *mapping, struct until *until,
                        struct error *err)
{
    const struct node *node = read_required(mapping, "metric", "`until`", err);
    const char *text = node == NULL ? NULL : read_text(node, "`metric`", err);
    if (text == NULL || !metric_parse(arena, text, &node->place, &until->metric, err)) {
        return false;
    }
    until->place = node->place;
    if (!until_has_interval(until->metric.kind)) {
        error_user(err, &node->place, "`%.60s` has no interval that repeats could narrow", text);
        return error_hint(err, "name a rate, a mean, a percentile or a phase");
    }
    return true;
}

static bool read_within(const struct node *mapping, double *within, struct error *err)
{
    const struct node *node = read_required(mapping, "within", "`until`", err);
    const char *text = node == NULL ? NULL : read_text(node, "`within`", err);
    double share = 0;
    if (text == NULL) {
        return false;
    }
    enum units_result result = units_parse_real(UNITS_PERCENT, text, &share);
    if (result != UNITS_OK) {
        return units_error(result, UNITS_PERCENT, text, 0, 0, &node->place, err);
    }
    if (share <= 0 || share > 1) {
        error_user(err, &node->place, "`%.60s` is too %s", text, share > 1 ? "large" : "small");
        return error_hint(err, "write more than 0%% and at most 100%%, for example `5%%`");
    }
    *within = share;
    return true;
}

static bool read_at_most(const struct node *node, int64_t repeats, int64_t *at_most,
                         struct error *err)
{
    static const char word[] = "repeats";
    const size_t length = sizeof(word) - 1;
    char number[64] = "";
    const char *text = read_text(node, "`at_most`", err);
    if (text == NULL) {
        return false;
    }
    if (node->count < length || strcmp(text + node->count - length, word) != 0) {
        error_user(err, &node->place, "`%.60s` is not a number of repeats", text);
        return error_hint(err, "write for example `64 repeats`");
    }
    size_t digits = node->count - length;
    while (digits > 0 && text[digits - 1] == ' ') {
        digits--;
    }
    snprintf(number, sizeof(number), "%.*s", (int)digits, text);
    enum units_result result = units_parse(UNITS_COUNT, number, 1, EXPERIMENT_REPEATS_MAX, at_most);
    if (result != UNITS_OK) {
        return units_error(result, UNITS_COUNT, number, 1, EXPERIMENT_REPEATS_MAX, &node->place,
                           err);
    }
    if (*at_most < repeats) {
        error_user(err, &node->place,
                   "`at_most` is less than the %" PRId64 " repeats to begin with", repeats);
        return error_hint(err, "write at least `%" PRId64 " repeats`, or lower `repeats:`",
                          repeats);
    }
    return true;
}

bool until_read(struct arena *arena, const struct node *run, struct experiment *experiment,
                struct error *err)
{
    static const char *const keys[] = { "metric", "within", NULL };
    const struct node *node = node_find(run, "until");
    const struct node *bound = node_find(run, "at_most");
    if (node == NULL && bound == NULL) {
        return true;
    }
    if (node == NULL) {
        error_user(err, &bound->place, "`at_most` bounds `until`, which is missing");
        return error_hint(err, "write `until: {metric: p99.9, within: 5%%}`, or `repeats:` alone");
    }
    int64_t repeats = experiment->repeats;
    int64_t usual = repeats << UNTIL_DOUBLINGS;
    struct until *until = arena_alloc(arena, sizeof(*until));
    until->at_most = usual < EXPERIMENT_REPEATS_MAX ? usual : EXPERIMENT_REPEATS_MAX;
    const struct node *mapping = read_mapping(node, "`until`", err);
    if (mapping == NULL || !read_keys(mapping, keys, "`until`", err) ||
        !read_metric(arena, mapping, until, err) || !read_within(mapping, &until->within, err) ||
        (bound != NULL && !read_at_most(bound, repeats, &until->at_most, err))) {
        return false;
    }
    experiment->until = until;
    return true;
}

/* ---- What it names. ---- */

static const struct load *find_load(const struct engine *engine, const struct until *until,
                                    struct error *err)
{
    const char *name = until->metric.load;
    struct suggest suggest;
    suggest_start(&suggest, name == NULL ? "" : name);
    for (unsigned i = 0; i < engine->load_count; i++) {
        const char *known = engine->loads[i].stage->name;
        if (name == NULL ? engine->load_count == 1 : strcmp(known, name) == 0) {
            return &engine->loads[i];
        }
        suggest_offer(&suggest, known);
    }
    if (name == NULL) {
        error_user(err, &until->place, "which load? There are %u", engine->load_count);
        error_hint(err, "write its name before the metric: `%s.%.60s`",
                   engine->loads[0].stage->name, until->metric.text);
    } else {
        error_user(err, &until->place, "there is no load `%.60s`", name);
        suggest_hint(&suggest, "loads", err);
    }
    return NULL;
}

static bool has_phase(const struct load *load, const char *name)
{
    size_t stage = strcspn(name, ":");
    const char *phase = name + stage + 1 + strspn(name + stage + 1, " ");
    for (unsigned i = 0; i < load->phase_count; i++) {
        const char *known = load->phases[i].stage->name;
        if (strlen(known) == stage && strncmp(known, name, stage) == 0 &&
            strcmp(load->phases[i].name, phase) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_names(const struct engine *engine, const struct until *until, struct error *err)
{
    const struct load *load = find_load(engine, until, err);
    for (size_t i = 0; load != NULL && i < until->metric.name_count; i++) {
        if (!has_phase(load, until->metric.names[i])) {
            error_user(err, &until->place, "no request of `%s` has the phase `%.60s`",
                       load->stage->name, until->metric.names[i]);
            return error_hint(err, "`ringtail help MODEL` lists the phases of a stage");
        }
    }
    return load != NULL;
}

bool until_check(const struct experiment *experiment, struct error *err)
{
    if (experiment->until == NULL) {
        return true;
    }
    struct arena *arena = arena_create();
    const struct engine *engine = experiment_build(experiment, 0, 0, 0, arena, err);
    bool good = engine != NULL && check_names(engine, experiment->until, err);
    arena_destroy(arena);
    return good;
}
