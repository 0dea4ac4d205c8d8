/* SPDX-License-Identifier: Apache-2.0 */
/* In what two baselines are not of the same experiment, run in the same way. */
#ifndef RINGTAIL_SIM_RUN_BASELINE_DIFFERENCES_H
#define RINGTAIL_SIM_RUN_BASELINE_DIFFERENCES_H

#include "sim/run/baseline.h"

struct differences {
    const char *const *texts; /* `queue.hz 250 -> 100`, `seed 1 -> 2`, `before: queue.policy ...` */
    size_t count;
};

/* Version, seed, lengths and parameters, in this order. */
struct differences baseline_differences(struct arena *arena, const struct baseline *before,
                                        const struct baseline *after);

/* Whether both were run for the same lengths: only then can maxima be compared, or how much was
 * left at the end. */
bool baseline_has_lengths(const struct baseline *before, const struct baseline *after);

#endif
