/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event list alone: M/M/1, hold, timer churn.
 */
#include <string.h>

#include "sim/base/ziggurat.h"
#include "sim/engine/event_list.h"
#include "tests/bench/bench.h"

enum { LINE = 4096, TIMERS = 1000, HANDLERS = 8 };

static struct event_list list;
static struct random_stream stream;

static void reset(struct arena *arena)
{
    event_list_init(&list, arena);
    stream.state = 1;
}

static sim_time exponential(double mean)
{
    return 1 + (sim_time)(mean * ziggurat_exponential(&stream));
}

static uint64_t run(uint64_t count)
{
    struct event event;
    for (uint64_t i = 0; i < count && event_list_pop(&list, SIM_NEVER - 1, &event); i++) {
        event.handler(event.stage, event.req);
    }
    return (uint64_t)list.now;
}

/* ---- M/M/1. ---- */

static sim_time arrivals[LINE];
static uint64_t first;
static uint64_t next;
static sim_sum sum;

static void on_departure(struct stage *stage, struct request *req)
{
    sum += list.now - arrivals[first++ % LINE];
    if (first != next) {
        event_list_schedule(&list, list.now + exponential(0.9e6), stage, req, on_departure);
    }
}

static void on_arrival(struct stage *stage, struct request *req)
{
    arrivals[next++ % LINE] = list.now;
    if (next - first == 1) {
        event_list_schedule(&list, list.now + exponential(0.9e6), stage, req, on_departure);
    }
    event_list_schedule(&list, list.now + exponential(1e6), stage, req, on_arrival);
}

uint64_t bench_dispatch(uint64_t count)
{
    struct arena *arena = arena_create();
    reset(arena);
    first = next = 0;
    sum = 0;
    event_list_schedule(&list, 1, NULL, NULL, on_arrival);
    while (first < count) {
        run(1024);
    }
    arena_destroy(arena);
    return (uint64_t)sum;
}

/* ---- Hold. ---- */

static void on_hold(struct stage *stage, struct request *req)
{
    event_list_schedule(&list, list.now + exponential(1e6), stage, req, on_hold);
}

static uint64_t hold(uint64_t count, int pending)
{
    struct arena *arena = arena_create();
    reset(arena);
    for (int i = 0; i < pending; i++) {
        event_list_schedule(&list, exponential(1e6), NULL, NULL, on_hold);
    }
    bench_start();
    uint64_t result = run(count);
    arena_destroy(arena);
    return result;
}

uint64_t bench_hold_10(uint64_t count)
{
    return hold(count, 10);
}

uint64_t bench_hold_100(uint64_t count)
{
    return hold(count, 100);
}

uint64_t bench_hold_1e3(uint64_t count)
{
    return hold(count, 1000);
}

uint64_t bench_hold_1e4(uint64_t count)
{
    return hold(count, 10000);
}

uint64_t bench_hold_1e5(uint64_t count)
{
    return hold(count, 100000);
}

uint64_t bench_hold_1e6(uint64_t count)
{
    return hold(count, 1000000);
}

#define HANDLER(i)                                                                                 \
    static void on_hold_##i(struct stage *stage, struct request *req)                              \
    {                                                                                              \
        hold_any(stage, req, i);                                                                   \
    }

static uint64_t held[HANDLERS];
static void hold_any(struct stage *stage, struct request *req, int which);

HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)
HANDLER(4)
HANDLER(5)
HANDLER(6)
HANDLER(7)

static stage_handler *const handlers[HANDLERS] = {
    on_hold_0, on_hold_1, on_hold_2, on_hold_3, on_hold_4, on_hold_5, on_hold_6, on_hold_7,
};

static void hold_any(struct stage *stage, struct request *req, int which)
{
    held[which]++;
    event_list_schedule(&list, list.now + exponential(1e6), stage, req,
                        handlers[random_next(&stream) % HANDLERS]);
}

uint64_t bench_hold_1e3_handlers(uint64_t count)
{
    struct arena *arena = arena_create();
    reset(arena);
    for (int i = 0; i < 1000; i++) {
        event_list_schedule(&list, exponential(1e6), NULL, NULL, handlers[i % HANDLERS]);
    }
    bench_start();
    uint64_t result = run(count);
    arena_destroy(arena);
    return result + held[0];
}

/* ---- Churn. ---- */

static sim_event_id timers[TIMERS];

/* Which timer expired travels in the request pointer's place: the list never looks at it. */
static void on_expiry(struct stage *stage, struct request *req)
{
    sim_event_id *self = (sim_event_id *)(void *)stage;
    *self = event_list_schedule(&list, list.now + exponential(1e6), stage, req, on_expiry);
    sim_event_id *other = &timers[random_next(&stream) % TIMERS];
    *other = event_list_move(&list, *other, list.now + exponential(1e6));
}

uint64_t bench_churn(uint64_t count)
{
    struct arena *arena = arena_create();
    reset(arena);
    for (int i = 0; i < TIMERS; i++) {
        struct stage *stage = (struct stage *)(void *)&timers[i];
        timers[i] = event_list_schedule(&list, exponential(1e6), stage, NULL, on_expiry);
    }
    uint64_t result = run(count);
    arena_destroy(arena);
    return result;
}
