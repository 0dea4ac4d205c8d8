/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/record.h"

#include <string.h>

void record_init(struct record *record, struct arena *arena, unsigned phase_count, bool early)
{
    *record = (struct record){ .phase_count = phase_count, .early = early };
    histogram_init(&record->lat, arena);
    histogram_init(&record->clat, arena);
    attribution_init(&record->lat_phases, arena, phase_count);
    if (early) {
        histogram_init(&record->delivered, arena);
        attribution_init(&record->delivered_phases, arena, phase_count);
    }
}

/* Requests end in no order of their numbers, so a tie at the last place needs the number too. */
static bool is_slower(struct slow_request a, struct slow_request b)
{
    return a.latency > b.latency || (a.latency == b.latency && a.number < b.number);
}

void record_slow(struct record *record, uint64_t number, sim_time latency)
{
    struct slow_request new = { latency, number };
    unsigned place = record->slowest_count;
    while (place > 0 && is_slower(new, record->slowest[place - 1])) {
        place--;
    }
    if (place == RECORD_SLOWEST) {
        return;
    }
    unsigned kept =
        record->slowest_count < RECORD_SLOWEST ? record->slowest_count : RECORD_SLOWEST - 1;
    memmove(&record->slowest[place + 1], &record->slowest[place],
            (kept - place) * sizeof(record->slowest[0]));
    record->slowest[place] = new;
    record->slowest_count = kept + 1;
}

void record_settle(struct record *record)
{
    attribution_settle(&record->lat_phases);
    if (record->early) {
        attribution_settle(&record->delivered_phases);
    }
}

void record_unfinished(struct record *record, sim_time age, const sim_time *spent)
{
    record->unfinished++;
    record->oldest = age > record->oldest ? age : record->oldest;
    for (unsigned i = 0; i < record->phase_count; i++) {
        record->unfinished_phases[i] += spent[i];
    }
}
