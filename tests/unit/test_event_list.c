/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>

#include "sim/base/random.h"
#include "sim/engine/event_list.h"

static struct arena *arena;
static struct event_list list;

static void set_up(void)
{
    arena = arena_create();
    event_list_init(&list, arena);
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(event_list, .init = set_up, .fini = tear_down);

static void handler(struct stage *self, struct request *req)
{
    (void)self;
    (void)req;
}

/* What an event is about stands in for a request: only its address is kept. */
static struct request *about(uintptr_t i)
{
    return (struct request *)(i + 1);
}

static uintptr_t number_of(const struct event *event)
{
    return (uintptr_t)event->req - 1;
}

static sim_event_id schedule(sim_time when, uintptr_t i)
{
    return event_list_schedule(&list, when, NULL, about(i), handler);
}

static uintptr_t pop(void)
{
    struct event event;
    cr_assert(event_list_pop(&list, SIM_NEVER - 1, &event));
    cr_assert_eq(event.handler, handler);
    return number_of(&event);
}

/* ---- Order. ---- */

Test(event_list, the_earliest_comes_first_and_sets_the_clock)
{
    schedule(30, 0);
    schedule(10, 1);
    schedule(20, 2);
    cr_expect_eq(pop(), 1);
    cr_expect_eq(list.now, 10);
    cr_expect_eq(pop(), 2);
    cr_expect_eq(pop(), 0);
    cr_expect_eq(list.now, 30);
    cr_expect(event_list_is_empty(&list));
}

Test(event_list, ties_come_in_scheduling_order)
{
    for (uintptr_t i = 0; i < 100; i++) {
        schedule(7, i);
    }
    for (uintptr_t i = 0; i < 100; i++) {
        cr_assert_eq(pop(), i);
    }
}

/* At 10 three are pending in the tree; what the first of them adds without delay comes behind the
 * other two, which were scheduled before it. */
Test(event_list, ring_and_tree_are_one_order)
{
    schedule(10, 0);
    schedule(10, 1);
    schedule(10, 2);
    cr_expect_eq(pop(), 0);
    schedule(10, 3);
    schedule(11, 4);
    schedule(10, 5);
    for (uintptr_t i = 1; i < 6; i++) {
        static const uintptr_t order[] = { 0, 1, 2, 3, 5, 4 };
        cr_expect_eq(pop(), order[i]);
    }
}

Test(event_list, nothing_after_the_limit_is_popped)
{
    struct event event;
    schedule(10, 0);
    cr_expect_not(event_list_pop(&list, 9, &event));
    cr_expect_eq(list.now, 0);
    cr_expect(event_list_pop(&list, 10, &event));
    cr_expect_not(event_list_pop(&list, SIM_NEVER - 1, &event));
    cr_expect_eq(list.now, 10);
}

Test(event_list, the_past_is_a_programmers_mistake, .signal = SIGABRT)
{
    schedule(10, 0);
    pop();
    schedule(9, 1);
}

/* ---- Cancelling and moving. ---- */

Test(event_list, a_cancelled_event_does_not_come)
{
    sim_event_id first = schedule(10, 0);
    sim_event_id ring = schedule(0, 1);
    schedule(0, 2);
    cr_expect(event_list_cancel(&list, first));
    cr_expect(event_list_cancel(&list, ring));
    cr_expect_not(event_list_cancel(&list, first));
    cr_expect_not(event_list_cancel(&list, ring));
    cr_expect_eq(pop(), 2);
    cr_expect(event_list_is_empty(&list));
}

Test(event_list, zero_names_none)
{
    cr_expect_not(event_list_cancel(&list, 0));
    cr_expect_eq(event_list_move(&list, 0, 10), 0);
    schedule(10, 0);
    cr_expect_not(event_list_cancel(&list, 0));
}

/* A slot is used again at once; its former ids have no effect on who has it now. */
Test(event_list, stale_ids_have_no_effect)
{
    sim_event_id stale[64];
    for (uintptr_t i = 0; i < 64; i++) {
        stale[i] = schedule(list.now + 1, i);
        cr_assert_neq(stale[i], 0);
        if (i % 2 == 0) {
            cr_assert_eq(pop(), i);
        } else {
            cr_assert(event_list_cancel(&list, stale[i]));
        }
        for (uintptr_t k = 0; k <= i; k++) {
            cr_assert_not(event_list_cancel(&list, stale[k]));
            cr_assert_eq(event_list_move(&list, stale[k], list.now + 5), 0);
        }
    }
    sim_event_id last = schedule(list.now + 1, 99);
    for (uintptr_t k = 0; k < 64; k++) {
        cr_assert_not(event_list_cancel(&list, stale[k]));
    }
    cr_expect_eq(pop(), 99);
    cr_expect_not(event_list_cancel(&list, last));
    cr_expect(event_list_is_empty(&list));
}

/* Between its pop and the next schedule an event's leaf still stands. */
Test(event_list, what_was_just_popped_is_not_pending)
{
    sim_event_id id = schedule(10, 0);
    schedule(20, 1);
    pop();
    cr_expect_not(event_list_cancel(&list, id));
    cr_expect_eq(event_list_move(&list, id, 15), 0);
    cr_expect_eq(pop(), 1);
    cr_expect(event_list_is_empty(&list));
}

Test(event_list, a_moved_event_is_scheduled_anew)
{
    sim_event_id id = schedule(10, 0);
    schedule(20, 1);
    schedule(30, 2);
    sim_event_id moved = event_list_move(&list, id, 20);
    cr_expect_neq(moved, 0);
    schedule(20, 3);
    cr_expect_not(event_list_cancel(&list, id) && moved != id);
    cr_expect_eq(pop(), 1);
    cr_expect_eq(pop(), 0);
    cr_expect_not(event_list_cancel(&list, moved));
    cr_expect_eq(pop(), 3);
    cr_expect_eq(pop(), 2);
}

Test(event_list, a_move_to_the_present_is_a_programmers_mistake, .signal = SIGABRT)
{
    event_list_move(&list, schedule(10, 0), 0);
}

/* ---- Growth. ---- */

Test(event_list, grows_through_every_size)
{
    for (uintptr_t n = 1; n <= 5000; n++) {
        schedule((sim_time)(5001 - n), n);
    }
    for (uintptr_t n = 5000; n >= 1; n--) {
        cr_assert_eq(pop(), n);
    }
    cr_expect(event_list_is_empty(&list));
}

Test(event_list, the_ring_grows_while_it_is_wrapped)
{
    uintptr_t in = 0;
    uintptr_t out = 0;
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned i = 0; i < 7 + round % 5; i++) {
            schedule(0, in++);
        }
        for (unsigned i = 0; i < 6; i++) {
            cr_assert_eq(pop(), out++);
        }
    }
    while (out < in) {
        cr_assert_eq(pop(), out++);
    }
    cr_expect(event_list_is_empty(&list));
}

