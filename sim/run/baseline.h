/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an experiment gave when it was last accepted: a figure a repeat of every metric of every
 * load, variant and point, the time in each phase, and what the experiment was. It is made from a
 * result point by point, or read back from NAME.baseline.json; a later result becomes one too, and
 * the two are judged against each other (baseline_judge.h).
 */
#ifndef RINGTAIL_SIM_RUN_BASELINE_H
#define RINGTAIL_SIM_RUN_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/config/experiment_text.h"
#include "sim/config/metric.h"
#include "sim/config/parameters.h"
#include "sim/run/result.h"

/* Whose figures: texts that are not NULL. */
struct baseline_key {
    const char *point; /* its label */
    const char *variant;
    const char *load;
};

/* Values that the repeats' numbers may not be trusted with. */
enum baseline_note {
    BASELINE_PLAIN,
    BASELINE_AT_LEAST, /* of percentiles and means: unfinished requests raise it */
    BASELINE_GROWING,  /* of latencies: they measure the run's length */
};

/* A metric: rate, mean, p50 to p99.99, max, and those of `delivered` where that is an end of its
 * own; unfinished. Times are whole picoseconds, rates are rounded to what the file keeps. */
struct baseline_row {
    struct baseline_key key;
    struct metric metric;
    enum baseline_note note;
    bool thin;            /* of percentiles: too few requests above it for an interval */
    const double *values; /* one a repeat; NAN: it has none */
};

/* Where the time of an end went: the mean a request, over all repeats, in picoseconds. */
struct baseline_phase {
    const char *name; /* `queue: pending` */
    double mean;
    double tail; /* of the requests above the p99 of their repeat */
};

struct baseline_phases {
    struct baseline_key key;
    enum metric_end end; /* lat or delivered */
    const struct baseline_phase *items;
    size_t count;
};

struct baseline {
    struct arena *arena;
    const char *file; /* that it was read from; NULL: none */
    const char *version;
    const char *title; /* the experiment's name */
    char hash[EXPERIMENT_HASH_BYTES];
    uint64_t seed;
    struct engine_span span;
    bool drains_fully;
    bool quick;
    size_t repeats;
    struct parameters parameters;
    struct baseline_row *rows; /* by point, variant and load, metrics in their usual order */
    size_t row_count;
    size_t row_capacity;
    struct baseline_phases *phases; /* by point, variant, load and end */
    size_t phases_count;
    size_t phases_capacity;
};

/* DIR/NAME.baseline.json for DIR/NAME.yaml. */
const char *baseline_path(struct arena *arena, const char *experiment_file);

/* One without figures yet, of the result's experiment. */
struct baseline baseline_begin(struct arena *arena, const struct result *result);

/* Adds the figures of a point, which is open. */
void baseline_add_point(struct baseline *baseline, const struct result *result, size_t point);

/* Sorts what was added. */
void baseline_end(struct baseline *baseline);

/* All of these: opens point after point and closes the last. */
bool baseline_of_points(struct arena *arena, struct result *result, struct baseline *baseline,
                        struct error *err);

void baseline_add_row(struct baseline *baseline, const struct baseline_row *row);
void baseline_add_phases(struct baseline *baseline, const struct baseline_phases *phases);

/* The row of a key and metric, or NULL. It is sorted. */
const struct baseline_row *baseline_find(const struct baseline *baseline,
                                         const struct baseline_key *key,
                                         const struct metric *metric);
const struct baseline_phases *baseline_find_phases(const struct baseline *baseline,
                                                   const struct baseline_key *key,
                                                   enum metric_end end);

/* The order of keys. */
int baseline_key_order(const struct baseline_key *a, const struct baseline_key *b);

/* The order of rows: metrics that a baseline does not hold come last. */
int baseline_row_order(const struct baseline_row *a, const struct baseline_row *b);

/* Whether a baseline may hold it. */
bool baseline_is_metric(const struct metric *metric);

#endif
