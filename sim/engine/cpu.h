/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cpu: threads that stages compete for. Work items run to completion, first in first out within
 * their class: interrupt before thread before idle. An interrupt preempts, the preempted item
 * resumes. Idle items run when nothing else is ready. A thread-class item that finds its thread
 * asleep pays the wake-up, nothing else does.
 *
 *   cpu_run -> class queue -> a thread takes it -> its cost passes -> handler(stage, request)
 *
 * With `loop` the cpu is an event loop: an iteration costs that, then runs the thread items that
 * were ready when it began and at most one idle item; what they add runs in a later iteration.
 */
#ifndef RINGTAIL_SIM_ENGINE_CPU_H
#define RINGTAIL_SIM_ENGINE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/param.h"
#include "sim/engine/stage.h"

enum cpu_class { CPU_INTERRUPT, CPU_THREAD, CPU_IDLE, CPU_CLASSES };

enum { CPU_THREADS_MAX = 1024 };

/* The parameters of a cpu in an experiment. */
struct cpu_config {
    int64_t threads;          /* 1 .. CPU_THREADS_MAX */
    struct distribution wake; /* paid by a thread-class item that finds its thread asleep */
    sim_time loop;            /* cost of an iteration of an event loop; < 0: not a loop */
};

extern const struct param cpu_params[];
extern const size_t cpu_param_count;

struct cpu;

/* Runs an item of `cost` >= 0; then handler(stage, req) is called. With cpu NULL the cost is a
 * delay that competes with nothing. `req` may be NULL; `handler` too, where only the cost matters.
 */
void cpu_run(struct cpu *cpu, enum cpu_class class, sim_time cost, struct stage *stage,
             struct request *req, stage_handler *handler);

/* Only from a handler that an item of this cpu called: the item goes on for another `cost`, before
 * anything else of its class, and ends with this handler. Once a handler. */
void cpu_continue(struct cpu *cpu, sim_time cost, struct stage *stage, struct request *req,
                  stage_handler *handler);

/* Only from a handler that an item of this cpu called: when that item began. */
sim_time cpu_item_began(const struct cpu *cpu);

/* Whether it has iterations. */
bool cpu_is_loop(const struct cpu *cpu);

/* Work that is queued at most once, by the kernel's rule: queueing it while it is pending does
 * nothing; while it runs, it runs once more. It runs as a thread-class item that costs nothing by
 * itself: its handler, called with NULL as the request, goes on with cpu_continue or adds items. */
struct cpu_work {
    struct stage *stage;
    stage_handler *handler;
    bool pending;       /* queued, or its timer is set */
    struct stage timer; /* told of the expiry */
    struct cpu *cpu;    /* where it goes then */
};

void cpu_work_init(struct cpu_work *work, struct stage *stage, stage_handler *handler);
/* Returns whether it was not pending before. The cpu is not NULL. */
bool cpu_work_queue(struct cpu *cpu, struct cpu_work *work);
/* The same when a timer expires at `when` > now (the kernel's delayed work): pending from now on.
 */
bool cpu_work_queue_at(struct cpu *cpu, struct cpu_work *work, sim_time when);

/* ---- The engine's own. ---- */

struct cpu *cpu_create(struct engine *engine, const char *name, const struct cpu_config *config);
const char *cpu_name(const struct cpu *cpu);
int64_t cpu_threads(const struct cpu *cpu);

/* Time spent so far in items of a class, over all threads; an event loop's own cost counts as
 * thread time, wake-ups as nothing. */
sim_sum cpu_busy(const struct cpu *cpu, enum cpu_class class);
/* How often a thread-class item found its thread asleep. */
int64_t cpu_wakeups(const struct cpu *cpu);

#endif
