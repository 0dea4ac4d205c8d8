/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether two sets of repeats differ, and what many such questions asked at once are worth: of 100
 * that each are wrong one time in twenty, five are wrong.
 */
#ifndef RINGTAIL_SIM_RUN_SIGNIFICANCE_H
#define RINGTAIL_SIM_RUN_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* The difference of two means. */
struct significance {
    double mean; /* of the second less that of the first */
    double half; /* the interval of 95 % is mean +- half */
    double p;    /* of a difference as large in either direction, were there none */
};

/* By Student's t, repeat by repeat: for repeats that share their random numbers. count >= 2. */
struct significance significance_paired(const double *before, const double *after, size_t count);

/* By Welch's t, for repeats that have nothing in common: each side has its own variance. The
 * degrees of freedom are rounded down, which is on the safe side. counts >= 2. Welch, "The
 * generalization of 'Student's' problem when several different population variances are involved",
 * Biometrika 34 (1947). */
struct significance significance_unpaired(const double *before, size_t before_count,
                                          const double *after, size_t after_count);

/* The p at and below which a question is answered with yes, so that with the probability `level` at
 * most any is wrongly; below 0: none is. Sorts the values. Holm, "A simple sequentially rejective
 * multiple test procedure", Scandinavian Journal of Statistics 6 (1979). */
double significance_holm(double *p, size_t count, double level);

#endif
