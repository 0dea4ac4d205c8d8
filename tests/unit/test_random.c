/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/random.h"
#include "tests/unit/statistics.h"

enum { DRAWS = 400000, CELLS = 1024, GRID = 32 };

/* The reference output of SplitMix64 (Vigna, splitmix64.c) for the state 1234567. */
Test(random, next_is_splitmix64)
{
    struct random_stream stream = { 1234567 };
    cr_expect_eq(random_next(&stream), UINT64_C(6457827717110365317));
    cr_expect_eq(random_next(&stream), UINT64_C(3203168211198807973));
    cr_expect_eq(random_next(&stream), UINT64_C(9817491932198370423));
    cr_expect_eq(random_next(&stream), UINT64_C(4593380528125082431));
    cr_expect_eq(random_next(&stream), UINT64_C(16408922859458223821));
}

Test(random, unit_is_uniform_between_zero_and_one)
{
    static uint32_t counts[CELLS];
    struct random_stream stream = { random_key(1, 0, "unit") };
    for (int i = 0; i < DRAWS; i++) {
        double unit = random_unit(&stream);
        cr_assert(unit > 0 && unit < 1);
        counts[cell_of(unit, CELLS)]++;
    }
    cr_expect_lt(fabs(chi_square_deviations(counts, CELLS)), DEVIATIONS_MAX);
}

Test(random, below_is_uniform)
{
    static const uint64_t bounds[] = { 2, 3, 7, 10, 255, 256, 1000 };
    for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++) {
        uint32_t counts[1000] = { 0 };
        struct random_stream stream = { random_key(1, b, "below") };
        for (int i = 0; i < DRAWS; i++) {
            uint64_t value = random_below(&stream, bounds[b]);
            cr_assert_lt(value, bounds[b]);
            counts[value]++;
        }
        double off = chi_square_deviations(counts, bounds[b]);
        cr_expect_lt(fabs(off), DEVIATIONS_MAX, "below %u: %f", (unsigned)bounds[b], off);
    }
}

/* Four words fall on three values here: one of them would come twice without the rejection. */
Test(random, below_is_without_bias_for_large_bounds)
{
    uint32_t counts[3] = { 0 };
    struct random_stream stream = { random_key(1, 0, "large") };
    for (int i = 0; i < DRAWS; i++) {
        counts[random_below(&stream, UINT64_C(3) << 62) % 3]++;
    }
    cr_expect_lt(fabs(chi_square_deviations(counts, 3)), DEVIATIONS_MAX);
}

Test(random, below_one_is_zero_and_below_all_is_below_it)
{
    struct random_stream stream = { 5 };
    for (int i = 0; i < 100; i++) {
        cr_expect_eq(random_below(&stream, 1), 0);
        cr_expect_lt(random_below(&stream, UINT64_MAX), UINT64_MAX);
    }
}

Test(random, below_zero_is_a_programmers_mistake, .signal = SIGABRT)
{
    struct random_stream stream = { 5 };
    random_below(&stream, 0);
}

/* ---- Keyed draws. ---- */

static double unit_at(uint64_t key, uint64_t number, uint64_t draw)
{
    struct random_stream stream = random_at(key, number, draw);
    return random_unit(&stream);
}

