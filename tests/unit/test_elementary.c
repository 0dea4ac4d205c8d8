/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <signal.h>

#include "sim/base/elementary.h"
#include "sim/base/random.h"

enum { POINTS = 1000000 };

/* The distance of a value to the exact one, in units of the exact one's last place. */
static double error_ulp(double value, long double exact)
{
    int exponent;
    frexpl(exact, &exponent);
    return (double)fabsl(((long double)value - exact) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static double log_error_max(double low, double high)
{
    struct random_stream stream = { random_key(1, 0, "log") };
    double worst = 0;
    for (int i = 0; i < POINTS / 4; i++) {
        double x = low + (high - low) * random_unit(&stream);
        worst = fmax(worst, error_ulp(elementary_log(x), logl(x)));
    }
    return worst;
}

Test(elementary, log_is_within_1_ulp)
{
    cr_expect_lt(log_error_max(0, 1), 1);
    cr_expect_lt(log_error_max(0.7, 1.42), 1);
    cr_expect_lt(log_error_max(1 - 1e-6, 1 + 1e-6), 1);
    cr_expect_lt(log_error_max(1, 1e18), 1);
}

Test(elementary, log_is_within_1_ulp_at_every_power_of_two)
{
    for (int k = -1074; k < 1024; k++) {
        double x = ldexp(1, k);
        cr_expect_lt(error_ulp(elementary_log(x), logl(x)), 1, "2^%d", k);
        double y = x * 1.4142135623730951; /* where the reduction changes exponent */
        cr_expect_lt(error_ulp(elementary_log(y), logl(y)), 1, "2^%d sqrt(2)", k);
        double z = nextafter(y, INFINITY);
        cr_expect_lt(error_ulp(elementary_log(z), logl(z)), 1, "just above 2^%d sqrt(2)", k);
    }
    cr_expect_eq(elementary_log(1), 0);
    cr_expect_lt(error_ulp(elementary_log(DBL_MAX), logl(DBL_MAX)), 1);
}

static double exp_error_max(double low, double high)
{
    struct random_stream stream = { random_key(1, 0, "exp") };
    double worst = 0;
    for (int i = 0; i < POINTS / 4; i++) {
        double x = low + (high - low) * random_unit(&stream);
        worst = fmax(worst, error_ulp(elementary_exp(x), expl(x)));
    }
    return worst;
}

Test(elementary, exp_is_within_1_ulp)
{
    cr_expect_lt(exp_error_max(-700, 700), 1);
    cr_expect_lt(exp_error_max(-1, 1), 1);
    cr_expect_lt(exp_error_max(-1e-9, 1e-9), 1);
    cr_expect_lt(exp_error_max(-40, 0), 1);
}

Test(elementary, exp_is_within_1_ulp_where_the_reduction_changes_exponent)
{
    for (int k = -1009; k < 1009; k++) {
        double x = (k + 0.5) * 0.693147180559945309;
        cr_expect_lt(error_ulp(elementary_exp(x), expl(x)), 1, "(%d + 1/2) ln 2", k);
        double y = nextafter(x, -INFINITY);
        cr_expect_lt(error_ulp(elementary_exp(y), expl(y)), 1, "below (%d + 1/2) ln 2", k);
    }
    cr_expect_eq(elementary_exp(0), 1);
}

Test(elementary, exp_ends_at_700)
{
    cr_expect_gt(elementary_exp(-700), 0);
    cr_expect_eq(elementary_exp(nextafter(-700, -INFINITY)), 0);
    cr_expect_eq(elementary_exp(-INFINITY), 0);
    cr_expect_lt(elementary_exp(700), INFINITY);
    cr_expect_eq(elementary_exp(nextafter(700, INFINITY)), INFINITY);
    cr_expect_eq(elementary_exp(INFINITY), INFINITY);
}

/* The error of y log x, half a unit of a number of up to 9 bits, becomes one of the power. */
Test(elementary, power_is_as_good_as_its_exponent)
{
    struct random_stream stream = { random_key(1, 0, "power") };
    for (int i = 0; i < POINTS / 4; i++) {
        double x = random_unit(&stream) * 100;
        double y = random_unit(&stream) * 20 - 10;
        double exponent = fabs(y * log(x));
        double power = elementary_power(x, y);
        cr_assert_lt(error_ulp(power, powl(x, y)), 2 + 2 * exponent, "%a to the %a", x, y);
    }
    cr_expect_eq(elementary_power(17, 0), 1);
    cr_expect_eq(elementary_power(1, 17), 1);
}

/* Bits that must never change: every seeded result depends on them. */
Test(elementary, the_bits_are_pinned)
{
    cr_expect_eq(elementary_log(3), 0x1.193ea7aad030ap+0);
    cr_expect_eq(elementary_log(0.1), -0x1.26bb1bbb55515p+1);
    cr_expect_eq(elementary_exp(1), 0x1.5bf0a8b14576ap+1);
    cr_expect_eq(elementary_exp(-10.5), 0x1.cdfc263f6a0bap-16);
}

Test(elementary, log_of_zero_is_a_programmers_mistake, .signal = SIGABRT)
{
    elementary_log(0);
}
