/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are the flags of this build those that results depend on? Asserts on, no fast-math, doubles
 * computed as doubles, no product and sum rounded once. Built with the flags of everything else.
 */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static int wrong;

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "build_flags: %s\n", what);
        wrong++;
    }
}

int main(void)
{
    bool asserted = false;
    assert((asserted = true));
    check(asserted, "asserts are off: NDEBUG must not be defined");

#ifdef __FAST_MATH__
    check(false, "-ffast-math: doubles must follow IEEE 754");
#endif
    check(sizeof(double_t) == sizeof(double), "doubles are computed in another precision (x87?)");

    /* Fused, the product keeps the 2^-60 that rounding to a double drops. */
    volatile double x = 1 + 0x1p-30;
    volatile double y = 1 - 0x1p-30;
    double fused = x * y - 1;
    check(fused == 0, "product and sum are fused: -ffp-contract=off is missing");

    /* Associative math turns this into 1. */
    volatile double big = 0x1p60;
    volatile double one = 1;
    check((one + big) - big == 0, "sums are reordered");
    return wrong != 0;
}
