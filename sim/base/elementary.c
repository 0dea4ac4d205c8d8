/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The argument reductions of fdlibm (Sun Microsystems, 1993: e_log.c, e_exp.c), which keep the
 * rounding of the large part exact, with the power series themselves in place of fitted
 * polynomials: a term or two longer, and every coefficient can be checked by eye.
 *
 *   log: x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2);  s = f / (2 + f), |s| < 0.1716
 *        log(1 + f) = 2 atanh(s) = 2s + s R(s^2),  R(z) = 2/3 z + 2/5 z^2 + ...
 *   exp: x = k ln 2 + r, |r| <= ln(2) / 2;  r coth(r / 2) = 2 + S(r^2)
 *        e^r = 1 + r + r c / (2 - c),  c = r - S(r^2),  S(z) = 1/6 z - 1/360 z^2 + ...
 */
#include "sim/base/elementary.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sim/base/time.h"

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1023 };

/* ln 2 in two parts; the high one ends in 21 zero bits, so that its product with an exponent is
 * exact. */
static const double ln2_high = 0x1.62e42feep-1;
static const double ln2_low = 0x1.a39ef35793c76p-33;

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

/* 2 to the k, for the exponents of normal numbers. */
static double power_of_two(int k)
{
    return double_of((uint64_t)(EXPONENT_BIAS + k) << MANTISSA_BITS);
}

/* terms[0] z + terms[1] z^2 + ... */
static double power_series(const double *terms, int count, double z)
{
    double sum = 0;
    for (int i = count - 1; i >= 0; i--) {
        sum = (sum + terms[i]) * z;
    }
    return sum;
}

/* 2 / (2n + 1), n = 1 .. 10; the next term is below 2^-60 of the logarithm. */
static const double atanh_terms[] = { 2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                      2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21 };

/* 2 B(2n) / (2n)! of the Bernoulli numbers, n = 1 .. 6; the next term is below 2^-59. */
static const double coth_terms[] = { 1.0 / 6,       -1.0 / 360,     1.0 / 15120,
                                     -1.0 / 604800, 1.0 / 23950080, -691.0 / 653837184000 };

double elementary_log(double x)
{
    assert(x > 0 && x < INFINITY);
    int k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    /* Counting from sqrt(1/2) puts what remains into [sqrt(1/2), sqrt(2)). */
    const uint64_t start = bits_of(0x1.6a09e667f3bcdp-1);
    int64_t exponent = (int64_t)(bits_of(x) - start) >> MANTISSA_BITS;
    k += (int)exponent;
    double f = double_of(bits_of(x) - ((uint64_t)exponent << MANTISSA_BITS)) - 1;

    /* 2s = f - s f and f = s (2 + f), so f leads and all that is rounded is small beside it. */
    double s = f / (2 + f);
    double half_square = 0.5 * f * f;
    double rest = s * (half_square + power_series(atanh_terms, ARRAY_LENGTH(atanh_terms), s * s));
    return k * ln2_high - ((half_square - (rest + k * ln2_low)) - f);
}

double elementary_exp(double x)
{
    assert(!isnan(x));
    if (x < -700) {
        return 0;
    }
    if (x > 700) {
        return INFINITY;
    }
    int k = (int)(x * 0x1.71547652b82fep+0 + (x < 0 ? -0.5 : 0.5)); /* 1 / ln 2 */
    double high = x - k * ln2_high;
    double low = k * ln2_low;
    double r = high - low;
    double c = r - power_series(coth_terms, ARRAY_LENGTH(coth_terms), r * r);
    return (1 - ((low - r * c / (2 - c)) - high)) * power_of_two(k);
}

double elementary_power(double x, double y)
{
    return elementary_exp(y * elementary_log(x));
}
