/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of the text report: rate, mean, percentiles and maximum, of the ends that the real
 * system was measured at, so that what stands side by side is the same thing; and whatever else was
 * measured.
 */
#ifndef RINGTAIL_SIM_REPORT_TEXT_COLUMNS_H
#define RINGTAIL_SIM_REPORT_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/run/result.h"

enum { TEXT_COLUMNS_MAX = 24 };

struct text_column {
    struct metric metric; /* of any load */
    const char *heading;
    bool has_interval; /* a column of its own behind it */
    bool is_named;     /* by a measured figure: shown even if few requests are above it */
};

struct text_columns {
    struct text_column items[TEXT_COLUMNS_MAX];
    size_t count;
};

struct text_columns text_columns_choose(const struct result *result);

/* The end of the columns of a kind: clat where such a figure was measured, else lat. */
enum metric_end text_columns_end(const struct experiment *experiment, enum metric_kind kind);

/* The measured figure of a metric that names no load, for this load, or NULL. */
const struct measured_figure *text_columns_measured(const struct experiment *experiment,
                                                    size_t variant, size_t point, const char *load,
                                                    const struct metric *metric);

#endif
