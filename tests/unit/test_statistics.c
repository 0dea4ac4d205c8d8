/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "sim/base/distribution.h"
#include "sim/run/statistics.h"

enum { REPEATS = 8 };

static const struct quantile p50 = { 1, 2 };
static const struct quantile p99 = { 99, 100 };
static const struct quantile p999 = { 999, 1000 };

/* Repeats and what is pooled of them, in an arena of their own. */
struct sample {
    struct arena *arena;
    const struct sparse_histogram *repeats[REPEATS];
    struct histogram pooled;
};

static struct sample sample_create(void)
{
    struct sample sample = { .arena = arena_create() };
    histogram_init(&sample.pooled, sample.arena);
    return sample;
}

static struct histogram empty_histogram(struct sample *sample)
{
    struct histogram histogram;
    histogram_init(&histogram, sample->arena);
    return histogram;
}

static void set_repeat(struct sample *sample, size_t repeat, const struct histogram *histogram)
{
    struct sparse_histogram *sparse = arena_alloc(sample->arena, sizeof(*sparse));
    *sparse = sparse_histogram_copy(sample->arena, histogram);
    sample->repeats[repeat] = sparse;
    histogram_merge(&sample->pooled, histogram);
}

static struct percentile percentile_of(const struct sample *sample, size_t repeats,
                                       struct unfinished unfinished, struct quantile quantile)
{
    return statistics_percentile(sample->repeats, repeats, &sample->pooled, unfinished, quantile);
}

/* Sojourn times of M/M/1 by Lindley's recursion, started in the steady state: exponential with the
 * mean service / (1 - load), and each one close to the one before. */
static void add_mm1(struct histogram *histogram, uint64_t key, size_t count, double load)
{
    struct random_stream stream = random_at(key, 0, 0);
    struct distribution service = distribution_exponential(SIM_US);
    struct distribution gap = distribution_exponential((sim_time)((double)SIM_US / load));
    struct distribution sojourn = distribution_exponential((sim_time)((double)SIM_US / (1 - load)));
    sim_time wait = distribution_draw(&sojourn, &stream) - distribution_draw(&gap, &stream);
    for (size_t i = 0; i < count; i++) {
        wait = wait > 0 ? wait : 0;
        sim_time latency = wait + distribution_draw(&service, &stream);
        histogram_add(histogram, latency);
        wait = latency - distribution_draw(&gap, &stream);
    }
}

static void fill_mm1(struct sample *sample, uint64_t key, size_t count, double load)
{
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        struct histogram histogram = empty_histogram(sample);
        add_mm1(&histogram, random_mix(key * REPEATS + repeat), count, load);
        set_repeat(sample, repeat, &histogram);
    }
}

Test(statistics, pooled_percentiles_of_a_known_queue)
{
    struct sample sample = sample_create();
    fill_mm1(&sample, 1, 300000, 0.5);
    double mean = 2 * (double)SIM_US;
    cr_expect(fabs((double)percentile_of(&sample, REPEATS, (struct unfinished){ 0 }, p50).value /
                       (mean * log(2)) -
                   1) < 0.01);
    struct percentile tail = percentile_of(&sample, REPEATS, (struct unfinished){ 0 }, p999);
    cr_expect(fabs((double)tail.value / (mean * log(1000)) - 1) < 0.03);
    cr_expect(tail.interval == INTERVAL_BOTH && tail.low < tail.value && tail.high > tail.value);
    cr_expect(!tail.few && !tail.at_least);
    arena_destroy(sample.arena);
}

/* Requests wait behind each other, so an interval over single requests would cover half of the
 * time; over repeats it has to cover 95 % of it. */
Test(statistics, intervals_cover)
{
    enum { EXPERIMENTS = 200 };
    const double load = 0.7;
    double truth = (double)SIM_US / (1 - load) * log(100);
    int covered = 0;
    for (uint64_t i = 0; i < EXPERIMENTS; i++) {
        struct sample sample = sample_create();
        fill_mm1(&sample, 1000 + i, 30000, load);
        struct percentile tail = percentile_of(&sample, REPEATS, (struct unfinished){ 0 }, p99);
        cr_assert_eq(tail.interval, INTERVAL_BOTH);
        covered += (double)tail.low <= truth && truth <= (double)tail.high;
        arena_destroy(sample.arena);
    }
    cr_expect(covered >= EXPERIMENTS * 88 / 100 && covered <= EXPERIMENTS * 99 / 100, "%d of %d",
              covered, EXPERIMENTS);
}

