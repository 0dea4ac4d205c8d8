/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of an experiment: one record a run, keyed by variant, point and repeat. Every report,
 * plot and verdict is made from it. A record holds integers alone, nothing of the machine that made
 * it, and no pointer into the run, whose memory is gone by then.
 */
#ifndef RINGTAIL_SIM_RUN_RESULT_H
#define RINGTAIL_SIM_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/config/experiment.h"
#include "sim/engine/engine.h"
#include "sim/run/sparse.h"

enum { RESULT_ENDS = METRIC_DELIVERED + 1 };

struct load_result {
    const char *name;
    unsigned phase_count;
    const char *phases[WAY_PHASES_MAX];        /* `queue: pending`, in the order of the way */
    struct sparse_histogram ends[RESULT_ENDS]; /* by enum metric_end */
    struct sparse_attribution lat_phases;      /* serves lat and clat */
    struct sparse_attribution delivered_phases;
    bool early; /* as of struct record: else delivered is lat */
    struct slow_request slowest[RECORD_SLOWEST];
    unsigned slowest_count;
    /* As of struct record. */
    uint64_t first_count;
    sim_sum first_sum;
    uint64_t arrivals;
    uint64_t completed;
    uint64_t dropped;
    uint64_t failed;
    uint64_t unfinished;
    uint64_t travelling;
    sim_time oldest;
    sim_sum unfinished_phases[WAY_PHASES_MAX];
    uint64_t cut;
    uint64_t completed_in_window;
    uint64_t delivered_in_window;
    uint64_t dropped_in_window;
    sim_sum outstanding;
};

struct cpu_result {
    const char *name;
    int64_t threads;
    sim_sum busy[CPU_CLASSES];
};

struct run_key {
    size_t variant;
    size_t point;
    size_t repeat;
};

struct run_result {
    struct run_key key;
    sim_time window; /* that was measured */
    const struct load_result *loads;
    size_t load_count;
    const struct report_entry *counters;
    size_t counter_count;
    const struct cpu_result *cpus;
    size_t cpu_count;
};

/* What concerns all finished runs. */
struct result_totals {
    uint64_t arrivals;
    uint64_t cut;
    uint64_t dropped;
    bool has_empty_side; /* a load of a variant that is compared completed nothing */
};

struct result_store;

/* Either all runs are in memory, or a store has them and those of one point are. */
struct result {
    const struct experiment *experiment;
    const char *version;            /* of the program that made it */
    const struct run_result **runs; /* run_count places, see result_place; NULL: not finished */
    size_t run_count;
    size_t finished;
    struct result_totals totals;
    const struct run_result *first; /* any finished run: all have the same loads and counters */
    struct result_store *store;     /* NULL: all in memory */
    struct arena *point_arena;      /* of the runs of the open point, if there is a store */
    size_t point;
};

/* A result without a finished run. */
struct result result_create(struct arena *arena, const struct experiment *experiment);

/* Adds a run that lives as long as the result. */
void result_add(struct result *result, const struct run_result *run);

void result_totals_add(struct result_totals *totals, const struct experiment *experiment,
                       const struct run_result *run);

/* Brings in the runs of a point and lets go of those of the one before; nothing to do where all are
 * in memory. False with an error where a file fails or changes meanwhile. */
bool result_open_point(struct result *result, size_t point, struct error *err);
void result_close_point(struct result *result);

/* Where the run of a key stands. Repeats come first: the runs of one repeat stand together. */
size_t result_place(const struct experiment *experiment, struct run_key key);
struct run_key result_key(const struct experiment *experiment, size_t place);

/* Copies what a run that has ended recorded. */
const struct run_result *run_result_copy(struct arena *arena, struct run_key key,
                                         const struct engine *engine);

#endif
