/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of requests for which there was no room, and the work that tries them again.
 *
 *   work runs: take the head -> its cost passes -> try it: placed -> the next head
 *                                                  refused -> back to the list, the work stops
 */
#ifndef RINGTAIL_SIM_ENGINE_WORK_LIST_H
#define RINGTAIL_SIM_ENGINE_WORK_LIST_H

#include "sim/engine/cpu.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"

struct work_list {
    /* Set before init. */
    struct stage *stage;
    struct cpu *cpu; /* not NULL */
    sim_time cost;   /* the worker's time for a try */
    bool rotate;     /* a refused head goes to the tail; else it stays the head */
    bool (*try)(struct stage *self,
                struct request *req);       /* places it and returns true, or refuses */
    void (*on_refused)(struct stage *self); /* after it is back on the list; or NULL */
    /* The list's own. */
    struct stage self;
    struct request_queue queue;
    struct cpu_work work;
    int64_t runs;
    int64_t placed;
    int64_t refused;
};

/* Requests wait in `phase`, of the stage's model. */
void work_list_init(struct work_list *list, unsigned phase);

/* Appends a request that was refused elsewhere. */
void work_list_push(struct work_list *list, struct request *req);

#endif
