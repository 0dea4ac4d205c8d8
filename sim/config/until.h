/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many repeats: as many as a figure needs to be known well enough.
 *
 *   run: {repeats: 8, until: {metric: p99.9, within: 5%}, at_most: 64 repeats}
 *
 * The number is doubled from `repeats` on until the interval of the metric is within that share of
 * its value for every variant at every point. Nothing else decides, so the result stays a matter of
 * the experiment alone.
 */
#ifndef RINGTAIL_SIM_CONFIG_UNTIL_H
#define RINGTAIL_SIM_CONFIG_UNTIL_H

#include "sim/config/experiment.h"

struct until {
    struct metric metric; /* a rate, mean, percentile or phase: what has an interval */
    struct place place;   /* of the metric */
    double within;        /* share of the value, above 0 and at most 1 */
    int64_t at_most;      /* repeats */
};

/* Without `at_most:` so many doublings are allowed. */
enum { UNTIL_DOUBLINGS = 3 };

/* Reads `until` and `at_most` of `run`, after `repeats`. */
bool until_read(struct arena *arena, const struct node *run, struct experiment *experiment,
                struct error *err);

/* Whether the stack has what the metric names. */
bool until_check(const struct experiment *experiment, struct error *err);

/* Whether a metric of this kind has an interval over repeats. */
bool until_has_interval(enum metric_kind kind);

/* The repeats at which to look again. */
int64_t until_next(const struct until *until, int64_t repeats);

#endif
