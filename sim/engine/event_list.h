/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending events in the order (time, sequence): the earliest first, ties in scheduling order.
 *
 *   later than now -> a tournament tree of 16-byte keys {time, sequence and slot}, four siblings a
 * cache line now            -> a ring, first in first out
 *
 * The winners of each group of four are kept, so changing a leaf replays its path to the root: all
 * siblings are known up front, no branch depends on the data, and a timer is moved or cancelled by
 * overwriting its leaf. Popping is lazy: the popped leaf stays as a hole that the handler's first
 * schedule fills, so that a pop and a schedule replay one path, not two. Ring and tree share one
 * sequence, so they are one order.
 */
#ifndef RINGTAIL_SIM_ENGINE_EVENT_LIST_H
#define RINGTAIL_SIM_ENGINE_EVENT_LIST_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/time.h"
#include "sim/engine/event_key.h"

struct stage;
struct request;

/* What happens: this stage is told this about that request (NULL if it is about none). */
typedef void stage_handler(struct stage *self, struct request *req);

/* Names a pending event; 0 names none. Stale ids are recognised and have no effect. */
typedef uint64_t sim_event_id;

enum {
    EVENT_SLOT_BITS = 24, /* 16 M events may be pending, 5.5e11 happen in a run */
    EVENT_LEVELS = EVENT_SLOT_BITS / 2 + 1,
};

#define EVENT_NO_SLOT UINT32_MAX
#define EVENT_RING_BIT (UINT64_C(1) << 63)
#define EVENT_SEQUENCES                                                                            \
    (EVENT_RING_BIT >> EVENT_SLOT_BITS) /* more would look like the ring's ids */

struct event {
    stage_handler *handler;
    struct stage *stage;
    struct request *req;
    uint64_t sequence; /* of a ring entry */
};

struct event_list {
    sim_time now;
    uint64_t sequence;    /* of the next event scheduled, from 1 */
    event_key first;      /* the winner of all */
    uint32_t hole;        /* slot popped last whose leaf still stands, or EVENT_NO_SLOT */
    uint32_t levels;      /* groups on a path, >= 1 */
    struct event *events; /* by slot */
    uint32_t *free_slots; /* a stack */
    uint32_t free_count;
    uint32_t capacity;  /* leaves, a multiple of four */
    struct event *ring; /* a power of two */
    uint64_t ring_head; /* positions; head <= tail */
    uint64_t ring_tail;
    uint64_t ring_mask;
    event_key *winners[EVENT_LEVELS]; /* [0] are the leaves, by slot; groups of four are 64 bytes,
                                         aligned */
    struct arena *arena;
};

void event_list_init(struct event_list *list, struct arena *arena);

/* Doubles the room; asserts below the limit of 2^24 pending events. */
void event_list_grow_tree(struct event_list *list);
void event_list_grow_ring(struct event_list *list);

/* Puts a key on a leaf and replays its path. */
static inline void event_list_replay(struct event_list *list, uint32_t slot, event_key key)
{
    uint32_t levels = list->levels;
    size_t place = slot;
    for (uint32_t level = 0; level < levels; level++) {
        event_key *own = list->winners[level] + place;
        event_key others = event_key_least_sibling(own);
        *own = key;
        key = event_key_min(others, key);
        place >>= 2;
    }
    list->first = key;
}

static inline event_key event_list_key(struct event_list *list, sim_time when, uint32_t slot)
{
    uint64_t low = list->sequence++ << EVENT_SLOT_BITS | slot;
    return (event_key)(uint64_t)when << 64 | low;
}

/* Schedules at `when` >= now. */
static inline sim_event_id event_list_schedule(struct event_list *list, sim_time when,
                                               struct stage *stage, struct request *req,
                                               stage_handler *handler)
{
    assert(when >= list->now);
    if (when == list->now) {
        if (list->ring_tail - list->ring_head > list->ring_mask) {
            event_list_grow_ring(list);
        }
        uint64_t position = list->ring_tail++;
        list->ring[position & list->ring_mask] =
            (struct event){ handler, stage, req, list->sequence++ };
        return EVENT_RING_BIT | position;
    }
    uint32_t slot = list->hole;
    list->hole = EVENT_NO_SLOT;
    if (slot == EVENT_NO_SLOT) {
        if (list->free_count == 0) {
            event_list_grow_tree(list);
        }
        slot = list->free_slots[--list->free_count];
    }
    struct event *event = &list->events[slot];
    event->handler = handler;
    event->stage = stage;
    event->req = req;
    event_key key = event_list_key(list, when, slot);
    event_list_replay(list, slot, key);
    return (uint64_t)key;
}

/* The slot of a pending event of the tree, or EVENT_NO_SLOT. */
static inline uint32_t event_list_find(const struct event_list *list, sim_event_id id)
{
    uint32_t slot = (uint32_t)id & ((UINT32_C(1) << EVENT_SLOT_BITS) - 1);
    bool pending = (id & EVENT_RING_BIT) == 0 && id != 0 && slot != list->hole &&
                   (uint64_t)list->winners[0][slot] == id;
    return pending ? slot : EVENT_NO_SLOT;
}

/* Returns whether the event was still pending. */
bool event_list_cancel(struct event_list *list, sim_event_id id);

/* Moves a pending event to `when` > now, as if cancelled and scheduled again. Returns its new id, 0
 * if it was not pending in the tree. */
sim_event_id event_list_move(struct event_list *list, sim_event_id id, sim_time when);

/* The hole becomes a free slot. */
static inline void event_list_fill_hole(struct event_list *list)
{
    if (list->hole != EVENT_NO_SLOT) {
        event_list_replay(list, list->hole, EVENT_KEY_NONE);
        list->free_slots[list->free_count++] = list->hole;
        list->hole = EVENT_NO_SLOT;
    }
}

/* Whether nothing is pending. */
static inline bool event_list_is_empty(struct event_list *list)
{
    event_list_fill_hole(list);
    return list->ring_head == list->ring_tail && list->first == EVENT_KEY_NONE;
}

/* Takes the next event at or before `until` and moves the clock to it; false if there is none. */
static inline bool event_list_pop(struct event_list *list, sim_time until, struct event *out)
{
    event_list_fill_hole(list);
    event_key first = list->first;
    while (list->ring_head != list->ring_tail) {
        const struct event *event = &list->ring[list->ring_head & list->ring_mask];
        if (first < ((event_key)(uint64_t)list->now << 64 | event->sequence << EVENT_SLOT_BITS)) {
            break; /* scheduled earlier for this instant */
        }
        list->ring_head++;
        if (event->handler != NULL) {
            *out = *event;
            return true;
        }
    }
    uint64_t when = (uint64_t)(first >> 64);
    if (when > (uint64_t)until) {
        return false;
    }
    list->now = (sim_time)when;
    uint32_t slot = (uint32_t)first & ((UINT32_C(1) << EVENT_SLOT_BITS) - 1);
    *out = list->events[slot];
    list->hole = slot;
    return true;
}

#endif