/* ---- Against a list that is searched from end to end. ---- */

enum { NAIVE_MAX = 2000 };

struct naive_event {
    sim_time when;
    uint64_t order;
    sim_event_id id;
    uintptr_t number;
};

static struct naive_event naive[NAIVE_MAX];
static size_t naive_count;
static uint64_t naive_order;
static uintptr_t next_number;

static void naive_remove(size_t i)
{
    naive[i] = naive[--naive_count];
}

static size_t naive_first(void)
{
    size_t first = 0;
    for (size_t i = 1; i < naive_count; i++) {
        bool earlier = naive[i].when < naive[first].when ||
                       (naive[i].when == naive[first].when && naive[i].order < naive[first].order);
        first = earlier ? i : first;
    }
    return first;
}

static void step_schedule(struct random_stream *stream)
{
    sim_time delay = (sim_time)random_below(stream, 12); /* so that ties are frequent */
    sim_time when = list.now + (delay < 4 ? 0 : delay - 3);
    uintptr_t number = next_number++;
    naive[naive_count++] =
        (struct naive_event){ when, naive_order++, schedule(when, number), number };
}

static void step_cancel(struct random_stream *stream)
{
    size_t i = random_below(stream, naive_count);
    sim_event_id id = naive[i].id;
    cr_assert(event_list_cancel(&list, id));
    cr_assert_not(event_list_cancel(&list, id));
    naive_remove(i);
}

static void step_move(struct random_stream *stream)
{
    size_t i = random_below(stream, naive_count);
    if (naive[i].when == list.now) {
        return; /* may be in the ring */
    }
    naive[i].when = list.now + 1 + (sim_time)random_below(stream, 10);
    naive[i].order = naive_order++;
    naive[i].id = event_list_move(&list, naive[i].id, naive[i].when);
    cr_assert_neq(naive[i].id, 0);
}

static void step_pop(struct random_stream *stream)
{
    struct event event;
    size_t first = naive_first();
    sim_time until = list.now + (sim_time)random_below(stream, 4);
    bool due = naive_count > 0 && naive[first].when <= until;
    cr_assert_eq(event_list_pop(&list, until, &event), due);
    if (due) {
        cr_assert_eq(number_of(&event), naive[first].number);
        cr_assert_eq(list.now, naive[first].when);
        naive_remove(first);
    }
}

/* Grows to `most` pending events and shrinks to nothing, again and again. */
static void compare(uint64_t seed, size_t most, unsigned steps)
{
    struct random_stream stream = { random_key(seed, 0, "event list") };
    bool grows = true;
    for (unsigned i = 0; i < steps; i++) {
        uint64_t roll = random_below(&stream, 100);
        grows = naive_count == 0 || (grows && naive_count < most);
        if (naive_count < most && roll < (grows ? 50u : 20u)) {
            step_schedule(&stream);
        } else if (naive_count > 0 && roll < 60) {
            step_cancel(&stream);
        } else if (naive_count > 0 && roll < 70) {
            step_move(&stream);
        } else {
            step_pop(&stream);
        }
        cr_assert_eq(event_list_is_empty(&list) && naive_count > 0, false);
    }
}

Test(event_list, order_is_that_of_a_searched_list)
{
    compare(1, 3, 20000);
    compare(2, 20, 50000);
    compare(3, 300, 100000);
    compare(4, NAIVE_MAX, 50000);
}

/* event_list_is_empty frees the slot of the last pop; without it the next schedule takes it. */
Test(event_list, a_pop_and_a_schedule_share_a_slot)
{
    struct random_stream stream = { random_key(5, 0, "hold") };
    for (uintptr_t i = 0; i < 37; i++) {
        schedule((sim_time)random_below(&stream, 1000), i);
    }
    sim_time last = 0;
    for (unsigned i = 0; i < 100000; i++) {
        uintptr_t number = pop();
        cr_assert_geq(list.now, last);
        last = list.now;
        schedule(list.now + (sim_time)random_below(&stream, 1000), number);
    }
    bool seen[37] = { false };
    for (unsigned i = 0; i < 37; i++) {
        seen[pop()] = true;
    }
    for (unsigned i = 0; i < 37; i++) {
        cr_expect(seen[i]);
    }
    cr_expect(event_list_is_empty(&list));
}
