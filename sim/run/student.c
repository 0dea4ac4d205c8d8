/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/student.h"

#include <assert.h>
#include <math.h>

enum { SERIES_FREEDOM_MAX = 300 };

static const double pi = 0x1.921fb54442d18p+1;

/* Halving the angle three times, atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))), leaves x < 0.2, where
 * twelve terms of the power series reach 1e-18. */
static double arc_tangent(double x)
{
    double scale = 1;
    for (int i = 0; i < 3; i++) {
        x /= 1 + sqrt(1 + x * x);
        scale *= 2;
    }
    double sum = 0;
    for (int n = 23; n >= 1; n -= 2) {
        sum = 1.0 / n - x * x * sum;
    }
    return scale * x * sum;
}

double student_within(double t, int freedom)
{
    assert(t >= 0 && freedom >= 1);
    double sine = t / sqrt(freedom + t * t);
    double cosine_squared = freedom / (freedom + t * t);
    /* Terms grow from 1 (even freedom) or from cosine (odd) by cosine^2 (k - 1) / k. */
    int first = freedom % 2 == 0 ? 2 : 3;
    double term = 1;
    double sum = freedom > 1 ? 1 : 0;
    for (int k = first; k <= freedom - 2; k += 2) {
        term *= cosine_squared * (k - 1) / k;
        sum += term;
    }
    if (freedom % 2 == 0) {
        return sine * sum;
    }
    return 2 / pi * (arc_tangent(t / sqrt(freedom)) + sine * sqrt(cosine_squared) * sum);
}

/* Cornish and Fisher's expansion about the normal quantile z, Abramowitz and Stegun 26.7.5. The
 * next term is below 1e-11 where it is used. */
static double expansion(double freedom)
{
    const double z = 1.959963984540054;
    double z2 = z * z;
    double g1 = (z2 + 1) * z / 4;
    double g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
    double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
    double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;
    return z + (g1 + (g2 + (g3 + g4 / freedom) / freedom) / freedom) / freedom;
}

double student_t95(int freedom)
{
    assert(freedom >= 1);
    if (freedom > SERIES_FREEDOM_MAX) {
        return expansion(freedom);
    }
    double low = 1.9;
    double high = 13;
    while (high - low > 1e-10) {
        double middle = (low + high) / 2;
        if (student_within(middle, freedom) < 0.95) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}
