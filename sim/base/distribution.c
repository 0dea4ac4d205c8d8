/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructors turn what a user gives (a mean, a coefficient of variation) into what a draw needs,
 * so that a draw computes no logarithm or root that is the same each time. Fields by kind:
 *
 *   uniform      shift = low, span           lognormal    a = median, b = deviation of the log
 *   exponential  a = mean                    pareto       a = scale, b = shape, c = -1 / shape
 *   normal       a = mean, b = deviation     gamma        a = scale, b = shape, c = 1 / sqrt(9 d)
 */
#include "sim/base/distribution.h"

#include <assert.h>
#include <math.h>

#include "sim/base/elementary.h"

static bool is_duration(sim_time value)
{
    return value >= 0 && value <= SIM_DURATION_MAX;
}

struct distribution distribution_constant(sim_time value)
{
    assert(is_duration(value));
    return (struct distribution){ .kind = DISTRIBUTION_CONSTANT, .shift = value };
}

struct distribution distribution_uniform(sim_time low, sim_time high)
{
    assert(is_duration(low) && is_duration(high) && low <= high);
    return (struct distribution){
        .kind = DISTRIBUTION_UNIFORM,
        .shift = low,
        .span = (uint64_t)(high - low) + 1,
    };
}

struct distribution distribution_exponential(sim_time mean)
{
    assert(is_duration(mean));
    return (struct distribution){ .kind = DISTRIBUTION_EXPONENTIAL, .a = (double)mean };
}

struct distribution distribution_normal(sim_time mean, sim_time deviation)
{
    assert(is_duration(mean) && is_duration(deviation));
    return (struct distribution){
        .kind = DISTRIBUTION_NORMAL,
        .a = (double)mean,
        .b = (double)deviation,
    };
}

/* log(1 + x) for x > 0, which 1 + x alone would spoil when x is small: its rounding is divided out
 * (Goldberg, "What every computer scientist should know about floating-point arithmetic", 1991,
 * theorem 4). */
static double log_of_one_plus(double x)
{
    double u = 1 + x;
    return u == 1 ? x : elementary_log(u) * (x / (u - 1));
}

/* With s^2 = log(1 + cv^2): mean = median exp(s^2 / 2) = median sqrt(1 + cv^2). */
struct distribution distribution_lognormal(sim_time mean, double cv)
{
    assert(is_duration(mean) && cv > 0 && cv <= DISTRIBUTION_CV_MAX);
    return (struct distribution){
        .kind = DISTRIBUTION_LOGNORMAL,
        .a = (double)mean / sqrt(1 + cv * cv),
        .b = sqrt(log_of_one_plus(cv * cv)),
    };
}

static bool is_shape(double shape)
{
    return shape >= DISTRIBUTION_SHAPE_MIN && shape <= DISTRIBUTION_SHAPE_MAX;
}

struct distribution distribution_pareto(sim_time scale, double shape)
{
    assert(is_duration(scale) && is_shape(shape));
    return (struct distribution){
        .kind = DISTRIBUTION_PARETO,
        .a = (double)scale,
        .b = shape,
        .c = -1 / shape,
    };
}

