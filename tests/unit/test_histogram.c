/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "sim/base/histogram.h"
#include "sim/base/random.h"

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(histogram, .init = set_up, .fini = tear_down);

static struct histogram histogram_of(const sim_time *values, size_t count)
{
    struct histogram histogram;
    histogram_init(&histogram, arena);
    for (size_t i = 0; i < count; i++) {
        histogram_add(&histogram, values[i]);
    }
    return histogram;
}

/* ---- The layout. ---- */

static void check_layout(unsigned bits)
{
    uint32_t buckets = (64 - bits) << bits;
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        sim_time upper = log_linear_upper(bucket, bits);
        cr_assert_eq(log_linear_bucket(upper, bits), bucket);
        if (bucket + 1 < buckets) {
            cr_assert_eq(log_linear_bucket(upper + 1, bits), bucket + 1);
        }
    }
    cr_expect_eq(log_linear_upper(buckets - 1, bits), INT64_MAX);
}

Test(histogram, buckets_join_without_gaps)
{
    check_layout(HISTOGRAM_OCTAVE_BITS);
    check_layout(6);
}

Test(histogram, small_values_have_a_bucket_each)
{
    for (uint32_t value = 0; value < 2048; value++) {
        cr_assert_eq(log_linear_upper(value, HISTOGRAM_OCTAVE_BITS), value);
    }
    cr_expect_eq(log_linear_upper(2048, HISTOGRAM_OCTAVE_BITS), 2049);
}

Test(histogram, a_bucket_is_a_1024th_of_its_octave)
{
    for (sim_time value = 4096; value < INT64_MAX / 2; value *= 2) {
        uint32_t bucket = log_linear_bucket(value, HISTOGRAM_OCTAVE_BITS);
        sim_time upper = log_linear_upper(bucket, HISTOGRAM_OCTAVE_BITS);
        cr_assert_eq(upper - value + 1, value / 1024);
    }
}

/* ---- Ranks. ---- */

static int compare_times(const void *a, const void *b)
{
    sim_time x = *(const sim_time *)a;
    sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

/* The upper edge of a value's bucket, or the largest value if that is less. */
static sim_time seen_as(sim_time value, sim_time max)
{
    sim_time upper =
        log_linear_upper(log_linear_bucket(value, HISTOGRAM_OCTAVE_BITS), HISTOGRAM_OCTAVE_BITS);
    return upper < max ? upper : max;
}

/* Every rank, and what lies above every value, against a sorted array. Values of all magnitudes,
 * with ties. */
static void check_ranks(size_t n)
{
    static sim_time values[3000];
    struct random_stream stream = { random_key(1, n, "ranks") };
    for (size_t i = 0; i < n; i++) {
        values[i] = (sim_time)(random_next(&stream) >> (1 + random_below(&stream, 63)));
    }
    struct histogram histogram = histogram_of(values, n);
    qsort(values, n, sizeof(values[0]), compare_times);
    sim_time max = values[n - 1];
    cr_assert_eq(histogram.count, n);
    cr_assert_eq(histogram.min, values[0]);
    cr_assert_eq(histogram.max, max);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(histogram_at_rank(&histogram, i + 1), seen_as(values[i], max));
        size_t above = 0;
        while (above < n && values[n - 1 - above] > seen_as(values[i], INT64_MAX)) {
            above++;
        }
        cr_assert_eq(histogram_count_above(&histogram, values[i]), above);
    }
}

Test(histogram, ranks_are_those_of_the_sorted_values)
{
    check_ranks(1);
    check_ranks(2);
    check_ranks(10);
    check_ranks(3000);
}

static const struct quantile p0 = { 0, 100 };
static const struct quantile p50 = { 50, 100 };
static const struct quantile p999 = { 999, 1000 };
static const struct quantile p100 = { 100, 100 };

Test(histogram, quantile_ranks_are_ceilings_in_integers)
{
    cr_expect_eq(quantile_rank(p0, 10), 1);
    cr_expect_eq(quantile_rank(p50, 1), 1);
    cr_expect_eq(quantile_rank(p50, 10), 5);
    cr_expect_eq(quantile_rank(p50, 11), 6);
    cr_expect_eq(quantile_rank(p999, 1), 1);
    cr_expect_eq(quantile_rank(p999, 999), 999);
    cr_expect_eq(quantile_rank(p999, 1000), 999);
    cr_expect_eq(quantile_rank(p999, 1001), 1000);
    cr_expect_eq(quantile_rank(p100, 10), 10);
}

