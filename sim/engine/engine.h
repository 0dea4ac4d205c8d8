/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run: the clock, the stack, the requests and what is recorded of them. Build a stack
 * (stack.h), then start, advance, end. At the end the exact identities are asserted: phases add up
 * to latencies, the integral of the number in each stage is the time charged to its phases, and no
 * request is gained or lost.
 */
#ifndef RINGTAIL_SIM_ENGINE_ENGINE_H
#define RINGTAIL_SIM_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/engine/cpu.h"
#include "sim/engine/event_list.h"
#include "sim/engine/record.h"
#include "sim/engine/report.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"

enum {
    ENGINE_STAGES_MAX = 64,
    ENGINE_LOADS_MAX = 16,
    ENGINE_CPUS_MAX = 64,
    ENGINE_REQUESTS_MAX = 1 << 20, /* in flight at once; more ends the run as exhausted */
    ENGINE_SLICE_EVENTS = 1 << 22, /* that an advance runs; with the clock standing still all the
                                      while, the run is ended as stalled */
};

/* One phase on the way of a load. */
struct way_phase {
    struct stage *stage;
    const char *name;
};

struct load {
    struct stage *stage;
    unsigned level_count;
    unsigned phase_count;
    struct stage *way[WAY_LEVELS_MAX];
    struct way_phase phases[WAY_PHASES_MAX];
    uint64_t
        charged[WAY_PHASES_MAX]; /* by all clocks of this load's requests and children, mod 2^64 */
    uint64_t created;
    uint64_t finished;
    uint64_t unfinished;         /* once ended */
    uint64_t travelling;         /* finished, but not through below; once ended */
    uint64_t outcomes[OUTCOMES]; /* of finished requests; OUTCOME_NONE counts what still travels */
    int64_t size_max_bytes[REQUEST_OPS]; /* of the requests it will send; 0: none of that op */
    struct record record;
};

/* The window that is measured. Requests due in [warmup, warmup + measure) count; with `requests`,
 * at most so many of all loads, in the order in which they are due, and the window ends with the
 * last of them. Loads send nothing due after the window. The run ends `drain` later, or when
 * nothing is in flight. */
struct engine_span {
    sim_time warmup;
    sim_time measure;
    sim_time drain;
    uint64_t requests; /* 0: no limit */
};

struct engine {
    struct arena *arena;
    struct event_list events;
    sim_time until; /* events up to here run; moved to now to stop */
    sim_time window_begin;
    sim_time window_end;
    sim_time end;
    sim_time drain;
    sim_time tenth_end;     /* of the window's first tenth; of a counted one: when it is known */
    uint64_t tenth_left;    /* requests_left at its end */
    uint64_t requests_left; /* of a counted window */
    bool window_full;       /* none is left */
    bool window_open;
    bool window_closed;
    bool exhausted; /* more than ENGINE_REQUESTS_MAX requests in flight */
    bool stalled;   /* time does not advance: something goes round without a delay */
    uint64_t seed;
    uint64_t repeat;
    struct request_pool pool;
    struct stage *stages[ENGINE_STAGES_MAX]; /* in the order of addition, loads included */
    unsigned stage_count;
    struct load loads[ENGINE_LOADS_MAX];
    unsigned load_count;
    struct cpu *cpus[ENGINE_CPUS_MAX];
    unsigned cpu_count;
    sim_sum cpu_busy[ENGINE_CPUS_MAX][CPU_CLASSES]; /* in the window, once ended */
    struct report report;                           /* in the window, once ended */
    uint64_t event_count;
};

/* Sends the loads off. The stack is built. */
void engine_start(struct engine *engine, const struct engine_span *span);

/* Runs events up to and including `until`, at most ENGINE_SLICE_EVENTS of them, so that a caller
 * can look at a flag in between. Returns false when the run is over: at its end, with nothing in
 * flight after the window, exhausted or stalled. */
bool engine_advance(struct engine *engine, sim_time until);

/* Closes all clocks, records what did not finish and asserts the identities. */
void engine_end(struct engine *engine);

/* Adds what a clock has spent to the load's phases; the second takes it off again. */
static inline void load_charge(struct load *load, const struct clock *clock)
{
    for (unsigned i = 0; i < load->phase_count; i++) {
        load->charged[i] += (uint64_t)clock->spent[i];
    }
}

static inline void load_uncharge(struct load *load, const struct clock *clock)
{
    for (unsigned i = 0; i < load->phase_count; i++) {
        load->charged[i] -= (uint64_t)clock->spent[i];
    }
}

/* Whether what happens now is in the window, its last instant included. */
static inline bool engine_window_is_open(const struct engine *engine)
{
    return engine->window_open;
}

/* Whether a request due then counts. */
static inline bool engine_is_in_window(const struct engine *engine, sim_time due)
{
    return due >= engine->window_begin && due < engine->window_end && !engine->window_full;
}

/* How much of [due, now] lies in the window. */
static inline sim_time engine_part_in_window(const struct engine *engine, sim_time due,
                                             sim_time now)
{
    sim_time from = due > engine->window_begin ? due : engine->window_begin;
    sim_time to = now < engine->window_end ? now : engine->window_end;
    return to > from ? to - from : 0;
}

/* What every stage and cpu has counted so far. The stack is built. */
void engine_report(const struct engine *engine, struct report *report);

/* The last request of a counted window is due now. */
void engine_fill_window(struct engine *engine);

/* All three: the whole run. */
void engine_run(struct engine *engine, const struct engine_span *span);

#endif
