/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison with the baseline in words. */
#ifndef RINGTAIL_SIM_RUN_BASELINE_FINDING_H
#define RINGTAIL_SIM_RUN_BASELINE_FINDING_H

#include "sim/run/baseline_judge.h"

/* `certain`: the difference is, whatever its size. */
struct finding baseline_finding(struct arena *arena, const struct baseline_comparison *comparison,
                                bool certain);

/* `queue: pending +3.2ms (of +3.4ms)`: the phase that grew most, of what all grew by together, in
 * the mean or, for p99 and beyond, `in the slowest 1 %`. NULL where none grew. */
const char *baseline_finding_where(struct arena *arena,
                                   const struct baseline_comparison *comparison);

#endif
