/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expectations: what must hold for the experiment's result, as `ringtail check` judges it.
 *
 *   {metric: p99.9, of: after, max: 5ms, name: tail, reason: the service level}
 *   {metric: p99.9, of: before, versus: after, at: {fio.depth: 64}, between: [45, 85]}   a ratio
 *   {metric: rate, of: after, versus: measured, within: 5%}
 *   {metric: mean, of: after, versus: before, max: 1.02}
 */
#ifndef RINGTAIL_SIM_CONFIG_EXPECT_H
#define RINGTAIL_SIM_CONFIG_EXPECT_H

#include "sim/config/experiment.h"

enum expect_against {
    EXPECT_ITSELF,   /* limits of the metric, in its unit */
    EXPECT_VARIANT,  /* of its ratio to the variant `versus` */
    EXPECT_MEASURED, /* of its ratio to the measured figure */
};

struct expectation {
    struct place place;
    const char *name;   /* NULL: none given */
    const char *reason; /* NULL: none given */
    struct metric metric;
    size_t of;
    enum expect_against against;
    size_t versus;
    const bool *points; /* of the experiment: where it holds */
    double low; /* times in picoseconds, rates in 1/s, shares, ratios; -INFINITY: no limit */
    double high;
};

/* Reads the list `expect:`. The experiment's variants, points and measured figures are there. */
bool expect_read(struct arena *arena, const struct node *expect, struct experiment *experiment,
                 struct error *err);

#endif
