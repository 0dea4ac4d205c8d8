/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/random.h"
#include "sim/run/sparse.h"

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(sparse, .init = set_up, .fini = tear_down);

static struct histogram histogram_of(uint64_t key, size_t count)
{
    struct histogram histogram;
    histogram_init(&histogram, arena);
    struct random_stream stream = random_at(key, 0, 0);
    for (size_t i = 0; i < count; i++) {
        histogram_add(&histogram, (sim_time)(random_next(&stream) >> (20 + i % 40)));
    }
    return histogram;
}

Test(sparse, copy_says_what_the_histogram_says)
{
    struct histogram histogram = histogram_of(1, 10000);
    struct sparse_histogram copy = sparse_histogram_copy(arena, &histogram);
    cr_expect(copy.count == 10000 && copy.sum == histogram.sum);
    for (uint64_t n = 0; n <= 1000; n++) {
        struct quantile quantile = { n, 1000 };
        sim_time value = histogram_quantile(&histogram, quantile);
        cr_assert_eq(sparse_histogram_quantile(&copy, quantile), value);
        cr_assert_eq(sparse_histogram_count_above(&copy, value),
                     histogram_count_above(&histogram, value));
    }
}

Test(sparse, merging_copies_is_merging_histograms)
{
    struct histogram a = histogram_of(1, 1000);
    struct histogram b = histogram_of(2, 3000);
    struct sparse_histogram copies[] = { sparse_histogram_copy(arena, &a),
                                         sparse_histogram_copy(arena, &b) };
    struct histogram merged;
    histogram_init(&merged, arena);
    sparse_histogram_merge(&merged, &copies[0]);
    sparse_histogram_merge(&merged, &copies[1]);
    histogram_merge(&a, &b);
    cr_expect(merged.count == a.count && merged.sum == a.sum && merged.min == a.min &&
              merged.max == a.max);
    cr_expect_eq(memcmp(merged.counts, a.counts, HISTOGRAM_BUCKETS * sizeof(uint64_t)), 0);
}

Test(sparse, an_empty_histogram_stays_empty)
{
    struct histogram empty = histogram_of(1, 0);
    struct sparse_histogram copy = sparse_histogram_copy(arena, &empty);
    struct histogram merged;
    histogram_init(&merged, arena);
    sparse_histogram_merge(&merged, &copy);
    cr_expect(copy.count == 0 && copy.bucket_count == 0 && merged.count == 0);
    cr_expect_eq(merged.min, SIM_NEVER);
}

Test(sparse, bands_are_those_of_the_table)
{
    enum { PHASES = 3 };
    struct attribution table;
    attribution_init(&table, arena, PHASES);
    struct random_stream stream = random_at(3, 0, 0);
    for (size_t i = 0; i < 5000; i++) {
        sim_time spent[PHASES];
        sim_time latency = 0;
        for (size_t phase = 0; phase < PHASES; phase++) {
            spent[phase] = (sim_time)(random_next(&stream) >> (30 + i % 30));
            latency += spent[phase];
        }
        attribution_add(&table, latency, spent);
    }
    struct sparse_attribution copy = sparse_attribution_copy(arena, &table);
    const sim_time edges[] = { -1, 0, SIM_NS, 7 * SIM_US, SIM_MS, SIM_S, SIM_NEVER };
    for (size_t i = 0; i + 1 < ARRAY_LENGTH(edges); i++) {
        sim_sum expected[PHASES];
        sim_sum found[PHASES] = { 0 };
        uint64_t count = attribution_band(&table, edges[i], edges[i + 1], expected);
        cr_expect_eq(sparse_attribution_add_band(&copy, edges[i], edges[i + 1], found), count);
        cr_expect_eq(memcmp(found, expected, sizeof(found)), 0, "band %zu", i);
    }
}
