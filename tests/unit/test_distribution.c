/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>

#include "sim/base/distribution.h"
#include "tests/unit/statistics.h"

enum { DRAWS = 1000000, CELLS = 1000 };

/* So long that rounding to a picosecond moves no draw to another cell. */
#define MEAN (400 * SIM_MS)

static struct random_stream stream_of(const char *name)
{
    return (struct random_stream){ random_key(1, 0, name) };
}

/* ---- Closed forms of the cumulative distribution, x in units of the mean (Pareto: the scale).
 * ---- */

#define CV 0.7
#define DEVIATION_SHARE 0.2
#define PARETO_SHAPE 2.5

static double uniform_cdf(double x)
{
    return (x - 0.5) / 1.5; /* between 0.5 and 2 */
}

static double exponential_cdf(double x)
{
    return -expm1(-x);
}

static double normal_cdf(double x)
{
    return erfc(-(x - 1) / DEVIATION_SHARE / sqrt(2)) / 2;
}

static double lognormal_cdf(double x)
{
    double variance = log1p(CV * CV);
    return erfc(-(log(x) + variance / 2) / sqrt(2 * variance)) / 2;
}

static double pareto_cdf(double x)
{
    return 1 - pow(x, -PARETO_SHAPE);
}

/* Shape 1/2 is the square of a normal; shape + 1 takes x^shape e^-x / Gamma(shape + 1) off. */
static double gamma_half_cdf(double x)
{
    return erf(sqrt(0.5 * x));
}

static double gamma_five_halves_cdf(double x)
{
    double t = 2.5 * x;
    return erf(sqrt(t)) - exp(-t) * sqrt(t) * (1 / tgamma(1.5) + t / tgamma(2.5));
}

static double gamma_three_cdf(double x)
{
    double t = 3 * x;
    return 1 - exp(-t) * (1 + t + t * t / 2);
}

static void check_cdf(struct distribution distribution, double (*cdf)(double), const char *what)
{
    static uint32_t counts[CELLS];
    for (int i = 0; i < CELLS; i++) {
        counts[i] = 0;
    }
    struct random_stream stream = stream_of(what);
    for (int i = 0; i < DRAWS; i++) {
        double x = (double)distribution_draw(&distribution, &stream) / (double)MEAN;
        counts[cell_of(cdf(x), CELLS)]++;
    }
    double off = chi_square_deviations(counts, CELLS);
    cr_expect_lt(fabs(off), DEVIATIONS_MAX, "%s: %f", what, off);
}

Test(distribution, draws_follow_their_cdf)
{
    check_cdf(distribution_uniform(MEAN / 2, 2 * MEAN), uniform_cdf, "uniform");
    check_cdf(distribution_exponential(MEAN), exponential_cdf, "exponential");
    check_cdf(distribution_normal(MEAN, MEAN / 5), normal_cdf, "normal");
    check_cdf(distribution_lognormal(MEAN, CV), lognormal_cdf, "lognormal");
    check_cdf(distribution_pareto(MEAN, PARETO_SHAPE), pareto_cdf, "pareto");
    check_cdf(distribution_gamma(MEAN, 0.5), gamma_half_cdf, "gamma 1/2");
    check_cdf(distribution_gamma(MEAN, 1), exponential_cdf, "gamma 1");
    check_cdf(distribution_gamma(MEAN, 2.5), gamma_five_halves_cdf, "gamma 5/2");
    check_cdf(distribution_gamma(MEAN, 3), gamma_three_cdf, "gamma 3");
}

/* Mean and variance of the draws against theory; `kurtosis` is the fourth central moment over the
 * squared variance, which sets how well a variance is known. */
static void check_moments(struct distribution distribution, double cv, double kurtosis,
                          const char *what)
{
    struct random_stream stream = stream_of(what);
    double mean = distribution_mean(&distribution);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = (double)distribution_draw(&distribution, &stream) / mean - 1;
        sum += x;
        squares += x * x;
    }
    double off = sum / DRAWS / (cv / sqrt(DRAWS));
    cr_expect_lt(fabs(off), DEVIATIONS_MAX, "mean of %s: %f", what, off);
    off = (squares / DRAWS / (cv * cv) - 1) / sqrt((kurtosis - 1) / DRAWS);
    cr_expect_lt(fabs(off), DEVIATIONS_MAX, "variance of %s: %f", what, off);
}

