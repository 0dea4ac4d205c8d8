/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random streams. A stream is a counter that steps by an odd constant and is mixed on the way out
 * (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
 * the mixer is Stafford's variant 13). So a stream can start anywhere: a draw of a request is keyed
 * by its load, its number and the index of the draw, and does not depend on what other requests
 * drew before it. That is what gives two variants common random numbers.
 */
#ifndef RINGTAIL_SIM_BASE_RANDOM_H
#define RINGTAIL_SIM_BASE_RANDOM_H

#include <stdint.h>

struct random_stream {
    uint64_t state;
};

/* Odd constants with no small linear relation between them: the golden ratio, and two of the
 * multipliers of L'Ecuyer, "Tables of linear congruential generators of different sizes and good
 * lattice structure", Math. Comp. 68 (1999). */
#define RANDOM_STEP_WORD UINT64_C(0x9e3779b97f4a7c15)
#define RANDOM_STEP_NUMBER UINT64_C(2862933555777941757)
#define RANDOM_STEP_DRAW UINT64_C(3202034522624059733)

static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The next 64 bits. */
static inline uint64_t random_next(struct random_stream *stream)
{
    stream->state += RANDOM_STEP_WORD;
    return random_mix(stream->state);
}

/* The stream of one draw: number counts requests, draw counts the draws of that request. */
static inline struct random_stream random_at(uint64_t key, uint64_t number, uint64_t draw)
{
    return (struct random_stream){ key + number * RANDOM_STEP_NUMBER + draw * RANDOM_STEP_DRAW };
}

/* Uniform in (0, 1): the middles of 2^52 equal cells, so neither end is reached and log() is safe.
 */
static inline double random_unit(struct random_stream *stream)
{
    return ((double)(random_next(stream) >> 12) + 0.5) * 0x1p-52;
}

/* Uniform in 0 .. bound - 1, without bias (Lemire 2019, "Fast random integer generation in an
 * interval"). bound > 0. */
uint64_t random_below(struct random_stream *stream, uint64_t bound);

/* The key of the stream called `name` in repeat `repeat` of an experiment with this seed. */
uint64_t random_key(uint64_t seed, uint64_t repeat, const char *name);

#endif
