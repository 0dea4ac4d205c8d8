/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run keeps of a load's requests: histograms and attribution per end, outcomes, the slowest,
 * and what did not finish. Requests count by when they were due: warm-up and what comes after the
 * end are cut.
 */
#ifndef RINGTAIL_SIM_ENGINE_RECORD_H
#define RINGTAIL_SIM_ENGINE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/attribution.h"
#include "sim/base/histogram.h"
#include "sim/engine/request.h"

enum { RECORD_SLOWEST = 32 };

struct slow_request {
    sim_time latency;
    uint64_t number;
};

struct record {
    unsigned phase_count;
    bool early; /* the way has a stage that completes early: `delivered` is recorded */
    /* Requests due in the window that ended as done. */
    struct histogram lat;
    struct histogram clat;
    struct histogram delivered;
    struct attribution lat_phases; /* serves lat and clat, which share their requests */
    struct attribution delivered_phases;
    /* Of lat, those due in the first tenth of the window: a drift says that the warm-up is too
     * short. */
    uint64_t first_count;
    sim_sum first_sum;
    struct slow_request slowest[RECORD_SLOWEST]; /* by lat, the slowest first; ties by number */
    unsigned slowest_count;
    /* Requests due in the window. */
    uint64_t arrivals;
    uint64_t completed; /* with any status */
    uint64_t dropped;   /* turned away below, whether or not completed before */
    uint64_t failed;
    uint64_t unfinished;
    uint64_t travelling; /* completed, but not through below */
    sim_time oldest;     /* age of the oldest unfinished; 0 if there is none */
    sim_sum unfinished_phases[WAY_PHASES_MAX];
    uint64_t cut; /* due before the window */
    /* Ends that fell into the window, of any request: what rates are made of. */
    uint64_t completed_in_window;
    uint64_t delivered_in_window;
    uint64_t dropped_in_window;
    /* The integral over the window of the number between due and completed, in picoseconds. */
    sim_sum outstanding;
};

void record_init(struct record *record, struct arena *arena, unsigned phase_count, bool early);

/* Keeps the request if it is among the slowest. */
void record_slow(struct record *record, uint64_t number, sim_time latency);

/* The run is over: completes the sums. */
void record_settle(struct record *record);

void record_unfinished(struct record *record, sim_time age, const sim_time *spent);

static inline void record_lat(struct record *record, uint64_t number, sim_time latency,
                              sim_time from_issue, const sim_time *spent)
{
    histogram_add(&record->lat, latency);
    histogram_add(&record->clat, from_issue);
    attribution_add(&record->lat_phases, latency, spent);
    if (latency >= record->slowest[RECORD_SLOWEST - 1].latency) {
        record_slow(record, number, latency);
    }
}

static inline void record_delivered(struct record *record, sim_time latency, const sim_time *spent)
{
    histogram_add(&record->delivered, latency);
    attribution_add(&record->delivered_phases, latency, spent);
}

#endif
