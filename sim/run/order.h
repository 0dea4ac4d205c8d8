/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which runs begin, which no result depends on. What a run costs is not known before
 * one like it has been made: so the first run of every variant at every point begins first, as
 * listed, and then, repeat by repeat, those with the most events. Long runs do not begin last, when
 * other processors would wait for them; and what is complete at any time, when the user may stop,
 * has about as many repeats everywhere.
 */
#ifndef RINGTAIL_SIM_RUN_ORDER_H
#define RINGTAIL_SIM_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/config/experiment.h"

struct order_item {
    size_t place;
    size_t repeat;
    size_t index; /* in the list */
    uint64_t cost;
};

struct order {
    const struct experiment *experiment;
    struct order_item *items;
    size_t count;
    size_t next;
    size_t first_count; /* runs without one like them before them in the list */
    uint64_t *costs;    /* events, by place of repeat 0; UINT64_MAX: not known */
};

/* `places` (result_place), or NULL for 0 .. count - 1. */
void order_init(struct order *order, struct arena *arena, const struct experiment *experiment,
                const size_t *places, size_t count);

/* The next run to begin, false if all have begun. */
bool order_next(struct order *order, struct order_item *item);

/* A run has ended. */
void order_learn(struct order *order, size_t place, uint64_t events);

#endif
