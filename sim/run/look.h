/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the repeats made so far are enough for `until`, and if not where it lacks. */
#ifndef RINGTAIL_SIM_RUN_LOOK_H
#define RINGTAIL_SIM_RUN_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/run/result.h"

struct look {
    bool reached;
    /* Of the variant and point that is known worst: how far the further end of the interval is from
     * the value, as a share of it. INFINITY: there is no interval. */
    double share;
    size_t variant;
    size_t point;
};

/* Whether there is something to look at: a whole result with `until`. */
bool look_is_due(const struct result *result);

/* At the experiment's repeats, all of which have finished. Goes through the points of the result.
 * False with an error when it cannot be read. */
bool look_at(struct result *result, struct look *look, struct error *err);

/* The same at the first `repeats` of a store that may have more. */
bool look_at_store(struct result_store *store, int64_t repeats, struct look *look,
                   struct error *err);

#endif