/* ---- Degenerate samples. ---- */

Test(statistics, one_repeat_has_no_interval)
{
    struct sample sample = sample_create();
    fill_mm1(&sample, 1, 1000, 0.5);
    cr_expect_eq(percentile_of(&sample, 1, (struct unfinished){ 0 }, p50).interval, INTERVAL_NONE);
    arena_destroy(sample.arena);
}

Test(statistics, a_thin_tail_has_no_upper_end)
{
    struct sample sample = sample_create();
    fill_mm1(&sample, 1, 1900, 0.5); /* 19 in a repeat are above p99, 15.2 in all above p99.9 */
    struct percentile tail = percentile_of(&sample, REPEATS, (struct unfinished){ 0 }, p99);
    cr_expect(tail.interval == INTERVAL_OPEN && tail.low <= tail.value && !tail.few);
    cr_expect(!percentile_of(&sample, REPEATS, (struct unfinished){ 0 }, p999).few);
    arena_destroy(sample.arena);
}

Test(statistics, nine_requests_above_are_few)
{
    for (size_t above = 8; above <= 11; above++) {
        struct sample sample = sample_create();
        struct histogram histogram = empty_histogram(&sample);
        for (size_t i = 0; i < above * 100; i++) {
            histogram_add(&histogram, (sim_time)i);
        }
        set_repeat(&sample, 0, &histogram);
        cr_expect_eq(percentile_of(&sample, 1, (struct unfinished){ 0 }, p99).few, above < 10);
        arena_destroy(sample.arena);
    }
}

Test(statistics, a_constant_is_certain)
{
    struct sample sample = sample_create();
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        struct histogram histogram = empty_histogram(&sample);
        for (int i = 0; i < 100; i++) {
            histogram_add(&histogram, 5 * SIM_US);
        }
        set_repeat(&sample, repeat, &histogram);
    }
    struct percentile middle = percentile_of(&sample, REPEATS, (struct unfinished){ 0 }, p50);
    cr_expect(middle.interval == INTERVAL_BOTH && middle.low == 5 * SIM_US &&
              middle.high == 5 * SIM_US);
    arena_destroy(sample.arena);
}

Test(statistics, an_empty_repeat_leaves_the_interval_open)
{
    struct sample sample = sample_create();
    struct histogram histogram = empty_histogram(&sample);
    set_repeat(&sample, 0, &histogram);
    add_mm1(&histogram, 1, 10000, 0.5);
    set_repeat(&sample, 1, &histogram);
    struct percentile middle = percentile_of(&sample, 2, (struct unfinished){ 0 }, p50);
    cr_expect(middle.interval == INTERVAL_OPEN && middle.low == sample.pooled.min);
    arena_destroy(sample.arena);
}

Test(statistics, unfinished_requests_raise_a_percentile)
{
    struct sample sample = sample_create();
    struct histogram histogram = empty_histogram(&sample);
    for (sim_time i = 1; i <= 1000; i++) {
        histogram_add(&histogram, i * SIM_US);
    }
    set_repeat(&sample, 0, &histogram);
    /* A hundred as old as the slowest: of 1100, the 550th is the median. */
    struct percentile middle =
        percentile_of(&sample, 1, (struct unfinished){ 100, 100 * (sim_sum)SIM_MS }, p50);
    cr_expect(middle.at_least && middle.raised / SIM_US == 550);
    /* As young as these, at most two of them can be older than the median. */
    struct percentile young =
        percentile_of(&sample, 1, (struct unfinished){ 100, 1000 * (sim_sum)SIM_US }, p50);
    cr_expect(young.raised / SIM_US == 501);
    /* More than there are above: no finished request tells what it would be. */
    struct percentile most =
        percentile_of(&sample, 1, (struct unfinished){ 2000, 2000 * (sim_sum)SIM_S }, p50);
    cr_expect(most.at_least && most.raised == SIM_NEVER);
    arena_destroy(sample.arena);
}

/* ---- Means and comparisons. ---- */

Test(statistics, spread_is_students)
{
    const double values[] = { 1, 2, 3, 4 };
    struct spread spread = statistics_spread(values, 4);
    cr_expect(spread.mean == 2.5);
    cr_expect(fabs(spread.half - 3.1824463053 * sqrt(5.0 / 3 / 4)) < 1e-8);
    cr_expect(isinf(statistics_spread(values, 1).half));
}

