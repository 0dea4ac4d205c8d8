/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of the event list: time above sequence above slot in 128 bits, so that one comparison
 * without a branch orders events exactly. Four siblings are a cache line.
 */
#ifndef RINGTAIL_SIM_ENGINE_EVENT_KEY_H
#define RINGTAIL_SIM_ENGINE_EVENT_KEY_H

#include <stdint.h>

typedef unsigned __int128 event_key;

/* Later than every event. */
#define EVENT_KEY_NONE (~(event_key)0)

static inline event_key event_key_min(event_key a, event_key b)
{
    return b < a ? b : a;
}

/* A sibling's place: groups are aligned to their size, so an exclusive or moves within one. */
static inline const event_key *event_key_sibling(const event_key *key, unsigned distance)
{
    return (const event_key *)((uintptr_t)key ^ distance * sizeof(*key));
}

/* The least of the other three. It is known before the key that it will be compared with: the
 * compiler must not regroup the comparisons. */
static inline event_key event_key_least_sibling(const event_key *own)
{
    event_key least = event_key_min(*event_key_sibling(own, 1), *event_key_sibling(own, 2));
    least = event_key_min(least, *event_key_sibling(own, 3));
    uint64_t low = (uint64_t)least;
    uint64_t high = (uint64_t)(least >> 64);
    __asm__("" : "+r"(low), "+r"(high));
    return (event_key)high << 64 | low;
}

#endif
