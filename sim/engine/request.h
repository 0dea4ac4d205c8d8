/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request: one I/O that travels. Its way is fixed by its load, so the place of a stage on the way
 * is a level: 0 is the load. Every picosecond from due until done is charged to one phase by its
 * clock. A stage that completes early forks the clock: one goes up, one stays with what travels.
 *
 *                        load  .. stage k ..        bottom
 *   before               [-------- travelling clock --------]
 *   after an early       [-- up clock --)[- travelling clock ]
 *   completion by k      levels < up_level   >= travel_level      (between the two: counted, no
 * clock)
 */
#ifndef RINGTAIL_SIM_ENGINE_REQUEST_H
#define RINGTAIL_SIM_ENGINE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/time.h"

struct cpu;
struct engine;
struct stage;

enum {
    WAY_PHASES_MAX = 16, /* phases on the way of one request */
    WAY_LEVELS_MAX = 16, /* stages on it */
    REQUEST_ENDED = 255, /* place of a part that is through */
};

enum request_status { REQUEST_DONE, REQUEST_DROPPED, REQUEST_FAILED };

enum request_op { REQUEST_READ, REQUEST_WRITE, REQUEST_OPS };

/* What became of the part that travels. */
enum request_outcome { OUTCOME_NONE, OUTCOME_DELIVERED, OUTCOME_DROPPED, OUTCOME_FAILED, OUTCOMES };

/* Charges time to phases. While it runs, since <= now and `phase` gets what passes; the sum of
 * spent is since - due. */
struct clock {
    sim_time since;
    uint8_t phase; /* on the way, counted from the load's first */
    sim_time spent[WAY_PHASES_MAX];
};

struct request {
    /* For models to read. */
    uint64_t number; /* within its load, from 0; a child has its parent's */
    sim_time due;    /* when it should have been sent; latency counts from here */
    int64_t size_bytes;
    struct cpu *cpu;        /* where its caller runs; NULL: nowhere, costs are delays */
    struct request *parent; /* NULL unless a stage made it to split another one */
    uint32_t child;         /* its index among the children, from 1; 0 if it is none */
    uint16_t batch_left;    /* how many more follow in the same system call; 0: ring the doorbell */
    uint8_t load;           /* index of its load */
    uint8_t op;             /* enum request_op */
    /* For the load to write: when the submitting call returned; due until then. */
    sim_time issued;
    /* For the stage that holds it. Not kept when it is passed on. */
    struct request *next; /* link of the request_queue it waits in */
    sim_time mark[3];
    uint8_t status; /* enum request_status */
    /* The engine's. */
    bool counts;          /* due in the window that is measured */
    bool in_first_tenth;  /* of it */
    bool queued;          /* waits in a request_queue */
    bool completed;       /* its load has ended it */
    uint8_t outcome;      /* enum request_outcome */
    uint8_t parts;        /* owed ends: the load's and each early completer's; 0: recycled */
    uint8_t place;        /* of what travels: 2 x level of its holder, + 1 if on its way back */
    uint8_t up_place;     /* the same of what went up at a fork */
    uint8_t up_level;     /* levels below this one belong to the up clock; 0: no fork yet */
    uint8_t travel_level; /* levels from this one on belong to the travelling clock */
    uint16_t came_back;  /* bit l, between two early completions: level l has it back and still owes
                            an end */
    uint16_t gave_early; /* bit l: the stage at level l completed it early */
    uint16_t draws[WAY_LEVELS_MAX]; /* made so far by the stage at that level */
    struct clock travel;
    _Alignas(16) struct clock up; /* set by a fork, not cleared before */
};

/* Whether the stage at this level holds what travels of it. */
static inline bool request_is_held(const struct request *req, unsigned level)
{
    return req->place / 2 == level;
}

/* Whether a stage has completed it early: then its latency goes up while the rest travels. */
static inline bool request_is_forked(const struct request *req)
{
    return req->up_level > 0;
}

/* A FIFO of requests. Pushing a request moves it into the queue's phase. A request waits in one
 * queue at a time, of a stage that holds its travelling clock (asserted). */
struct request_queue {
    struct request *head;
    struct request *tail;
    int64_t count;
    struct stage *stage;
    unsigned phase;
};

void request_queue_init(struct request_queue *queue, struct stage *stage, unsigned phase);
void request_queue_push(struct request_queue *queue, struct request *req);
void request_queue_push_front(struct request_queue *queue, struct request *req);
struct request *request_queue_pop(struct request_queue *queue); /* NULL if empty */

/* All requests of a run. Ended ones are used again. */
struct request_pool {
    struct arena *arena;
    struct request *free;
    struct request_chunk *chunks;
    int64_t live;
    int64_t live_max;
};

void request_pool_init(struct request_pool *pool, struct arena *arena);

/* A cleared request, but for the up clock; the caller sets the rest. */
struct request *request_create(struct request_pool *pool);
void request_recycle(struct request_pool *pool, struct request *req);

/* Goes over the live requests in an order that depends on the run alone. Recycling on the way is
 * allowed. */
struct request_cursor {
    struct request_chunk *chunk;
    unsigned place;
};

struct request_cursor request_pool_begin(const struct request_pool *pool);
struct request *request_cursor_next(struct request_cursor *cursor); /* NULL at the end */

#endif