Test(distribution, draws_have_their_moments)
{
    check_moments(distribution_uniform(0, 2 * MEAN), 1 / sqrt(3), 1.8, "uniform");
    check_moments(distribution_exponential(MEAN), 1, 9, "exponential");
    check_moments(distribution_normal(MEAN, MEAN / 5), 0.2, 3, "normal");
    double w = 1 + 0.3 * 0.3;
    double kurtosis = pow(w, 4) + 2 * pow(w, 3) + 3 * w * w - 3;
    check_moments(distribution_lognormal(MEAN, 0.3), 0.3, kurtosis, "lognormal");
    double a = 10;
    kurtosis = 3 + 6 * (a * a * a + a * a - 6 * a - 2) / (a * (a - 3) * (a - 4));
    check_moments(distribution_pareto(MEAN, a), 1 / sqrt(a * (a - 2)), kurtosis, "pareto");
    check_moments(distribution_gamma(MEAN, 0.05), sqrt(20), 3 + 6 / 0.05, "gamma 0.05");
    check_moments(distribution_gamma(MEAN, 40), sqrt(1.0 / 40), 3 + 6 / 40.0, "gamma 40");
}

/* ---- Means. ---- */

static void check_mean(struct distribution distribution, double mean)
{
    double got = distribution_mean(&distribution);
    cr_expect(fabs(got - mean) <= 1e-13 * mean, "%a is not %a", got, mean);
}

Test(distribution, means_are_those_of_the_constructor)
{
    check_mean((struct distribution){ 0 }, 0);
    check_mean(distribution_constant(17), 17);
    check_mean(distribution_uniform(3, 8), 5.5);
    check_mean(distribution_uniform(4, 4), 4);
    check_mean(distribution_exponential(MEAN), (double)MEAN);
    check_mean(distribution_normal(MEAN, 5), (double)MEAN);
    check_mean(distribution_lognormal(MEAN, 0.3), (double)MEAN);
    check_mean(distribution_lognormal(MEAN, 1e-9), (double)MEAN);
    check_mean(distribution_lognormal(MEAN, DISTRIBUTION_CV_MAX), (double)MEAN);
    check_mean(distribution_pareto(3000, 3), 4500);
    check_mean(distribution_gamma(MEAN, 0.3), (double)MEAN);
    check_mean(distribution_plus(distribution_exponential(MEAN), MEAN), 2 * (double)MEAN);
}

Test(distribution, a_pareto_of_shape_1_has_no_mean)
{
    struct distribution pareto = distribution_pareto(3000, 1);
    cr_expect_eq(distribution_mean(&pareto), INFINITY);
    struct distribution parts[] = { distribution_constant(10), pareto };
    double cumulative[] = { 0.5, 1 };
    struct distribution mixture = distribution_mixture(parts, cumulative, 2);
    cr_expect_eq(distribution_mean(&mixture), INFINITY);
    cumulative[0] = 1;
    cr_expect_eq(distribution_mean(&mixture), 10);
}

/* ---- Rounding, shift and ends. ---- */

Test(distribution, rounds_to_the_nearest_and_clamps)
{
    cr_expect_eq(distribution_round(0), 0);
    cr_expect_eq(distribution_round(0.49), 0);
    cr_expect_eq(distribution_round(0.5), 1);
    cr_expect_eq(distribution_round(2.5), 3);
    cr_expect_eq(distribution_round(1e12 + 0.25), (sim_time)1e12);
    cr_expect_eq(distribution_round(-1), 0);
    cr_expect_eq(distribution_round(-INFINITY), 0);
    cr_expect_eq(distribution_round(NAN), 0);
    cr_expect_eq(distribution_round(nextafter(0x1p61, 0)), (sim_time)nextafter(0x1p61, 0));
    cr_expect_eq(distribution_round(0x1p61), SIM_DURATION_MAX);
    cr_expect_eq(distribution_round(INFINITY), SIM_DURATION_MAX);
}

