/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs that an event loop hands to a pool of workers and gets back, as QEMU's thread pool does it
 * for coroutines. One job is a trip of two hops:
 *
 *   loop: begin -> a later iteration: bottom half -> pool: the job -> a later iteration: resume
 *
 * So a trip takes two iterations and a worker's wake-up, and the loop's if it has gone to sleep.
 */
#ifndef RINGTAIL_SIM_ENGINE_OFFLOAD_H
#define RINGTAIL_SIM_ENGINE_OFFLOAD_H

#include "sim/base/error.h"
#include "sim/engine/cpu.h"
#include "sim/engine/report.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"

/* Phases of the stage's model for the parts of a trip; equal ones make one span. */
struct offload_phases {
    unsigned bottom_half; /* until the loop runs it */
    unsigned worker;      /* until a worker begins the job */
    unsigned job;
    unsigned completion; /* until the loop runs the rest */
};

/* What a model says of its trips, whose kinds are 1 .. OFFLOAD_KINDS - 1. */
struct offload_rules {
    /* How long the request's job takes, asked when it is handed over. */
    sim_time (*job)(struct stage *self, struct request *req);
    stage_handler *resume;               /* an item of the loop: a trip is over */
    const struct offload_phases *phases; /* by kind */
};

enum { OFFLOAD_KINDS = 8, OFFLOAD_MARK = 2 };

/* Uses mark[OFFLOAD_MARK] of the requests: the trips so far x OFFLOAD_KINDS + the kind of the last
 * one. */
struct offload {
    struct stage *stage;
    struct cpu *loop;
    struct cpu *pool;
    const struct offload_rules *rules;
    struct stage self;
    int64_t trips;
    int64_t hops;
    int64_t trips_most; /* between two forgets */
};

/* False with an error if `loop` is no event loop. */
bool offload_init(struct offload *offload, struct stage *stage, struct cpu *loop, struct cpu *pool,
                  const struct offload_rules *rules, struct error *err);

/* Counts a request's trips from here on. */
void offload_forget(struct request *req);

/* From a handler that an item of the loop called: begins a trip. */
void offload_begin(struct offload *offload, struct request *req, unsigned kind);

/* The kind of the last trip; 0: none. */
unsigned offload_kind(const struct request *req);

void offload_report(const struct offload *offload, struct report *report);

#endif