/* Doubles say 2^53 here, and 64 bits overflow. */
Test(histogram, quantile_ranks_are_exact_beyond_64_bits)
{
    uint64_t n = UINT64_C(1000000000000000000);
    cr_expect_eq(quantile_rank(p999, n), n / 1000 * 999);
    cr_expect_eq(quantile_rank(p999, n + 1), n / 1000 * 999 + 1);
    cr_expect_eq(quantile_rank((struct quantile){ UINT64_MAX, UINT64_MAX }, n), n);
    cr_expect_eq(quantile_rank((struct quantile){ UINT64_MAX - 1, UINT64_MAX }, n), n);
}

Test(histogram, the_p99_9_of_1000_is_the_999th)
{
    sim_time values[1000];
    for (int i = 0; i < 1000; i++) {
        values[i] = 1000 - i;
    }
    struct histogram histogram = histogram_of(values, 1000);
    cr_expect_eq(histogram_quantile(&histogram, p999), 999);
    cr_expect_eq(histogram_quantile(&histogram, p50), 500);
    cr_expect_eq(histogram_quantile(&histogram, p0), 1);
    cr_expect_eq(histogram_quantile(&histogram, p100), 1000);
    cr_expect_eq(histogram_count_above(&histogram, 999), 1);
}

Test(histogram, percentiles_never_exceed_the_maximum)
{
    sim_time value = 123456789 * SIM_NS;
    struct histogram histogram = histogram_of(&value, 1);
    cr_expect_eq(histogram_quantile(&histogram, p0), value);
    cr_expect_eq(histogram_quantile(&histogram, p50), value);
    cr_expect_eq(histogram_quantile(&histogram, p999), value);
    sim_time pair[] = { value, value + 1 }; /* one bucket */
    histogram = histogram_of(pair, 2);
    cr_expect_eq(histogram_quantile(&histogram, p50), value + 1);
}

Test(histogram, ties_share_their_value)
{
    sim_time values[] = { 5, 7, 7, 7, 7, 7, 7, 7, 7, 9 };
    struct histogram histogram = histogram_of(values, 10);
    cr_expect_eq(histogram_at_rank(&histogram, 1), 5);
    cr_expect_eq(histogram_at_rank(&histogram, 2), 7);
    cr_expect_eq(histogram_at_rank(&histogram, 9), 7);
    cr_expect_eq(histogram_at_rank(&histogram, 10), 9);
}

Test(histogram, rank_zero_is_a_programmers_mistake, .signal = SIGABRT)
{
    sim_time value = 1;
    struct histogram histogram = histogram_of(&value, 1);
    histogram_at_rank(&histogram, 0);
}

Test(histogram, a_rank_above_the_count_is_a_programmers_mistake, .signal = SIGABRT)
{
    sim_time value = 1;
    struct histogram histogram = histogram_of(&value, 1);
    histogram_at_rank(&histogram, 2);
}

/* ---- Sums and merging. ---- */

Test(histogram, an_empty_one_is_empty)
{
    struct histogram histogram = histogram_of(NULL, 0);
    cr_expect_eq(histogram.min, SIM_NEVER);
    cr_expect_eq(histogram.max, 0);
    cr_expect_eq(histogram_mean(&histogram), 0);
    cr_expect_eq(histogram_count_above(&histogram, 0), 0);
}

Test(histogram, the_sum_is_exact_beyond_64_bits)
{
    sim_time values[] = { INT64_MAX, INT64_MAX, INT64_MAX, 0 };
    struct histogram histogram = histogram_of(values, 4);
    cr_expect(histogram.sum == 3 * (sim_sum)INT64_MAX);
    cr_expect_eq(histogram_mean(&histogram), 0.75 * 0x1p63);
}

static void check_equal(const struct histogram *a, const struct histogram *b)
{
    for (uint32_t bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
        cr_assert_eq(a->counts[bucket], b->counts[bucket]);
    }
    cr_expect_eq(a->count, b->count);
    cr_expect_eq(a->min, b->min);
    cr_expect_eq(a->max, b->max);
    cr_expect(a->sum == b->sum);
}

Test(histogram, a_merged_one_is_that_of_all_values)
{
    enum { N = 2000 };
    static sim_time values[N];
    struct random_stream stream = { random_key(1, 0, "merge") };
    for (int i = 0; i < N; i++) {
        values[i] = (sim_time)(random_next(&stream) >> (1 + random_below(&stream, 63)));
    }
    struct histogram all = histogram_of(values, N);
    struct histogram merged = histogram_of(NULL, 0);
    struct histogram empty = histogram_of(NULL, 0);
    for (int i = 0; i < N; i += 500) {
        struct histogram part = histogram_of(values + i, 500);
        histogram_merge(&merged, &part);
        histogram_merge(&merged, &empty);
    }
    check_equal(&merged, &all);
}
