/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of requests that a stage has sent below and gives back in the order in which it sent them.
 *
 *   push -> held, in flight -> done -> its turn? -> release -> above
 *                                      no: held until all older ones are done
 *
 * Which of them are done is the ring's to know: what lies below may write to the request.
 */
#ifndef RINGTAIL_SIM_ENGINE_RELEASE_RING_H
#define RINGTAIL_SIM_ENGINE_RELEASE_RING_H

#include "sim/engine/report.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"

struct release_place;

struct release_ring {
    struct stage *stage;
    int64_t places;
    struct release_place *place; /* those from oldest to newest, modulo places, are held */
    int64_t oldest;
    int64_t newest;    /* <= oldest + places */
    int64_t in_flight; /* of these, not done */
    /* Counters. */
    int64_t pushed;
    int64_t released;
    int64_t overtook; /* done before an older one */
    int64_t held_most;
    sim_time held_longest; /* of those released */
    sim_sum held_time;
};

/* In the stage's init. */
void release_ring_init(struct release_ring *ring, struct stage *stage, int64_t places);

/* How many requests are held, done or not. */
static inline int64_t release_ring_held(const struct release_ring *ring)
{
    return ring->newest - ring->oldest;
}

/* The request is about to be submitted below. There is a place for it (asserted). */
void release_ring_push(struct release_ring *ring, struct request *req);

/* It is back, with this status, and the stage holds it. */
void release_ring_done(struct release_ring *ring, struct request *req, enum request_status status);

/* Completes those that are done to the stage above, up to the oldest that is not. */
void release_ring_release(struct release_ring *ring);

/* Counts released and overtook; held, now and at most; held_longest, where those that are
 * held count, and held_mean of those released. */
void release_ring_report(const struct release_ring *ring, struct report *report);

#endif
