/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment: what the YAML file says, checked, with the places kept. From it a stack is built
 * for each variant, point and repeat.
 *
 *   file -> yaml tree -> experiment (variants x points) -> engine with a stack, ready to start
 *
 * A value comes from, later ones win: the model's preset, the stack, the point of the sweep, the
 * variant, --set. One path may not be both swept and changed by a variant or --set.
 */
#ifndef RINGTAIL_SIM_CONFIG_EXPERIMENT_H
#define RINGTAIL_SIM_CONFIG_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/config/metric.h"
#include "sim/config/yaml.h"
#include "sim/engine/stack.h"

enum {
    EXPERIMENT_FORMAT = 1,
    EXPERIMENT_POINTS_MAX = 100000,
    EXPERIMENT_VARIANTS_MAX = 64,
    EXPERIMENT_REPEATS_MAX = 100000,
    EXPERIMENT_REQUESTS_MAX = 1000000000,
};

/* A parameter and what to set it to. */
struct assignment {
    const char *path; /* `queue.policy` */
    const struct node *value;
    struct place place; /* of the path */
};

struct assignments {
    const struct assignment *items;
    size_t count;
};

struct variant {
    const char *name;
    struct assignments changes;
};

struct point {
    const char *label; /* `fio.depth = 64`, several joined by `, `; empty when nothing is swept */
    struct assignments values;
};

/* A figure of the real system, of a variant at a point. Times are in picoseconds, rates in 1/s. */
struct measured_figure {
    size_t variant;
    size_t point;
    struct metric metric;
    double value;
};

struct values;
struct expectation;
struct until;

/* `seed` is 1, `run` {warmup: 1s, measure: 10s, drain: 0s, repeats: 8} unless the file says. With
 * `measure: N requests` the span has their number, `measure` and `drain` are only bounds that keep
 * time finite, and without `drain:` the run goes on until nothing is in flight. */
struct experiment {
    const char *file;
    const char *title; /* the file's name when it has none */
    uint64_t seed;
    struct engine_span span;
    bool drains_fully; /* span.drain is such a bound */
    int64_t repeats;
    const struct until *until; /* as of until.h: whether to make more; NULL: no */
    bool quick;                /* shortened: the lengths and repeats are not those of the file */
    const struct node *root;
    const struct variant
        *variants; /* at least one; the only one of a file without variants is called `run` */
    size_t variant_count;
    const struct point *points; /* at least one */
    size_t point_count;
    int compare_from; /* index of a variant, -1: nothing is compared */
    int compare_to;
    const struct measured_figure *measured;
    size_t measured_count;
    const struct expectation *expectations; /* as of expect.h */
    size_t expectation_count;
    struct assignments sets; /* of --set */
    struct values *values;   /* files of values, all read */
};

/* Loads and checks the whole file: every variant is built at every point once, so that no run can
 * find a mistake. `sets` are texts of the form PATH=VALUE. The experiment lives in the arena. */
bool experiment_load(struct arena *arena, const char *file, const char *const *sets,
                     size_t set_count, struct experiment *experiment, struct error *err);

/* A stack ready for engine_start, in `run_arena`. It cannot fail for what experiment_load has
 * checked, but says so if it does. Thread-safe: the experiment is only read. */
struct engine *experiment_build(const struct experiment *experiment, size_t variant, size_t point,
                                uint64_t repeat, struct arena *run_arena, struct error *err);

/* The measured figure of a metric, or NULL. */
const struct measured_figure *experiment_measured(const struct experiment *experiment,
                                                  size_t variant, size_t point, const char *metric);

#endif
