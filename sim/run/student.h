/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Student's t distribution, by arithmetic and square roots alone: the same bits everywhere.
 */
#ifndef RINGTAIL_SIM_RUN_STUDENT_H
#define RINGTAIL_SIM_RUN_STUDENT_H

/* P(|T| <= t) for `freedom` >= 1 degrees of freedom and t >= 0. The finite series of Abramowitz and
 * Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4: freedom / 2 terms. */
double student_within(double t, int freedom);

/* The t with P(|T| <= t) = 95 %, the 97.5 % quantile, to 1e-9. */
double student_t95(int freedom);

#endif
