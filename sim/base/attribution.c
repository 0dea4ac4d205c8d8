/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/base/attribution.h"

#include <assert.h>
#include <stddef.h>

void attribution_init(struct attribution *attribution, struct arena *arena, unsigned phase_count)
{
    assert(phase_count >= 1);
    *attribution = (struct attribution){
        .phase_count = phase_count,
        .counts = arena_array(arena, ATTRIBUTION_BUCKETS, sizeof(uint64_t)),
        .spent = arena_array(arena, (size_t)ATTRIBUTION_BUCKETS * phase_count, sizeof(sim_sum)),
        .recent =
            arena_array(arena, (size_t)ATTRIBUTION_BUCKETS * (phase_count + 1), sizeof(sim_time)),
    };
}

void attribution_settle_bucket(struct attribution *attribution, uint32_t bucket)
{
    unsigned phase_count = attribution->phase_count;
    sim_sum *row = attribution->spent + (size_t)bucket * phase_count;
    sim_time *recent = attribution->recent + (size_t)bucket * (phase_count + 1);
    for (unsigned i = 0; i < phase_count; i++) {
        row[i] += recent[i];
        recent[i] = 0;
    }
    recent[phase_count] = 0;
}

void attribution_settle(struct attribution *attribution)
{
    for (uint32_t bucket = 0; bucket < ATTRIBUTION_BUCKETS; bucket++) {
        if (attribution->counts[bucket] > 0) {
            attribution_settle_bucket(attribution, bucket);
        }
    }
}

/* Adds a bucket's row to `spent`; returns its count. Empty rows stay untouched: their pages cost
 * nothing. */
static uint64_t add_row(const struct attribution *attribution, uint32_t bucket, sim_sum *spent)
{
    uint64_t count = attribution->counts[bucket];
    if (count > 0) {
        unsigned phase_count = attribution->phase_count;
        const sim_sum *row = attribution->spent + (size_t)bucket * phase_count;
        const sim_time *recent = attribution->recent + (size_t)bucket * (phase_count + 1);
        for (unsigned i = 0; i < phase_count; i++) {
            spent[i] += row[i] + recent[i];
        }
    }
    return count;
}

void attribution_merge(struct attribution *into, const struct attribution *from)
{
    assert(into->phase_count == from->phase_count);
    for (uint32_t bucket = 0; bucket < ATTRIBUTION_BUCKETS; bucket++) {
        sim_sum *row = into->spent + (size_t)bucket * into->phase_count;
        into->counts[bucket] += add_row(from, bucket, row);
    }
}

uint64_t attribution_band(const struct attribution *attribution, sim_time above, sim_time upto,
                          sim_sum *spent)
{
    assert(upto >= 0);
    uint32_t first = above < 0 ? 0 : log_linear_bucket(above, ATTRIBUTION_OCTAVE_BITS) + 1;
    uint32_t last = log_linear_bucket(upto, ATTRIBUTION_OCTAVE_BITS);
    for (unsigned i = 0; i < attribution->phase_count; i++) {
        spent[i] = 0;
    }
    uint64_t count = 0;
    for (uint32_t bucket = first; bucket <= last; bucket++) {
        count += add_row(attribution, bucket, spent);
    }
    return count;
}
