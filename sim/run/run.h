/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an experiment to its result: every variant at every point, repeat by repeat, in parallel. A
 * run knows nothing of the others, so the result depends neither on the number of threads nor on
 * the order in which runs end.
 */
#ifndef RINGTAIL_SIM_RUN_RUN_H
#define RINGTAIL_SIM_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/config/experiment.h"
#include "sim/run/result.h"

enum { RUN_THREADS_MAX = 1024 };

/* What the caller wants to know and to say while runs are under way. Either may be NULL. */
struct run_watch {
    /* Whether to stop soon; asked often, by every thread at once. */
    bool (*should_stop)(void *context);
    /* A run has ended; one thread at a time. False with an error: begin no other. */
    bool (*on_run)(void *context, const struct run_result *run, struct error *err);
    void *context;
};

/* Threads that are used unless told otherwise: the processors that this program may run on. */
int run_threads_default(void);

/* Makes the runs of these places (result_place) on 1 .. RUN_THREADS_MAX threads, in the order of
 * order.h. A record is gone when on_run has returned. False with an error when a run cannot be
 * carried through (too many requests in flight, time that stands still) or on_run has failed. When
 * stopped, true after what has finished. */
bool run_places(const struct experiment *experiment, const size_t *places, size_t count,
                int threads, const struct run_watch *watch, struct error *err);

/* All runs. The result lives in the arena and refers to the experiment. */
bool run_experiment(struct arena *arena, const struct experiment *experiment, int threads,
                    const struct run_watch *watch, struct result *result, struct error *err);

#endif
