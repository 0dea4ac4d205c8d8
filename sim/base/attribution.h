/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the time went, by latency: a log-linear table with 64 buckets an octave (fio's resolution),
 * each with the number of requests and the sum of what they spent in each phase. So the time of any
 * band of latencies is known to 1.6 % of its edges, and exactly within them.
 */
#ifndef RINGTAIL_SIM_BASE_ATTRIBUTION_H
#define RINGTAIL_SIM_BASE_ATTRIBUTION_H

#include <assert.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/histogram.h"
#include "sim/base/time.h"

enum {
    ATTRIBUTION_OCTAVE_BITS = 6,
    ATTRIBUTION_BUCKETS = (64 - ATTRIBUTION_OCTAVE_BITS) << ATTRIBUTION_OCTAVE_BITS,
};

/* What was added lately stays in 64 bits, which is faster, until it might not fit. */
#define ATTRIBUTION_RECENT_MAX (INT64_C(1) << 60)

struct attribution {
    unsigned phase_count; /* >= 1 */
    uint64_t *counts;     /* ATTRIBUTION_BUCKETS */
    sim_sum *spent;       /* ATTRIBUTION_BUCKETS rows of phase_count sums, without what is recent */
    sim_time *recent;     /* rows of phase_count sums, and their sum, <= ATTRIBUTION_RECENT_MAX */
};

void attribution_init(struct attribution *attribution, struct arena *arena, unsigned phase_count);

/* Moves the recent sums of a bucket to `spent`. */
void attribution_settle_bucket(struct attribution *attribution, uint32_t bucket);

/* The same for all buckets: then `spent` is complete. */
void attribution_settle(struct attribution *attribution);

/* One request: `spent[0 .. phase_count-1]` add up to `latency` (asserted), which is at most
 * SIM_NEVER / 4 * 3. */
static inline void attribution_add(struct attribution *attribution, sim_time latency,
                                   const sim_time *spent)
{
    uint32_t bucket = log_linear_bucket(latency, ATTRIBUTION_OCTAVE_BITS);
    unsigned phase_count = attribution->phase_count;
    sim_time *row = attribution->recent + (size_t)bucket * (phase_count + 1);
    sim_time sum = 0;
    for (unsigned i = 0; i < phase_count; i++) {
        row[i] += spent[i];
        sum += spent[i];
    }
    assert(sum == latency);
    attribution->counts[bucket]++;
    row[phase_count] += latency;
    if (row[phase_count] > ATTRIBUTION_RECENT_MAX) {
        attribution_settle_bucket(attribution, bucket);
    }
}

void attribution_merge(struct attribution *into, const struct attribution *from);

/* Sums over the buckets above the one that holds `above` up to and including the one that holds
 * `upto`; above < 0 starts at the first bucket. Fills spent[0 .. phase_count-1]; returns the number
 * of requests. */
uint64_t attribution_band(const struct attribution *attribution, sim_time above, sim_time upto,
                          sim_sum *spent);

#endif
