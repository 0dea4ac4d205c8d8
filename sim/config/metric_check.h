/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what a metric names is there: load, phases, counter, cpu of a stack. */
#ifndef RINGTAIL_SIM_CONFIG_METRIC_CHECK_H
#define RINGTAIL_SIM_CONFIG_METRIC_CHECK_H

#include "sim/base/units.h"
#include "sim/config/metric.h"
#include "sim/engine/stack.h"

/* Checks the metric against a stack that is built. `*quantity` is what its values are:
 * UNITS_TIME, UNITS_RATE, UNITS_PERCENT (a share) or UNITS_NUMBER. */
bool metric_check(const struct engine *engine, const struct metric *metric,
                  const struct place *where, enum units_quantity *quantity, struct error *err);

#endif
