/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard exponential and normal variates by a ziggurat of 256 layers of equal area (Marsaglia,
 * Tsang, "The ziggurat method for generating random variables", J. Stat. Software 5 (2000)). Layer,
 * sign and place come from separate bits of one word, as Doornik, "An improved ziggurat method to
 * generate normal random samples" (2005), showed to be necessary. 98.9 % of the draws take one
 * word, one multiplication and one comparison; the rest go to the slow functions.
 *
 *   1 |#                    layer i > 0: 0 <= x < edge[i], height[i] <= y < height[i + 1];
 *     |###                  what lies left of edge[i + 1] is below the curve
 *     |######               layer 0: the strip below height[1] and the tail behind edge[1],
 *   0 |############....     edge[0] being their area / height[1]
 */
#ifndef RINGTAIL_SIM_BASE_ZIGGURAT_H
#define RINGTAIL_SIM_BASE_ZIGGURAT_H

#include <stdint.h>
#include <string.h>

#include "sim/base/random.h"

enum { ZIGGURAT_LAYERS = 256 };

/* Invariant: height[i] = f(edge[i]) for i >= 1, edge falling to 0 and height rising to 1 at the
 * last. */
struct ziggurat {
    double edge[ZIGGURAT_LAYERS + 1];
    double height[ZIGGURAT_LAYERS + 1];
};

extern const struct ziggurat ziggurat_exponential_table; /* f(x) = exp(-x) */
extern const struct ziggurat ziggurat_normal_table;      /* f(x) = exp(-x^2 / 2) */

/* What the two functions below do with an x that is not surely below the curve. Not for others. */
double ziggurat_exponential_slow(struct random_stream *stream, unsigned layer, double x);
double ziggurat_normal_slow(struct random_stream *stream, uint64_t word, double x);

/* The low 8 bits of a word. */
static inline unsigned ziggurat_layer(uint64_t word)
{
    return word % ZIGGURAT_LAYERS;
}

/* The high 52 bits of a word as a number in [0, 1): put behind the exponent of 1, without a
 * conversion. */
static inline double ziggurat_unit(uint64_t word)
{
    uint64_t bits = UINT64_C(0x3ff0000000000000) | word >> 12;
    double unit;
    memcpy(&unit, &bits, sizeof(unit));
    return unit - 1;
}

/* Bit 8 of a word as the sign of x. */
static inline double ziggurat_signed(uint64_t word, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits |= (word >> 8) << 63;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

/* Exponential with mean 1, >= 0. */
static inline double ziggurat_exponential(struct random_stream *stream)
{
    uint64_t word = random_next(stream);
    unsigned layer = ziggurat_layer(word);
    double x = ziggurat_unit(word) * ziggurat_exponential_table.edge[layer];
    if (__builtin_expect(x < ziggurat_exponential_table.edge[layer + 1], 1)) {
        return x;
    }
    return ziggurat_exponential_slow(stream, layer, x);
}

/* Normal with mean 0 and deviation 1. */
static inline double ziggurat_normal(struct random_stream *stream)
{
    uint64_t word = random_next(stream);
    unsigned layer = ziggurat_layer(word);
    double x = ziggurat_unit(word) * ziggurat_normal_table.edge[layer];
    if (__builtin_expect(x < ziggurat_normal_table.edge[layer + 1], 1)) {
        return ziggurat_signed(word, x);
    }
    return ziggurat_normal_slow(stream, word, x);
}

#endif
