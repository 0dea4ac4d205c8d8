/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "sim/base/ziggurat.h"
#include "tests/unit/statistics.h"

enum { DRAWS = 1000000, CELLS = 1000 };

static long double exponential_height(long double x)
{
    return expl(-x);
}

static long double exponential_tail(long double x)
{
    return expl(-x);
}

static long double normal_height(long double x)
{
    return expl(-x * x / 2);
}

static long double normal_tail(long double x)
{
    return sqrtl(acosl(-1) / 2) * erfcl(x / sqrtl(2));
}

static bool near(long double value, long double exact)
{
    return fabsl(value - exact) <= 2e-15L * fabsl(exact);
}

/* The equations at the head of ziggurat.c. A height's own rounding weighs more in a thin layer. */
static void check_table(const struct ziggurat *table, long double (*height)(long double),
                        long double (*tail)(long double))
{
    const double *x = table->edge;
    const double *y = table->height;
    long double area = (long double)x[0] * y[1];
    cr_expect(near(x[1] * height(x[1]) + tail(x[1]), area));
    cr_expect_gt(x[0], x[1]);
    cr_expect_eq(y[0], 0);
    for (int i = 1; i < ZIGGURAT_LAYERS; i++) {
        cr_expect_gt(x[i], x[i + 1]);
        cr_expect(near(y[i], height(x[i])), "height[%d]", i);
        long double layer = x[i] * ((long double)y[i + 1] - y[i]);
        cr_expect_lt(fabsl(layer - area), 3e-16L * x[i], "area of layer %d", i);
    }
    cr_expect_eq(x[ZIGGURAT_LAYERS], 0);
    cr_expect_eq(y[ZIGGURAT_LAYERS], 1);
}

Test(ziggurat, exponential_table_solves_its_equations)
{
    check_table(&ziggurat_exponential_table, exponential_height, exponential_tail);
}

Test(ziggurat, normal_table_solves_its_equations)
{
    check_table(&ziggurat_normal_table, normal_height, normal_tail);
}

Test(ziggurat, unit_covers_zero_to_one)
{
    cr_expect_eq(ziggurat_unit(0), 0);
    cr_expect_eq(ziggurat_unit(0xfff), 0, "layer and sign are not part of it");
    cr_expect_eq(ziggurat_unit(UINT64_C(1) << 63), 0.5);
    cr_expect_eq(ziggurat_unit(UINT64_MAX), 1 - 0x1p-52);
}

static double exponential_cdf(double x)
{
    return -expm1(-x);
}

static double normal_cdf(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static void check_cdf(double (*draw)(struct random_stream *), double (*cdf)(double))
{
    static uint32_t counts[CELLS];
    struct random_stream stream = { random_key(1, 0, "ziggurat") };
    for (int i = 0; i < DRAWS; i++) {
        counts[cell_of(cdf(draw(&stream)), CELLS)]++;
    }
    cr_expect_lt(fabs(chi_square_deviations(counts, CELLS)), DEVIATIONS_MAX);
}

Test(ziggurat, exponential_follows_its_cdf)
{
    check_cdf(ziggurat_exponential, exponential_cdf);
}

Test(ziggurat, normal_follows_its_cdf)
{
    check_cdf(ziggurat_normal, normal_cdf);
}

/* Deviations of the mean of x^power from what it should be, 1/sqrt(n) of those of one draw. */
static double moment_deviations(double (*draw)(struct random_stream *), int power, double mean,
                                double mean_of_square)
{
    struct random_stream stream = { random_key(2, 0, "moments") };
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        sum += pow(draw(&stream), power);
    }
    double variance = mean_of_square - mean * mean;
    return fabs(sum / DRAWS - mean) / sqrt(variance / DRAWS);
}

Test(ziggurat, exponential_moments_are_factorials)
{
    double factorial[] = { 1, 1, 2, 6, 24, 120, 720, 5040, 40320 };
    for (int k = 1; k <= 4; k++) {
        double off = moment_deviations(ziggurat_exponential, k, factorial[k], factorial[2 * k]);
        cr_expect_lt(off, DEVIATIONS_MAX, "moment %d", k);
    }
}

Test(ziggurat, normal_moments_are_double_factorials)
{
    double moment[] = { 1, 0, 1, 0, 3, 0, 15, 0, 105 };
    for (int k = 1; k <= 4; k++) {
        double off = moment_deviations(ziggurat_normal, k, moment[k], moment[2 * k]);
        cr_expect_lt(off, DEVIATIONS_MAX, "moment %d", k);
    }
}

/* One draw in 2200 and in 3900 comes from beyond the last edge: looked at alone. */
Test(ziggurat, tails_follow_their_cdf)
{
    static uint32_t exponential[CELLS], normal[CELLS];
    struct random_stream stream = { random_key(3, 0, "tails") };
    double r = ziggurat_normal_table.edge[1];
    uint64_t positive = UINT64_C(0), negative = UINT64_C(0x100); /* layer 0 */
    for (int i = 0; i < DRAWS / 4; i++) {
        double x = ziggurat_exponential_slow(&stream, 0, 0) - ziggurat_exponential_table.edge[1];
        cr_assert_geq(x, 0);
        exponential[cell_of(exponential_cdf(x), CELLS)]++;
        double y = ziggurat_normal_slow(&stream, positive, 0);
        cr_assert_geq(y, r);
        normal[cell_of(1 - erfc(y / sqrt(2)) / erfc(r / sqrt(2)), CELLS)]++;
        cr_assert_leq(ziggurat_normal_slow(&stream, negative, 0), -r);
    }
    cr_expect_lt(fabs(chi_square_deviations(exponential, CELLS)), DEVIATIONS_MAX);
    cr_expect_lt(fabs(chi_square_deviations(normal, CELLS)), DEVIATIONS_MAX);
}

/* Bits that must never change: every seeded result depends on them. */
Test(ziggurat, the_bits_are_pinned)
{
    struct random_stream stream = { 1 };
    double exponential = 0, normal = 0;
    for (int i = 0; i < DRAWS; i++) {
        exponential += ziggurat_exponential(&stream);
        normal += ziggurat_normal(&stream);
    }
    cr_expect_eq(exponential, 0x1.e8a21caba45a4p+19, "%a", exponential);
    cr_expect_eq(normal, 0x1.df0668b0c9284p+8, "%a", normal);
}
