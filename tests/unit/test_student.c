/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "sim/base/time.h"
#include "sim/run/student.h"

/* Tables of the 97.5 % quantile: Abramowitz and Stegun, table 26.10, and R's qt(0.975, n). */
static const struct {
    int freedom;
    double t;
} table[] = {
    { 1, 12.7062047362 },  { 2, 4.3026527297 },    { 3, 3.1824463053 },      { 4, 2.7764451052 },
    { 5, 2.5705818356 },   { 6, 2.4469118511 },    { 7, 2.3646242516 },      { 9, 2.2621571628 },
    { 15, 2.1314495456 },  { 30, 2.0422724563 },   { 60, 2.0002978220 },     { 100, 1.9839715185 },
    { 120, 1.9799304051 }, { 1000, 1.9623390808 }, { 100000, 1.9599877077 },
};

Test(student, agrees_with_tables)
{
    for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
        cr_expect(fabs(student_t95(table[i].freedom) - table[i].t) < 1e-8, "freedom %d: %.10f",
                  table[i].freedom, student_t95(table[i].freedom));
    }
}

Test(student, falls_to_the_normal_quantile_without_a_jump)
{
    for (int freedom = 1; freedom < 400; freedom++) {
        double here = student_t95(freedom);
        double next = student_t95(freedom + 1);
        cr_assert(next < here && next > 1.959963984540054, "freedom %d", freedom);
        cr_assert(freedom < 6 || here - next < 3.0 / freedom / freedom, "freedom %d", freedom);
    }
}

/* One degree is Cauchy's distribution, two have a closed form. */
Test(student, matches_closed_forms)
{
    for (double t = 0; t < 20; t += 0.37) {
        cr_expect(fabs(student_within(t, 1) - 2 * atan(t) / acos(-1)) < 1e-14, "t %g", t);
        cr_expect(fabs(student_within(t, 2) - t / sqrt(2 + t * t)) < 1e-14, "t %g", t);
    }
}
