/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report as rows of one number each, for machines: csv and json are made of them.
 *
 *   of a load     rate, drops, unfinished; END.mean, END.pN, END.max of each end; phase.STAGE:PHASE
 *   of a run      utilisation.CPU, counter.STAGE.NAME
 *   of two variants, where the experiment compares: rate, means and percentiles, as ratios
 */
#ifndef RINGTAIL_SIM_REPORT_ROWS_H
#define RINGTAIL_SIM_REPORT_ROWS_H

#include <stdbool.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/run/figure.h"

struct row {
    size_t point;
    const char *variant;
    const char *versus; /* the variant it is compared with; empty: none, the value is its own */
    const char *load;   /* empty: of the run */
    const char *metric;
    const char *unit; /* us, 1/s, share, ratio; empty for numbers */
    double value;     /* in that unit */
    bool has_low;     /* the ends of the 95 % interval */
    bool has_high;
    double low;
    double high;
    bool has_measured; /* the figure of the real system */
    double measured;
    const char *note; /* a verdict, or words of few, at_least, growing, drifting; may be empty */
};

/* Called with each row, in a fixed order. */
typedef void rows_visit(void *context, const struct row *row);

/* False with the error when the result cannot be read to its end. */
bool rows_of(struct result *result, rows_visit *visit, void *context, struct error *err);

#endif
