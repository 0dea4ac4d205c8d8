/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/sparse.h"

#include <assert.h>

struct sparse_histogram sparse_histogram_copy(struct arena *arena,
                                              const struct histogram *histogram)
{
    struct sparse_histogram sparse = { 0 };
    if (histogram->count == 0) {
        return sparse;
    }
    uint32_t first = log_linear_bucket(histogram->min, HISTOGRAM_OCTAVE_BITS);
    uint32_t last = log_linear_bucket(histogram->max, HISTOGRAM_OCTAVE_BITS);
    for (uint32_t i = first; i <= last; i++) {
        sparse.bucket_count += histogram->counts[i] > 0;
    }
    uint32_t *buckets = arena_array(arena, sparse.bucket_count, sizeof(*buckets));
    uint64_t *counts = arena_array(arena, sparse.bucket_count, sizeof(*counts));
    size_t n = 0;
    for (uint32_t i = first; i <= last; i++) {
        if (histogram->counts[i] > 0) {
            buckets[n] = i;
            counts[n++] = histogram->counts[i];
        }
    }
    sparse.buckets = buckets;
    sparse.counts = counts;
    sparse.count = histogram->count;
    sparse.min = histogram->min;
    sparse.max = histogram->max;
    sparse.sum = histogram->sum;
    return sparse;
}

void sparse_histogram_merge(struct histogram *into, const struct sparse_histogram *from)
{
    if (from->count == 0) {
        return;
    }
    for (size_t i = 0; i < from->bucket_count; i++) {
        into->counts[from->buckets[i]] += from->counts[i];
    }
    into->count += from->count;
    into->sum += from->sum;
    into->min = from->min < into->min ? from->min : into->min;
    into->max = from->max > into->max ? from->max : into->max;
}

sim_time sparse_histogram_quantile(const struct sparse_histogram *histogram,
                                   struct quantile quantile)
{
    uint64_t rank = quantile_rank(quantile, histogram->count);
    size_t i = 0;
    for (uint64_t seen = histogram->counts[0]; seen < rank; seen += histogram->counts[i]) {
        i++;
    }
    sim_time value = log_linear_upper(histogram->buckets[i], HISTOGRAM_OCTAVE_BITS);
    return value < histogram->max ? value : histogram->max;
}

uint64_t sparse_histogram_count_above(const struct sparse_histogram *histogram, sim_time value)
{
    uint32_t bucket = log_linear_bucket(value, HISTOGRAM_OCTAVE_BITS);
    uint64_t above = 0;
    for (size_t i = histogram->bucket_count; i > 0 && histogram->buckets[i - 1] > bucket; i--) {
        above += histogram->counts[i - 1];
    }
    return above;
}

struct sparse_attribution sparse_attribution_copy(struct arena *arena,
                                                  const struct attribution *attribution)
{
    struct sparse_attribution sparse = { .phase_count = attribution->phase_count };
    for (uint32_t i = 0; i < ATTRIBUTION_BUCKETS; i++) {
        sparse.bucket_count += attribution->counts[i] > 0;
    }
    size_t phases = attribution->phase_count;
    uint32_t *buckets = arena_array(arena, sparse.bucket_count, sizeof(*buckets));
    uint64_t *counts = arena_array(arena, sparse.bucket_count, sizeof(*counts));
    sim_sum *spent = arena_array(arena, sparse.bucket_count * phases, sizeof(*spent));
    size_t n = 0;
    for (uint32_t i = 0; i < ATTRIBUTION_BUCKETS; i++) {
        if (attribution->counts[i] > 0) {
            buckets[n] = i;
            counts[n] = attribution->counts[i];
            sim_time above = i == 0 ? -1 : log_linear_upper(i - 1, ATTRIBUTION_OCTAVE_BITS);
            sim_time upto = log_linear_upper(i, ATTRIBUTION_OCTAVE_BITS);
            attribution_band(attribution, above, upto, spent + n * phases);
            n++;
        }
    }
    sparse.buckets = buckets;
    sparse.counts = counts;
    sparse.spent = spent;
    return sparse;
}

uint64_t sparse_attribution_add_band(const struct sparse_attribution *attribution, sim_time above,
                                     sim_time upto, sim_sum *spent)
{
    assert(upto >= 0);
    uint32_t first = above < 0 ? 0 : log_linear_bucket(above, ATTRIBUTION_OCTAVE_BITS) + 1;
    uint32_t last = log_linear_bucket(upto, ATTRIBUTION_OCTAVE_BITS);
    uint64_t count = 0;
    for (size_t i = 0; i < attribution->bucket_count; i++) {
        if (attribution->buckets[i] < first || attribution->buckets[i] > last) {
            continue;
        }
        count += attribution->counts[i];
        for (unsigned phase = 0; phase < attribution->phase_count; phase++) {
            spent[phase] += attribution->spent[i * attribution->phase_count + phase];
        }
    }
    return count;
}