Test(statistics, ratios_are_judged_repeat_by_repeat)
{
    /* Repeats differ by more than the variants do; pairs do not. */
    const double before[] = { 10, 20, 30, 40 };
    const double after[] = { 5.1, 9.9, 15.1, 20 };
    struct comparison comparison = statistics_compare(before, after, 4);
    cr_expect_eq(comparison.verdict, VERDICT_LOWER);
    cr_expect(fabs(comparison.ratio - 0.5) < 0.01 && comparison.high < 0.52);
    cr_expect_eq(statistics_compare(after, before, 4).verdict, VERDICT_HIGHER);
}

Test(statistics, what_is_the_same_and_what_is_unclear)
{
    const double base[] = { 10, 20, 30, 40 };
    const double near[] = { 10.1, 19.8, 30.2, 39.9 };
    const double tiny[] = { 10.02, 20.04, 30.06, 40.08 };
    const double wild[] = { 30, 10, 60, 20 };
    const double zero[] = { 0, 20, 30, 40 };
    cr_expect_eq(statistics_compare(base, base, 4).verdict, VERDICT_SAME);
    cr_expect_eq(statistics_compare(base, near, 4).verdict, VERDICT_SAME);
    cr_expect_eq(statistics_compare(base, tiny, 4).verdict, VERDICT_SAME);
    cr_expect_eq(statistics_compare(base, wild, 4).verdict, VERDICT_UNCLEAR);
    cr_expect_eq(statistics_compare(base, zero, 4).verdict, VERDICT_NONE);
    cr_expect_eq(statistics_compare(zero, zero, 4).verdict, VERDICT_SAME);
    cr_expect_eq(statistics_compare(base, wild, 1).verdict, VERDICT_UNCLEAR);
    cr_expect_eq(statistics_compare(base, base, 1).verdict, VERDICT_SAME);
}

/* ---- Growth. ---- */

Test(statistics, growth_is_told_from_chance_and_from_starting_up)
{
    /* 1 % more than it can serve, after a warm-up of a third of the window. */
    const struct growth overload[] = { { 100000, 99020, 800 },
                                       { 100200, 99100, 900 },
                                       { 99900, 99000, 850 } };
    cr_expect(statistics_is_growing(overload, 3));
    const struct growth steady[] = { { 100000, 99800, 300 },
                                     { 100200, 100500, 310 },
                                     { 99900, 99890, 290 } };
    cr_expect_not(statistics_is_growing(steady, 3));
    /* From an empty system to its steady state of 40: sure, and no growth. */
    const struct growth starting[] = { { 100000, 99961, 40 },
                                       { 100200, 100160, 40 },
                                       { 99900, 99862, 40 } };
    cr_expect_not(statistics_is_growing(starting, 3));
    /* A closed loop is bounded by its depth. */
    const struct growth closed[] = { { 5000, 4990, 64 }, { 5000, 4991, 64 }, { 5000, 4990, 64 } };
    cr_expect_not(statistics_is_growing(closed, 3));
    cr_expect(statistics_is_growing(&(struct growth){ 10000, 8000, 1000 }, 1));
    cr_expect_not(statistics_is_growing(&(struct growth){ 10000, 9980, 15 }, 1));
}

Test(statistics, a_drift_needs_size_and_certainty)
{
    const double rest[] = { 100, 101, 99, 100, 102, 98, 100, 100 };
    double first[8];
    for (size_t i = 0; i < 8; i++) {
        first[i] = rest[i] * (1.2 + 0.01 * (double)(i % 3));
    }
    struct drift drift = statistics_drift(first, rest, 8);
    cr_expect(drift.certain && drift.ratio > 1.2 && drift.ratio < 1.22);
    for (size_t i = 0; i < 8; i++) {
        first[i] = rest[i] * 1.04; /* certain, but of no weight */
    }
    cr_expect_not(statistics_drift(first, rest, 8).certain);
    for (size_t i = 0; i < 8; i++) {
        first[i] = rest[i] * (i % 2 == 0 ? 2 : 0.7); /* large on average, but of no certainty */
    }
    cr_expect_not(statistics_drift(first, rest, 8).certain);
    for (size_t i = 0; i < 8; i++) {
        first[i] = rest[i] / 2;
    }
    cr_expect(statistics_drift(first, rest, 8).certain);
    cr_expect_not(statistics_drift(first, rest, 1).certain);
    cr_expect_not(statistics_drift(first, rest, 0).certain);
    first[3] = 0;
    cr_expect_not(statistics_drift(first, rest, 8).certain);
}
