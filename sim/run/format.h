/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as reports print them: three figures in the unit that fits, in the arena.
 */
#ifndef RINGTAIL_SIM_RUN_FORMAT_H
#define RINGTAIL_SIM_RUN_FORMAT_H

#include "sim/base/arena.h"
#include "sim/config/metric.h"
#include "sim/run/figure.h"

/* A value of a metric of this kind, as figure_of_run gives it: `86.6us`, `58.0k/s`, `45.2 %`. */
const char *format_value(struct arena *arena, enum metric_kind kind, double value);

/* `[310, 332]`: without units where they are the value's; `[> 310]` where only the lower end
 * holds; empty where there is no interval. */
const char *format_interval(struct arena *arena, enum metric_kind kind,
                            const struct figure *figure);

/* `+3.2 %`: a value against the one it should be; empty when that is 0. */
const char *format_error(struct arena *arena, double value, double reference);

/* `3.1x`, the larger of the ratio and its inverse; `same`; empty where there is nothing to
 * compare. */
const char *format_ratio(struct arena *arena, const struct comparison *comparison);

/* What the ratio means for a metric of this kind: faster, slower, higher, lower, unclear, or
 * empty. */
const char *format_direction(const struct comparison *comparison, enum metric_kind kind);

#endif
