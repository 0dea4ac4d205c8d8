/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics evaluated: of one run, of all repeats of a variant at a point with their interval, and of
 * two variants compared. Reports and verdicts take their numbers from here, so they agree.
 */
#ifndef RINGTAIL_SIM_RUN_FIGURE_H
#define RINGTAIL_SIM_RUN_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/config/metric.h"
#include "sim/run/result.h"
#include "sim/run/statistics.h"

/* The finished runs of a variant at a point, by repeat. */
struct series {
    const struct run_result *const *runs;
    size_t count;
};

struct series series_of(struct arena *arena, const struct result *result, size_t variant,
                        size_t point);

/* The load called `name` (NULL: the only one) of a run, or NULL. */
const struct load_result *run_result_load(const struct run_result *run, const char *name);

/* A metric of one run: times in picoseconds, rates and counters that count in 1/s, utilisation as a
 * share of all threads. False where there is no such number: no request, load, phase, counter or
 * cpu. */
bool figure_of_run(const struct run_result *run, const struct metric *metric, double *value);

/* As what a metric's values are written: a counter as a rate, a number (METRIC_UNFINISHED), a share
 * (METRIC_UTILISATION) or a time (METRIC_MAX), by its kind in the run; `run` may be NULL. */
enum metric_kind figure_shown_as(const struct run_result *run, const struct metric *metric);

/* A metric over repeats. Means and percentiles are pooled, maxima the largest, drops and unfinished
 * are totals, the rest are means over repeats. */
struct figure {
    bool known;
    double value;
    enum interval interval; /* of rates, means and percentiles */
    double low;
    double high;
    bool few;      /* of percentiles: see struct percentile */
    bool at_least; /* of percentiles and means: unfinished requests raise it beyond its interval */
    double raised; /* to this at most; INFINITY: there is no telling */
    double likely; /* of means: what unfinished requests make of it if they take as long again, as
                      they do on average in a steady state */
};

/* `arena` is scratch: 0.5 MB of address space a percentile. */
struct figure figure_of_series(struct arena *arena, const struct series *series,
                               const struct metric *metric);

/* Two variants at a point, by the repeats that both have finished. There is no verdict on a
 * percentile that has no interval on one side, unless all repeats are equal, and none that
 * unfinished requests could overturn. */
struct comparison figure_compare(struct arena *arena, const struct result *result, size_t point,
                                 size_t from, size_t to, const struct metric *metric);

/* The histograms of all repeats in one. */
struct histogram figure_pool(struct arena *arena, const struct series *series, const char *load,
                             enum metric_end end);

/* The first tenth of the window against the rest: see statistics_drift. */
struct drift figure_drift(struct arena *arena, const struct series *series, const char *load);

/* Whether the load's requests in the system grow in number. */
bool figure_is_growing(struct arena *arena, const struct series *series, const char *load);

#endif
