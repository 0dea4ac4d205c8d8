/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A completion queue that a worker reaps, as virtio's used ring and NVMe's queues are.
 *
 *   push -> used -> interrupt -> pass: take one, and the next, until none is left -> pass ended
 *
 * Interrupts are off during a pass: what lands meanwhile is taken by the same pass. An interrupt
 * that finds nothing used does nothing.
 */
#ifndef RINGTAIL_SIM_ENGINE_COMPLETION_QUEUE_H
#define RINGTAIL_SIM_ENGINE_COMPLETION_QUEUE_H

#include "sim/engine/cpu.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"

struct completion_queue {
    /* Set before init. */
    struct stage *stage;
    struct cpu *cpu;              /* where passes run, in thread class; not NULL */
    sim_time interrupt;           /* from a push to the queueing of the pass */
    sim_time take;                /* the worker's time to take one */
    stage_handler *on_taken;      /* this one is off the queue; the pass goes on */
    stage_handler *on_pass_ended; /* none is left; request NULL; may go on with cpu_continue */
    /* The queue's own. */
    struct stage self;
    struct request_queue used;
    struct cpu_work pass;
    bool in_pass;
    int64_t interrupts; /* that found something */
};

/* Requests wait in `phase`, of the stage's model. */
void completion_queue_init(struct completion_queue *queue, unsigned phase);

/* The stage has the request back and holds it; its status is kept in req->status. */
void completion_queue_push(struct completion_queue *queue, struct request *req,
                           enum request_status status);

#endif
