/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the text report share. */
#ifndef RINGTAIL_SIM_REPORT_TEXT_PARTS_H
#define RINGTAIL_SIM_REPORT_TEXT_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/report/table.h"
#include "sim/run/result.h"

enum { TEXT_WIDTH = 120 };

/* `fio.depth = 64`; empty where nothing is swept. */
const char *text_point_label(const struct experiment *experiment, size_t point);

/* What to call a row: the variant, with the load where the stack has several; in the arena. */
const char *text_row_label(struct arena *arena, const struct experiment *experiment, size_t variant,
                           const struct run_result *run, size_t load);

/* The parts under the figures, gathered point by point while the runs of a point are there. */
struct text_details {
    struct table measured;
    struct table slowest;
    struct cost *costs;
    size_t cost_count;
    const char **texts; /* of the costs: for each, variants x points, of which the first
                           point_count are filled */
    size_t *points;     /* that have a finished run */
    size_t point_count;
};

void text_details_init(struct text_details *details, struct arena *arena,
                       const struct result *result);

/* Rows for the measured figures of a point that have no column in the main table. */
void text_measured_add(struct table *table, const struct result *result, size_t point);

/* Of the open point, which has a finished run. */
void text_details_add(struct text_details *details, const struct result *result, size_t point);

/* Measured figures that have no column; where the slowest 0.1 % of each variant at each point spent
 * their time; utilisation of the cpus and the counters of the stages. */
void text_details_write(const struct text_details *details, const struct experiment *experiment,
                        FILE *file);

#endif
