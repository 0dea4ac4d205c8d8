/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A log-linear histogram of durations: 1024 buckets an octave, exact below 2048 ps. Count, sum, min
 * and max are exact; a percentile is exact to one bucket (0.1 %). Percentiles are nearest ranks,
 * computed in integers: the value at rank ceil(q x count), 1 being the smallest. A bucket's value
 * is its upper edge, clamped to [min, max].
 */
#ifndef RINGTAIL_SIM_BASE_HISTOGRAM_H
#define RINGTAIL_SIM_BASE_HISTOGRAM_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/compiler.h"
#include "sim/base/time.h"

enum {
    HISTOGRAM_OCTAVE_BITS = 10, /* log2 of the buckets an octave */
    HISTOGRAM_BUCKETS = (64 - HISTOGRAM_OCTAVE_BITS) << HISTOGRAM_OCTAVE_BITS,
};

struct histogram {
    uint64_t *counts; /* HISTOGRAM_BUCKETS */
    uint64_t count;
    sim_time min; /* SIM_NEVER while empty */
    sim_time max; /* 0 while empty */
    sim_sum sum;
};

/* A quantile as a fraction, so that 99.9 % is 999/1000 and no rank is off by one. 0 <= numerator <=
 * denominator. */
struct quantile {
    uint64_t numerator;
    uint64_t denominator;
};

/* The bucket of a value in a log-linear layout with 2^bits buckets an octave. value >= 0. */
static inline uint32_t log_linear_bucket(sim_time value, unsigned bits)
{
    uint64_t v = (uint64_t)value;
    unsigned shift = (unsigned)(63 - __builtin_clzll(v | (UINT64_C(1) << bits))) - bits;
    return (uint32_t)(((uint64_t)shift << bits) + (v >> shift));
}

/* The largest value of a bucket. */
sim_time log_linear_upper(uint32_t bucket, unsigned bits);

void histogram_init(struct histogram *histogram, struct arena *arena);

/* Moves min and max to take in a value. */
void histogram_widen(struct histogram *histogram, sim_time value);

static inline void histogram_add(struct histogram *histogram, sim_time value)
{
    assert(value >= 0);
    histogram->counts[log_linear_bucket(value, HISTOGRAM_OCTAVE_BITS)]++;
    histogram->count++;
    histogram->sum += value;
    /* Not in [min, max), in one comparison; an empty one has no such values. */
    if (UNLIKELY((uint64_t)value - (uint64_t)histogram->min >=
                 (uint64_t)histogram->max - (uint64_t)histogram->min)) {
        histogram_widen(histogram, value);
    }
}

void histogram_merge(struct histogram *into, const struct histogram *from);

/* The value at a rank of 1 .. count. */
sim_time histogram_at_rank(const struct histogram *histogram, uint64_t rank);

/* The rank of a quantile among `count` values: ceil(q x count), at least 1. count > 0. */
uint64_t quantile_rank(struct quantile quantile, uint64_t count);

/* The nearest-rank percentile. The histogram is not empty. */
sim_time histogram_quantile(const struct histogram *histogram, struct quantile quantile);

/* How many values lie in buckets above the one that holds `value`. */
uint64_t histogram_count_above(const struct histogram *histogram, sim_time value);

/* Mean in picoseconds; 0 when empty. */
double histogram_mean(const struct histogram *histogram);

#endif