/* The d of Marsaglia and Tsang, for the shape or, below 1, for the shape one higher. */
static double gamma_d(double shape)
{
    return (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
}

struct distribution distribution_gamma(sim_time mean, double shape)
{
    assert(is_duration(mean) && is_shape(shape));
    return (struct distribution){
        .kind = DISTRIBUTION_GAMMA,
        .a = (double)mean / shape,
        .b = shape,
        .c = 1 / sqrt(9 * gamma_d(shape)),
    };
}

struct distribution distribution_mixture(const struct distribution *parts, const double *cumulative,
                                         size_t count)
{
    assert(count >= 1 && cumulative[count - 1] == 1);
    return (struct distribution){
        .kind = DISTRIBUTION_MIXTURE,
        .parts = parts,
        .cumulative = cumulative,
        .count = count,
    };
}

struct distribution distribution_empirical(const sim_time *values, size_t count)
{
    assert(count >= 1);
    return (struct distribution){
        .kind = DISTRIBUTION_EMPIRICAL,
        .values = values,
        .count = count,
    };
}

struct distribution distribution_sequence(const sim_time *values, size_t count)
{
    struct distribution distribution = distribution_empirical(values, count);
    distribution.kind = DISTRIBUTION_SEQUENCE;
    return distribution;
}

struct distribution distribution_plus(struct distribution distribution, sim_time plus)
{
    assert(is_duration(plus));
    distribution.shift = distribution_clamp(distribution.shift + plus);
    return distribution;
}

static double mixture_mean(const struct distribution *distribution)
{
    double mean = 0;
    double below = 0;
    for (size_t i = 0; i < distribution->count; i++) {
        double share = distribution->cumulative[i] - below;
        below = distribution->cumulative[i];
        if (share > 0) { /* no share of an infinite mean is 0, not NaN */
            mean += share * distribution_mean(&distribution->parts[i]);
        }
    }
    return mean;
}

static double mean_of_values(const struct distribution *distribution)
{
    sim_sum sum = 0;
    for (size_t i = 0; i < distribution->count; i++) {
        sum += distribution->values[i];
    }
    return (double)sum / (double)distribution->count;
}

static double mean_without_shift(const struct distribution *distribution)
{
    double shape = distribution->b;
    switch (distribution->kind) {
    case DISTRIBUTION_CONSTANT:
        return 0;
    case DISTRIBUTION_UNIFORM:
        return (double)(distribution->span - 1) / 2;
    case DISTRIBUTION_EXPONENTIAL:
    case DISTRIBUTION_NORMAL:
        return distribution->a;
    case DISTRIBUTION_LOGNORMAL:
        return distribution->a * elementary_exp(distribution->b * distribution->b / 2);
    case DISTRIBUTION_PARETO:
        return shape > 1 ? distribution->a * shape / (shape - 1) : INFINITY;
    case DISTRIBUTION_GAMMA:
        return distribution->a * shape;
    case DISTRIBUTION_MIXTURE:
        return mixture_mean(distribution);
    case DISTRIBUTION_EMPIRICAL:
    case DISTRIBUTION_SEQUENCE:
        return mean_of_values(distribution);
    }
    assert(false); /* no such kind */
    return 0;
}

double distribution_mean(const struct distribution *distribution)
{
    return mean_without_shift(distribution) + (double)distribution->shift;
}

/* A gamma variate of scale 1: Marsaglia, Tsang, "A simple method for generating gamma variables",
 * ACM TOMS 26 (2000); section 6 there for a shape below 1. */
static double draw_gamma(const struct distribution *distribution, struct random_stream *stream)
{
    double shape = distribution->b;
    double d = gamma_d(shape);
    for (;;) {
        double x = ziggurat_normal(stream);
        double t = 1 + distribution->c * x;
        if (t <= 0) {
            continue;
        }
        double v = t * t * t;
        double u = random_unit(stream);
        double square = x * x;
        if (u < 1 - 0.0331 * square * square ||
            elementary_log(u) < 0.5 * square + d * (1 - v + elementary_log(v))) {
            return shape < 1 ? d * v * elementary_power(random_unit(stream), 1 / shape) : d * v;
        }
    }
}

static sim_time draw_mixture(const struct distribution *distribution, struct random_stream *stream)
{
    double unit = random_unit(stream);
    size_t i = 0;
    while (unit >= distribution->cumulative[i]) { /* ends: the last is 1 */
        i++;
    }
    return distribution_draw(&distribution->parts[i], stream);
}

static sim_time draw_without_shift(const struct distribution *distribution,
                                   struct random_stream *stream)
{
    double a = distribution->a;
    double b = distribution->b;
    switch (distribution->kind) {
    case DISTRIBUTION_CONSTANT:
        return 0;
    case DISTRIBUTION_UNIFORM:
        return (sim_time)random_below(stream, distribution->span);
    case DISTRIBUTION_EXPONENTIAL:
        return distribution_round(a * ziggurat_exponential(stream));
    case DISTRIBUTION_NORMAL:
        return distribution_round(a + b * ziggurat_normal(stream));
    case DISTRIBUTION_LOGNORMAL:
        return distribution_round(a * elementary_exp(b * ziggurat_normal(stream)));
    case DISTRIBUTION_PARETO:
        return distribution_round(a * elementary_power(random_unit(stream), distribution->c));
    case DISTRIBUTION_GAMMA:
        return distribution_round(a * draw_gamma(distribution, stream));
    case DISTRIBUTION_MIXTURE:
        return draw_mixture(distribution, stream);
    case DISTRIBUTION_EMPIRICAL:
        return distribution_clamp(distribution->values[random_below(stream, distribution->count)]);
    case DISTRIBUTION_SEQUENCE:
        break;
    }
    assert(false); /* no such kind, or a sequence, which has to be told the number */
    return 0;
}

sim_time distribution_draw_slow(const struct distribution *distribution,
                                struct random_stream *stream)
{
    return distribution_clamp(draw_without_shift(distribution, stream) + distribution->shift);
}