/* Two series are uncorrelated, and their pairs fill a grid evenly. */
static void check_independent(const double *x, const double *y, size_t n, const char *what)
{
    static uint32_t counts[GRID * GRID];
    for (size_t i = 0; i < GRID * GRID; i++) {
        counts[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        counts[cell_of(x[i], GRID) * GRID + cell_of(y[i], GRID)]++;
    }
    cr_expect_lt(fabs(correlation_deviations(x, y, n)), DEVIATIONS_MAX, "correlation: %s", what);
    double off = chi_square_deviations(counts, GRID * GRID);
    cr_expect_lt(fabs(off), DEVIATIONS_MAX, "pairs: %s: %f", what, off);
}

static double series[DRAWS + 8];
static double other[DRAWS + 8];

Test(random, draws_of_successive_requests_are_independent)
{
    uint64_t key = random_key(1, 0, "disk");
    for (uint64_t number = 0; number < DRAWS + 8; number++) {
        series[number] = unit_at(key, number, 0);
    }
    for (int lag = 1; lag <= 8; lag++) {
        check_independent(series, series + lag, DRAWS, "number");
    }
}

Test(random, successive_draws_of_a_request_are_independent)
{
    uint64_t key = random_key(1, 0, "disk");
    for (uint64_t draw = 0; draw < DRAWS + 8; draw++) {
        series[draw] = unit_at(key, 77, draw);
    }
    check_independent(series, series + 1, DRAWS, "draw along one request");
    for (uint64_t step = 1; step <= 4; step++) {
        for (uint64_t number = 0; number < DRAWS; number++) {
            series[number] = unit_at(key, number, 0);
            other[number] = unit_at(key, number, step);
        }
        check_independent(series, other, DRAWS, "draw across requests");
    }
}

/* A rejection takes the second word of a draw: it must not be the first word of a neighbour. */
Test(random, second_words_are_independent_of_neighbours)
{
    uint64_t key = random_key(1, 0, "disk");
    for (uint64_t number = 0; number < DRAWS + 8; number++) {
        struct random_stream stream = random_at(key, number, 0);
        series[number] = random_unit(&stream);
        other[number] = random_unit(&stream);
    }
    check_independent(series, other, DRAWS, "words of a draw");
    check_independent(series + 1, other, DRAWS, "second word and next number");
    for (uint64_t number = 0; number < DRAWS; number++) {
        series[number] = unit_at(key, number, 1);
    }
    check_independent(series, other, DRAWS, "second word and next draw");
}

static void check_keys(uint64_t a, uint64_t b, const char *what)
{
    for (uint64_t number = 0; number < DRAWS; number++) {
        series[number] = unit_at(a, number, 0);
        other[number] = unit_at(b, number, 0);
    }
    check_independent(series, other, DRAWS, what);
}

Test(random, streams_of_two_keys_are_independent)
{
    uint64_t key = random_key(1, 0, "disk");
    check_keys(key, random_key(2, 0, "disk"), "seed");
    check_keys(key, random_key(1, 1, "disk"), "repeat");
    check_keys(key, random_key(1, 0, "disc"), "name");
}

/* ---- Keys. ---- */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

Test(random, keys_differ_by_seed_repeat_and_name)
{
    enum { SIDE = 64, NAMES = 8 };
    static uint64_t keys[SIDE * SIDE * NAMES];
    size_t n = 0;
    for (uint64_t seed = 0; seed < SIDE; seed++) {
        for (uint64_t repeat = 0; repeat < SIDE; repeat++) {
            for (int i = 0; i < NAMES; i++) {
                char name[NAMES + 1];
                snprintf(name, sizeof(name), "%.*s", i, "aaaaaaaa");
                keys[n++] = random_key(seed, repeat, name);
            }
        }
    }
    qsort(keys, n, sizeof(keys[0]), compare_keys);
    for (size_t i = 1; i < n; i++) {
        cr_assert_neq(keys[i - 1], keys[i]);
    }
}

/* Flipping one bit of the seed or the repeat flips half of the key: 64 x 64 fair coins a word. */
Test(random, keys_scatter_every_bit)
{
    int flipped = 0;
    uint64_t key = random_key(1, 2, "disk");
    for (int bit = 0; bit < 64; bit++) {
        uint64_t mask = UINT64_C(1) << bit;
        flipped += __builtin_popcountll(key ^ random_key(1 ^ mask, 2, "disk"));
        flipped += __builtin_popcountll(key ^ random_key(1, 2 ^ mask, "disk"));
    }
    cr_expect_lt(abs(flipped - 64 * 64), DEVIATIONS_MAX * sqrt(2 * 64 * 64) / 2);
}

/* Bits that must never change: every seeded result depends on them. */
Test(random, keys_are_pinned)
{
    cr_expect_eq(random_key(0, 0, ""), UINT64_C(0xbb13708746aed211));
    cr_expect_eq(random_key(1, 2, "disk"), UINT64_C(0xea4e44a3fd99c4ad));
}