Test(distribution, a_shift_moves_every_draw_and_takes_no_word)
{
    struct distribution plain[] = { distribution_uniform(5, 500), distribution_exponential(MEAN),
                                    distribution_normal(MEAN, MEAN), distribution_constant(3) };
    for (size_t k = 0; k < ARRAY_LENGTH(plain); k++) {
        struct distribution shifted = distribution_plus(plain[k], 7 * SIM_US);
        struct random_stream a = stream_of("shift");
        struct random_stream b = a;
        for (int i = 0; i < 1000; i++) {
            sim_time draw = distribution_draw(&plain[k], &a);
            cr_assert_eq(distribution_draw(&shifted, &b), draw + 7 * SIM_US);
        }
        cr_expect_eq(a.state, b.state);
    }
}

Test(distribution, draws_stay_in_range)
{
    struct distribution wild[] = {
        distribution_normal(0, SIM_DURATION_MAX),
        distribution_exponential(SIM_DURATION_MAX),
        distribution_plus(distribution_exponential(MEAN), SIM_DURATION_MAX),
        distribution_lognormal(SIM_DURATION_MAX, DISTRIBUTION_CV_MAX),
        distribution_pareto(SIM_DURATION_MAX, DISTRIBUTION_SHAPE_MIN),
        distribution_gamma(SIM_DURATION_MAX, DISTRIBUTION_SHAPE_MIN),
        distribution_gamma(SIM_DURATION_MAX, DISTRIBUTION_SHAPE_MAX),
        distribution_uniform(0, SIM_DURATION_MAX),
    };
    struct random_stream stream = stream_of("wild");
    for (size_t k = 0; k < ARRAY_LENGTH(wild); k++) {
        for (int i = 0; i < 10000; i++) {
            sim_time draw = distribution_draw(&wild[k], &stream);
            cr_assert(draw >= 0 && draw <= SIM_DURATION_MAX, "kind %d", (int)wild[k].kind);
        }
    }
}

Test(distribution, a_scale_of_zero_is_zero)
{
    struct distribution zero[] = { { 0 },
                                   distribution_exponential(0),
                                   distribution_normal(0, 0),
                                   distribution_lognormal(0, DISTRIBUTION_CV_MAX),
                                   distribution_pareto(0, DISTRIBUTION_SHAPE_MIN),
                                   distribution_gamma(0, 0.5) };
    struct random_stream stream = stream_of("zero");
    for (size_t k = 0; k < ARRAY_LENGTH(zero); k++) {
        for (int i = 0; i < 1000; i++) {
            cr_assert_eq(distribution_draw(&zero[k], &stream), 0);
        }
    }
}

Test(distribution, uniform_includes_both_ends)
{
    uint32_t counts[3] = { 0 };
    struct distribution uniform = distribution_uniform(7, 9);
    struct random_stream stream = stream_of("ends");
    for (int i = 0; i < DRAWS; i++) {
        counts[distribution_draw(&uniform, &stream) - 7]++;
    }
    cr_expect_lt(fabs(chi_square_deviations(counts, 3)), DEVIATIONS_MAX);
}

Test(distribution, a_shape_out_of_range_is_a_programmers_mistake, .signal = SIGABRT)
{
    distribution_gamma(MEAN, 0);
}

/* ---- Parts and values. ---- */

Test(distribution, a_mixture_draws_its_parts_by_their_shares)
{
    struct distribution parts[] = { distribution_constant(0), distribution_constant(1),
                                    distribution_constant(2), distribution_uniform(3, 4) };
    double cumulative[] = { 0.2, 0.2, 0.6, 1 };
    struct distribution mixture = distribution_mixture(parts, cumulative, 4);
    uint32_t counts[5] = { 0 };
    struct random_stream stream = stream_of("mixture");
    for (int i = 0; i < DRAWS; i++) {
        counts[distribution_draw(&mixture, &stream)]++;
    }
    cr_expect_eq(counts[1], 0);
    uint32_t equal[] = { counts[0], counts[2] / 2, counts[2] - counts[2] / 2, counts[3],
                         counts[4] };
    cr_expect_lt(fabs(chi_square_deviations(equal, 5)), DEVIATIONS_MAX);
    cr_expect_float_eq(distribution_mean(&mixture), 0.4 * 2 + 0.4 * 3.5, 1e-12);
}

