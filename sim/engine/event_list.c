/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/event_list.h"

#include <string.h>

enum { FIRST_LEAVES = 4, FIRST_RING = 16 };

/* Rounded up to whole groups. */
static uint32_t groups_of_four(uint32_t count)
{
    return (count + 3) & ~UINT32_C(3);
}

/* Builds the levels over `capacity` leaves; the keys of the first `kept` leaves are there already.
 */
static void build_levels(struct event_list *list, event_key *leaves)
{
    uint32_t count = list->capacity;
    list->winners[0] = leaves;
    list->levels = 0;
    do {
        event_key *below = list->winners[list->levels];
        uint32_t winner_count = count / 4;
        uint32_t padded = groups_of_four(winner_count);
        event_key *above = arena_array(list->arena, padded, sizeof(*above));
        memset(above, 0xff, padded * sizeof(*above));
        for (uint32_t i = 0; i < winner_count; i++) {
            above[i] = event_key_min(event_key_min(below[4 * i], below[4 * i + 1]),
                                     event_key_min(below[4 * i + 2], below[4 * i + 3]));
        }
        list->winners[++list->levels] = above;
        count = padded;
        if (winner_count == 1) {
            list->first = above[0];
            return;
        }
    } while (true);
}

/* The arena keeps the old arrays: doubling wastes at most as much again. */
void event_list_grow_tree(struct event_list *list)
{
    uint32_t old = list->capacity;
    uint32_t capacity = old == 0 ? FIRST_LEAVES : 2 * old;
    assert(capacity <= UINT32_C(1) << EVENT_SLOT_BITS);
    event_key *leaves = arena_array(list->arena, capacity, sizeof(*leaves));
    struct event *events = arena_array(list->arena, capacity, sizeof(*events));
    memset(leaves, 0xff, capacity * sizeof(*leaves));
    if (old > 0) {
        memcpy(leaves, list->winners[0], old * sizeof(*leaves));
        memcpy(events, list->events, old * sizeof(*events));
    }
    list->capacity = capacity;
    list->events = events;
    list->free_slots = arena_array(list->arena, capacity, sizeof(*list->free_slots));
    for (uint32_t slot = capacity; slot-- > old;) { /* all older slots are taken */
        list->free_slots[list->free_count++] = slot;
    }
    build_levels(list, leaves);
}

void event_list_grow_ring(struct event_list *list)
{
    uint64_t size = list->ring == NULL ? FIRST_RING : 2 * (list->ring_mask + 1);
    struct event *ring = arena_array(list->arena, size, sizeof(*ring));
    for (uint64_t i = list->ring_head; i != list->ring_tail; i++) {
        ring[i & (size - 1)] = list->ring[i & list->ring_mask];
    }
    list->ring = ring;
    list->ring_mask = size - 1;
}

void event_list_init(struct event_list *list, struct arena *arena)
{
    *list = (struct event_list){ .arena = arena, .hole = EVENT_NO_SLOT, .sequence = 1 };
    event_list_grow_tree(list);
    event_list_grow_ring(list);
}

bool event_list_cancel(struct event_list *list, sim_event_id id)
{
    if ((id & EVENT_RING_BIT) != 0) {
        uint64_t position = id & ~EVENT_RING_BIT;
        struct event *event = &list->ring[position & list->ring_mask];
        bool pending =
            position >= list->ring_head && position < list->ring_tail && event->handler != NULL;
        if (pending) {
            event->handler = NULL;
        }
        return pending;
    }
    uint32_t slot = event_list_find(list, id);
    if (slot == EVENT_NO_SLOT) {
        return false;
    }
    event_list_replay(list, slot, EVENT_KEY_NONE);
    list->free_slots[list->free_count++] = slot;
    return true;
}

sim_event_id event_list_move(struct event_list *list, sim_event_id id, sim_time when)
{
    assert(when > list->now);
    uint32_t slot = event_list_find(list, id);
    if (slot == EVENT_NO_SLOT) {
        return 0;
    }
    event_key key = event_list_key(list, when, slot);
    event_list_replay(list, slot, key);
    return (uint64_t)key;
}
