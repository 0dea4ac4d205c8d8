/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/base/random.h"

#include <assert.h>
#include <string.h>
#include <xxhash.h>

uint64_t random_below(struct random_stream *stream, uint64_t bound)
{
    assert(bound > 0);
    unsigned __int128 product = (unsigned __int128)random_next(stream) * bound;
    if ((uint64_t)product < bound) {
        /* 2^64 mod bound of the low halves have one word too many: draw those again. */
        uint64_t surplus = -bound % bound;
        while ((uint64_t)product < surplus) {
            product = (unsigned __int128)random_next(stream) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

static void put_little_endian(unsigned char *bytes, uint64_t word)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(word >> (8 * i));
    }
}

uint64_t random_key(uint64_t seed, uint64_t repeat, const char *name)
{
    unsigned char bytes[24];
    put_little_endian(bytes, seed);
    put_little_endian(bytes + 8, repeat);
    put_little_endian(bytes + 16, XXH3_64bits(name, strlen(name)));
    return XXH3_64bits(bytes, sizeof(bytes));
}
