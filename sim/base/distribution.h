/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributions of durations. A draw is a sim_time, never negative and never above
 * SIM_DURATION_MAX: what falls outside is moved to the nearer end. Draws are the same bits with
 * every compiler and processor: they use + - * / and sqrt, which IEEE 754 fixes, and the logarithm
 * and exponential of elementary.h.
 */
#ifndef RINGTAIL_SIM_BASE_DISTRIBUTION_H
#define RINGTAIL_SIM_BASE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/random.h"
#include "sim/base/time.h"
#include "sim/base/ziggurat.h"

/* Ranges of the parameters without a unit: wider than anything measured, and far from where the
 * formulas lose their footing. */
#define DISTRIBUTION_CV_MAX 1e6
#define DISTRIBUTION_SHAPE_MIN 1e-3
#define DISTRIBUTION_SHAPE_MAX 1e6

enum distribution_kind {
    DISTRIBUTION_CONSTANT, /* 0 plus the shift */
    DISTRIBUTION_UNIFORM,
    DISTRIBUTION_EXPONENTIAL,
    DISTRIBUTION_NORMAL,
    DISTRIBUTION_LOGNORMAL,
    DISTRIBUTION_PARETO,
    DISTRIBUTION_GAMMA,
    DISTRIBUTION_MIXTURE,
    DISTRIBUTION_EMPIRICAL,
    DISTRIBUTION_SEQUENCE,
};

/* Made by the constructors below; a zeroed one is the constant 0. The arrays belong to whoever made
 * them and outlive it. */
struct distribution {
    enum distribution_kind kind;
    sim_time shift; /* added to every draw: `plus:`, and a uniform's low end */
    double a;       /* a, b and c: see the head of distribution.c; times in picoseconds */
    double b;
    double c;
    uint64_t span;                    /* uniform: high - low + 1 */
    const struct distribution *parts; /* mixture */
    const double *cumulative;         /* mixture: share of parts 0..i; the last is 1 */
    const sim_time *values;           /* empirical: drawn with equal weight; sequence: in order */
    size_t count;                     /* parts or values */
};

/* Every time is a duration: 0 .. SIM_DURATION_MAX. */
struct distribution distribution_constant(sim_time value);
struct distribution distribution_uniform(sim_time low, sim_time high); /* both included */
struct distribution distribution_exponential(sim_time mean);
struct distribution distribution_normal(sim_time mean, sim_time deviation); /* cut at 0 */
/* cv is the coefficient of variation (deviation / mean) of the lognormal value itself, > 0 and at
 * most DISTRIBUTION_CV_MAX. */
struct distribution distribution_lognormal(sim_time mean, double cv);
/* Classical Pareto: P(X > x) = (scale / x)^shape for x >= scale. DISTRIBUTION_SHAPE_MIN <= shape <=
 * DISTRIBUTION_SHAPE_MAX; the mean is infinite for shape <= 1. */
struct distribution distribution_pareto(sim_time scale, double shape);
/* Mean = mean, deviation = mean / sqrt(shape). The range of shape is as above. */
struct distribution distribution_gamma(sim_time mean, double shape);
/* `cumulative` as in the struct; count >= 1. */
struct distribution distribution_mixture(const struct distribution *parts, const double *cumulative,
                                         size_t count);
struct distribution distribution_empirical(const sim_time *values, size_t count); /* count >= 1 */
/* Draw number n, counted from 0, takes values[n]; behind the last one it begins anew. It knows no n
 * of its own: see distribution_draw_number. No part of a mixture is one. */
struct distribution distribution_sequence(const sim_time *values, size_t count); /* count >= 1 */

/* The same distribution, `plus` later. The cut at 0 is made before the shift. */
struct distribution distribution_plus(struct distribution distribution, sim_time plus);

/* Mean in picoseconds of the distribution before the cut at 0 and SIM_DURATION_MAX; INFINITY for a
 * Pareto of shape <= 1. */
double distribution_mean(const struct distribution *distribution);

static inline sim_time distribution_clamp(sim_time value)
{
    value = value < 0 ? 0 : value;
    return value > SIM_DURATION_MAX ? SIM_DURATION_MAX : value;
}

/* The nearest picosecond to x, clamped; halves go up, and so may odd values above 2^52 ps (75 min),
 * where a double has no halves. 0 for a NaN (a scale of 0 times an infinite variate). */
static inline sim_time distribution_round(double x)
{
    if (x >= 0x1p61) { /* SIM_DURATION_MAX + 1 */
        return SIM_DURATION_MAX;
    }
    return (sim_time)((x > 0 ? x : 0) + 0.5);
}

/* The kinds that distribution_draw has no short way for. */
sim_time distribution_draw_slow(const struct distribution *distribution,
                                struct random_stream *stream);

/* One draw, by as many words of the stream as it takes. Not of a sequence. */
static inline sim_time distribution_draw(const struct distribution *distribution,
                                         struct random_stream *stream)
{
    if (distribution->kind == DISTRIBUTION_CONSTANT) {
        return distribution->shift;
    }
    if (distribution->kind == DISTRIBUTION_EXPONENTIAL) {
        double value = distribution->a * ziggurat_exponential(stream);
        return distribution_clamp(distribution_round(value) + distribution->shift);
    }
    return distribution_draw_slow(distribution, stream);
}

/* The draw of that number, which only a sequence looks at. */
static inline sim_time distribution_draw_number(const struct distribution *distribution,
                                                uint64_t number, struct random_stream *stream)
{
    if (distribution->kind == DISTRIBUTION_SEQUENCE) {
        sim_time value = distribution->values[number % distribution->count];
        return distribution_clamp(distribution_clamp(value) + distribution->shift);
    }
    return distribution_draw(distribution, stream);
}

#endif
