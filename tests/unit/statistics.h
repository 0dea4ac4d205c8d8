/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of random numbers share. Seeds are fixed, so a test passes always or never: a
 * bound of 4.5 deviations is one that a sound generator stays within and that a bias of 1 %
 * exceeds.
 */
#ifndef RINGTAIL_TESTS_UNIT_STATISTICS_H
#define RINGTAIL_TESTS_UNIT_STATISTICS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define DEVIATIONS_MAX 4.5

/* Pearson's chi-square of cells that should be equal, in deviations from its mean. */
static inline double chi_square_deviations(const uint32_t *counts, size_t cells)
{
    double total = 0;
    for (size_t i = 0; i < cells; i++) {
        total += counts[i];
    }
    double expected = total / (double)cells;
    double sum = 0;
    for (size_t i = 0; i < cells; i++) {
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    double freedom = (double)cells - 1;
    return (sum - freedom) / sqrt(2 * freedom);
}

/* The cell of a number in [0, 1]. */
static inline size_t cell_of(double unit, size_t cells)
{
    size_t cell = (size_t)(unit * (double)cells);
    return cell < cells ? cell : cells - 1;
}

/* Pearson's correlation of two series times sqrt(n): its deviations if they are independent. */
static inline double correlation_deviations(const double *x, const double *y, size_t n)
{
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        syy += y[i] * y[i];
        sxy += x[i] * y[i];
    }
    double count = (double)n;
    double covariance = sxy - sx * sy / count;
    return covariance / sqrt((sxx - sx * sx / count) * (syy - sy * sy / count)) * sqrt(count);
}

#endif