Test(distribution, an_empirical_one_draws_every_value_alike)
{
    static const sim_time values[] = { 0, 1, 1, 4, 2, 3 };
    struct distribution empirical = distribution_empirical(values, ARRAY_LENGTH(values));
    uint32_t counts[5] = { 0 };
    struct random_stream stream = stream_of("empirical");
    for (int i = 0; i < DRAWS; i++) {
        counts[distribution_draw(&empirical, &stream)]++;
    }
    uint32_t equal[] = { counts[0], counts[1] / 2, counts[1] - counts[1] / 2,
                         counts[2], counts[3],     counts[4] };
    cr_expect_lt(fabs(chi_square_deviations(equal, 6)), DEVIATIONS_MAX);
    cr_expect_float_eq(distribution_mean(&empirical), 11.0 / 6, 1e-12);
}

Test(distribution, a_sequence_takes_the_value_of_the_number)
{
    static const sim_time values[] = { 7, 0, 3 };
    struct distribution sequence =
        distribution_plus(distribution_sequence(values, ARRAY_LENGTH(values)), 10);
    struct random_stream stream = stream_of("sequence");
    struct random_stream untouched = stream;
    for (uint64_t number = 0; number < 9; number++) {
        cr_expect_eq(distribution_draw_number(&sequence, number, &stream), values[number % 3] + 10);
    }
    cr_expect_eq(stream.state, untouched.state);
    cr_expect_float_eq(distribution_mean(&sequence), 10 + 10.0 / 3, 1e-12);
    struct distribution exponential = distribution_exponential(MEAN);
    cr_expect_eq(distribution_draw_number(&exponential, 5, &stream),
                 distribution_draw(&exponential, &untouched));
}

/* ---- Keyed draws. ---- */

/* As the engine draws: one stream for each request. */
Test(distribution, keyed_draws_follow_the_cdf_and_are_uncorrelated)
{
    static double series[DRAWS];
    static uint32_t counts[CELLS];
    struct distribution exponential = distribution_exponential(MEAN);
    uint64_t key = random_key(1, 0, "keyed");
    for (uint64_t number = 0; number < DRAWS; number++) {
        struct random_stream stream = random_at(key, number, 2);
        double x = (double)distribution_draw(&exponential, &stream) / (double)MEAN;
        series[number] = x;
        counts[cell_of(exponential_cdf(x), CELLS)]++;
    }
    cr_expect_lt(fabs(chi_square_deviations(counts, CELLS)), DEVIATIONS_MAX);
    for (size_t lag = 1; lag <= 4; lag++) {
        double off = correlation_deviations(series, series + lag, DRAWS - lag);
        cr_expect_lt(fabs(off), DEVIATIONS_MAX, "lag %zu: %f", lag, off);
    }
}

/* Bits that must never change: every seeded result depends on them. */
Test(distribution, the_bits_are_pinned)
{
    struct distribution kinds[] = {
        distribution_uniform(5, 500),   distribution_exponential(MEAN),
        distribution_normal(MEAN, 7),   distribution_lognormal(MEAN, CV),
        distribution_pareto(MEAN, 2.5), distribution_gamma(MEAN, 0.5),
        distribution_gamma(MEAN, 2.5),
    };
    struct random_stream stream = { 1 };
    uint64_t hash = 0;
    for (int i = 0; i < 100000; i++) {
        for (size_t k = 0; k < ARRAY_LENGTH(kinds); k++) {
            hash = random_mix(hash ^ (uint64_t)distribution_draw(&kinds[k], &stream));
        }
    }
    cr_expect_eq(hash, UINT64_C(0xa5f320b77bd91b89));
}
