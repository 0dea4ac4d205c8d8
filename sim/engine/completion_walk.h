/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A completion queue that a driver walks over while its next entry is new, as NVMe drivers do: in
 * an interrupt handler, or in a thread that polls when it has nothing else to do.
 *
 *   push -> visible -> poll or interrupt -> walk: take what is visible, and what has become
 *   visible meanwhile, until nothing is -> over
 *
 * Interrupts are never off: those that come before the handler begins are one with it, those that
 * come while it runs make it run once more, and then it may find nothing.
 */
#ifndef RINGTAIL_SIM_ENGINE_COMPLETION_WALK_H
#define RINGTAIL_SIM_ENGINE_COMPLETION_WALK_H

#include "sim/engine/cpu.h"
#include "sim/engine/report.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"

enum { WALK_BANDS = 8 };

struct completion_walk {
    /* Set before init. */
    struct stage *stage;
    bool interrupts; /* a handler walks; else a thread that polls */
    sim_time entry;  /* from the interrupt to the walk of its handler */
    sim_time (*take_cost)(struct stage *stage, int64_t count); /* to take so many entries */
    sim_time (*over_cost)(struct stage *stage, int64_t count); /* after a walk over so many, or 0 */
    stage_handler *on_over; /* that is paid; pops all of `walked`; request NULL */
    struct request_queue walked;
    /* The walk's own. */
    struct stage self;
    struct request_queue visible;
    struct cpu *cpu; /* where it goes on */
    bool busy;       /* a poll or an interrupt is due, or what it does is not over yet */
    bool in_service; /* the interrupt's handler has begun */
    bool raised;     /* another one since then */
    int64_t walks;   /* that found something; by powers of two of what they found: */
    int64_t bands[WALK_BANDS];
    int64_t entries;
    int64_t entries_max; /* of a walk */
    int64_t raises;
    int64_t empty_raises;
};

/* Requests wait in the phase `visible` and, once taken, in `walked`, of the stage's model. */
void completion_walk_init(struct completion_walk *walk, unsigned visible, unsigned walked);

/* The stage has the request back and holds it; its status is kept in req->status. `cpu` is polled
 * on, or interrupted. */
void completion_walk_push(struct completion_walk *walk, struct request *req,
                          enum request_status status, struct cpu *cpu);

void completion_walk_report(const struct completion_walk *walk, struct report *report);

#endif
