/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms and attribution tables as a result keeps them: the touched buckets alone, in rising
 * order. A run touches some thousands of the 55296 buckets, so a result of many runs stays small.
 */
#ifndef RINGTAIL_SIM_RUN_SPARSE_H
#define RINGTAIL_SIM_RUN_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/attribution.h"
#include "sim/base/histogram.h"
#include "sim/base/time.h"

/* A zeroed one is empty. */
struct sparse_histogram {
    size_t bucket_count;
    const uint32_t *buckets; /* rising */
    const uint64_t *counts;  /* > 0 */
    uint64_t count;
    sim_time min; /* meaningless while empty, as is max */
    sim_time max;
    sim_sum sum;
};

struct sparse_attribution {
    size_t bucket_count;
    unsigned phase_count;
    const uint32_t *buckets; /* rising */
    const uint64_t *counts;  /* > 0 */
    const sim_sum *spent;    /* bucket_count rows of phase_count sums */
};

struct sparse_histogram sparse_histogram_copy(struct arena *arena,
                                              const struct histogram *histogram);
void sparse_histogram_merge(struct histogram *into, const struct sparse_histogram *from);

/* As of histogram.h: the nearest-rank percentile of one that is not empty, and how many values lie
 * in buckets above the one that holds `value`. */
sim_time sparse_histogram_quantile(const struct sparse_histogram *histogram,
                                   struct quantile quantile);
uint64_t sparse_histogram_count_above(const struct sparse_histogram *histogram, sim_time value);

struct sparse_attribution sparse_attribution_copy(struct arena *arena,
                                                  const struct attribution *attribution);

/* Adds what the requests of a band spent to spent[0 .. phase_count-1], and returns their number; as
 * attribution_band, but for adding. */
uint64_t sparse_attribution_add_band(const struct sparse_attribution *attribution, sim_time above,
                                     sim_time upto, sim_sum *spent);

#endif
