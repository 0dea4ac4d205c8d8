/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "sim/base/random.h"
#include "sim/base/ziggurat.h"
#include "sim/run/significance.h"

/* The data of Student's own paper (Biometrika 6, 1908): the additional hours of sleep of ten
 * patients with two drugs. Known: t = 4.0621 on 9 degrees of freedom, p = 0.002833, and the
 * interval 0.7001 to 2.4599; as two groups t = 1.8608 on 17.776, p = 0.07939. */
static const double first[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double second[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

Test(significance, paired_gives_the_known_figures_of_sleep)
{
    struct significance result = significance_paired(first, second, 10);
    cr_expect_float_eq(result.mean, 1.58, 1e-12);
    cr_expect_float_eq(result.half, (2.4598858 - 0.7001142) / 2, 1e-6);
    cr_expect_float_eq(result.p, 0.002833, 1e-6);
}

/* On 17 degrees of freedom, which is 17.776 rounded down, p is 0.0801; on 18 it were 0.0792. */
Test(significance, unpaired_rounds_the_degrees_of_freedom_down)
{
    struct significance result = significance_unpaired(first, 10, second, 10);
    cr_expect_float_eq(result.mean, 1.58, 1e-12);
    cr_expect(result.p > 0.07939 && result.p < 0.0806, "%g", result.p);
}

Test(significance, what_does_not_vary_differs_for_certain_or_not_at_all)
{
    const double ones[] = { 1, 1, 1 };
    const double twos[] = { 2, 2, 2, 2 };
    cr_expect_eq(significance_paired(ones, ones, 3).p, 1);
    cr_expect_eq(significance_paired(ones, twos, 3).p, 0);
    cr_expect_eq(significance_unpaired(ones, 3, ones, 3).p, 1);
    cr_expect_eq(significance_unpaired(ones, 3, twos, 4).p, 0);
}

/* 0.01 <= 0.05 / 4, 0.013 <= 0.05 / 3, 0.03 > 0.05 / 2: what comes later is not asked. */
Test(significance, holm_stops_at_the_first_that_is_too_large)
{
    double p[] = { 0.03, 0.01, 0.04, 0.013 };
    cr_expect_eq(significance_holm(p, 4, 0.05), 0.013);
    double none[] = { 0.02, 0.03, 0.5 };
    cr_expect(significance_holm(none, 3, 0.05) < 0);
    double all[] = { 0.05, 0.025 };
    cr_expect_eq(significance_holm(all, 2, 0.05), 0.05);
    cr_expect(significance_holm(NULL, 0, 0.05) < 0);
}

static double share_below(bool paired, double level)
{
    enum { TRIALS = 20000, COUNT = 8 };
    struct random_stream stream = random_at(7, 0, 0);
    int below = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double sides[2][COUNT];
        for (int i = 0; i < 2 * COUNT; i++) {
            sides[i / COUNT][i % COUNT] = ziggurat_normal(&stream) * (paired || i < COUNT ? 1 : 5);
        }
        struct significance result = paired
                                         ? significance_paired(sides[0], sides[1], COUNT)
                                         : significance_unpaired(sides[0], COUNT, sides[1], COUNT);
        below += result.p <= level;
    }
    return (double)below / TRIALS;
}

/* A p of at most 1 % comes up in 1 % of cases; with degrees of freedom rounded down, in no more. */
Test(significance, p_is_as_rare_as_it_says)
{
    cr_expect_float_eq(share_below(true, 0.01), 0.01, 0.002);
    double unpaired = share_below(false, 0.01);
    cr_expect(unpaired > 0.006 && unpaired < 0.012, "%g", unpaired);
}
