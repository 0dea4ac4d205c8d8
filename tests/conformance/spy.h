/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stages that count what goes through their doors, request by request, without asking the engine.
 *
 *   the model's table is copied, its submit and complete count and then call the real ones
 *
 * So after a run that drained it can be told whether every request came back exactly once to every
 * stage that handed it down.
 */
#ifndef RINGTAIL_TESTS_CONFORMANCE_SPY_H
#define RINGTAIL_TESTS_CONFORMANCE_SPY_H

#include "sim/engine/stack.h"
#include "tests/conformance/tap.h"

/* Counted are the requests of each load with smaller numbers, and children below. */
enum { SPY_REQUESTS = 8192, SPY_CHILDREN = 4 };

struct spy {
    uint8_t *down[ENGINE_LOADS_MAX]; /* calls of submit, by number and child; of loads: unused */
    uint8_t *up[ENGINE_LOADS_MAX];   /* calls of complete */
    uint64_t hash;                   /* of who went through which door when, in order */
    uint64_t done;                   /* completes with that status */
    uint64_t dropped;
    sim_sum latency;     /* due to complete, of those due in the window and done */
    sim_sum outstanding; /* and the part of all that lies in the window */
};

/* As stack_add_stage, with the doors counted. `name` and `real` outlive the engine. */
struct stage *spy_add_stage(struct engine *engine, const char *name, const struct model *real);

/* The counts of a stage added so. */
struct spy *spy_of(const struct stage *stage);

/* After engine_end of a run that had time to drain: nothing is left, and everything that went down
 * a door came back through the one above, once. */
void spy_check(struct tap *tap, const struct engine *engine);

/* A hash of all that the run recorded and of all that went through the doors. */
uint64_t spy_digest(const struct engine *engine);

#endif
