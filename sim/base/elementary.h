/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logarithm, exponential and power in plain double arithmetic: the same bits with every compiler,
 * libm and processor (libm's differ in the last bit between processors). Build with
 * -ffp-contract=off.
 */
#ifndef RINGTAIL_SIM_BASE_ELEMENTARY_H
#define RINGTAIL_SIM_BASE_ELEMENTARY_H

/* Natural logarithm of a finite x > 0, within 1 ulp. */
double elementary_log(double x);

/* e to the x, within 1 ulp for -700 <= x <= 700; 0 below and INFINITY above that. */
double elementary_exp(double x);

/* x to the y for x > 0, as exp(y log x). */
double elementary_power(double x, double y);

#endif
