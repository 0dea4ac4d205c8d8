/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the text report share. */
#ifndef RINGTAIL_SIM_REPORT_TEXT_PARTS_H
#define RINGTAIL_SIM_REPORT_TEXT_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/run/result.h"

enum { TEXT_WIDTH = 120 };

/* `fio.depth = 64`; empty where nothing is swept. */
const char *text_point_label(const struct experiment *experiment, size_t point);

/* What to call a row: the variant, with the load where the stack has several. */
const char *text_row_label(struct arena *arena, const struct experiment *experiment, size_t variant,
                           const struct run_result *run, size_t load);

/* Where the slowest 0.1 % of each variant at each point spent their time. */
void text_write_slowest(const struct result *result, FILE *file);

/* Utilisation of the cpus and the counters of the stages. */
void text_write_costs(const struct result *result, FILE *file);

#endif
