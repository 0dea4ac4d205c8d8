/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/base/histogram.h"

sim_time log_linear_upper(uint32_t bucket, unsigned bits)
{
    if (bucket < UINT32_C(2) << bits) {
        return bucket;
    }
    unsigned shift = (bucket >> bits) - 1;
    uint64_t next = bucket - ((uint64_t)shift << bits) + 1;
    return (sim_time)((next << shift) - 1);
}

static uint32_t bucket_of(sim_time value)
{
    return log_linear_bucket(value, HISTOGRAM_OCTAVE_BITS);
}

void histogram_init(struct histogram *histogram, struct arena *arena)
{
    *histogram = (struct histogram){
        .counts = arena_array(arena, HISTOGRAM_BUCKETS, sizeof(uint64_t)),
        .min = SIM_NEVER,
    };
}

/* Stays between min and max, so that pages without counts are never touched. */
SLOW_PATH void histogram_widen(struct histogram *histogram, sim_time value)
{
    histogram->min = value < histogram->min ? value : histogram->min;
    histogram->max = value > histogram->max ? value : histogram->max;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (from->count == 0) {
        return;
    }
    for (uint32_t i = bucket_of(from->min); i <= bucket_of(from->max); i++) {
        into->counts[i] += from->counts[i];
    }
    into->count += from->count;
    into->sum += from->sum;
    into->min = from->min < into->min ? from->min : into->min;
    into->max = from->max > into->max ? from->max : into->max;
}

sim_time histogram_at_rank(const struct histogram *histogram, uint64_t rank)
{
    assert(rank >= 1 && rank <= histogram->count);
    uint32_t bucket = bucket_of(histogram->min);
    uint64_t seen = histogram->counts[bucket];
    while (seen < rank) {
        seen += histogram->counts[++bucket];
    }
    sim_time value = log_linear_upper(bucket, HISTOGRAM_OCTAVE_BITS);
    return value < histogram->max ? value : histogram->max;
}

uint64_t quantile_rank(struct quantile quantile, uint64_t count)
{
    assert(count > 0 && quantile.denominator > 0 && quantile.numerator <= quantile.denominator);
    unsigned __int128 product = (unsigned __int128)quantile.numerator * count;
    uint64_t rank = (uint64_t)((product + quantile.denominator - 1) / quantile.denominator);
    return rank == 0 ? 1 : rank;
}

sim_time histogram_quantile(const struct histogram *histogram, struct quantile quantile)
{
    return histogram_at_rank(histogram, quantile_rank(quantile, histogram->count));
}

uint64_t histogram_count_above(const struct histogram *histogram, sim_time value)
{
    uint64_t above = 0;
    for (uint32_t i = bucket_of(histogram->max); i > bucket_of(value); i--) {
        above += histogram->counts[i];
    }
    return above;
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : (double)histogram->sum / (double)histogram->count;
}
