/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stage: one place where requests spend time. It has two doors: submit brings a request from
 * above, complete brings it back from below. No stage is entered twice: what is aimed at a stage
 * that is on the call stack waits in the zero-delay ring, so nothing changes under a handler, and
 * the call depth is at most the number of stages.
 */
#ifndef RINGTAIL_SIM_ENGINE_STAGE_H
#define RINGTAIL_SIM_ENGINE_STAGE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/distribution.h"
#include "sim/base/random.h"
#include "sim/base/time.h"
#include "sim/engine/event_list.h"
#include "sim/engine/request.h"

struct load;
struct model;

/* Where a stage stands on the way of one load's requests. */
struct link {
    struct stage *below; /* NULL: bottom */
    struct stage *above; /* NULL: the load itself */
    struct load *load;
    uint64_t draw_key;
    uint8_t level;
    uint8_t phase_base; /* the stage's phases are phase_base .. phase_base + phase_count - 1 of the
                           way */
    uint8_t phase_count;
    uint8_t phase_first; /* of the way, entered by submit */
    uint8_t phase_back;  /* of the way, entered by complete */
    bool on_way;         /* this load's requests come here */
    bool routed;         /* `below` was given, not found */
    bool routed_by_load; /* and for this load alone */
};

struct stage {
    struct engine *engine;
    void *state; /* the model's struct */
    void (*submit)(struct stage *self, struct request *req);
    void (*complete)(struct stage *self, struct request *req, enum request_status status);
    struct link *links; /* by load */
    bool entered;       /* on the call stack */
    uint64_t presence;  /* leaving minus entering times, modulo 2^64: the integral of the number in
                           the stage once everything has left */
    struct random_stream stream;
    const struct model *model;
    const char *name;
    uint8_t load_index; /* of a load */
    uint64_t key;
    uint64_t own_draws; /* of sequences */
    int64_t ring;       /* entries, as declared; 0: none */
};

/* ---- Doors. ---- */

/* Hands the request to the stage below, once. Its clock moves into that stage's first phase. */
void stage_submit_below(struct stage *self, struct request *req);

/* Gives the request back to the stage above, once, and its clock with it; the one who calls this
 * without having submitted it below is the bottom for it, and DONE means delivered. A stage that
 * has completed the request early calls this too when it is through with it: nobody above hears of
 * it again. */
void stage_complete_above(struct stage *self, struct request *req, enum request_status status);

/* Gives the request to the stage above, as done, before this stage is through with it. The model
 * says
 * `.completes_early`. */
void stage_complete_early(struct stage *self, struct request *req);

/* Whether this stage has completed it early. */
bool stage_gave_early(const struct stage *self, const struct request *req);

/* ---- Time. ---- */

sim_time stage_now(const struct stage *self);

/* Calls handler(self, req) `delay` >= 0 from now. */
sim_event_id stage_after(struct stage *self, sim_time delay, struct request *req,
                         stage_handler *handler);
/* The same at `when` >= now. */
sim_event_id stage_at(struct stage *self, sim_time when, struct request *req,
                      stage_handler *handler);
/* Returns whether the event was still pending. */
bool stage_cancel(struct stage *self, sim_event_id id);
/* Moves an event that is not due at this instant to `when` > now, as if cancelled and scheduled
 * again. Returns its new id, 0 if it was not pending. */
sim_event_id stage_move(struct stage *self, sim_event_id id, sim_time when);

/* ---- Phases. ---- */

/* From now on the request's time is charged to `phase` of this stage's model. */
void stage_phase(struct stage *self, struct request *req, unsigned phase);

/* The same from `when` on, which lies between the last transition and now. */
void stage_phase_since(struct stage *self, struct request *req, unsigned phase, sim_time when);

/* ---- Randomness. ---- */

/* A draw of the request at this stage: keyed, the same whatever others draw. Of a sequence it is
 * the value at the request's number. */
sim_time stage_draw(struct stage *self, struct request *req,
                    const struct distribution *distribution);
/* A draw of the stage itself, in the order it asks, of sequences too. */
sim_time stage_draw_own(struct stage *self, const struct distribution *distribution);
/* A word of the request's, keyed like stage_draw. */
struct random_stream stage_stream(struct stage *self, struct request *req);

/* ---- Loads. ---- */

/* In a load's init: it will send requests of this op, up to this size. */
void load_declare(struct stage *self, enum request_op op, int64_t size_max_bytes);

/* In the init of any other stage: the largest request of this op that will come here; 0: none will.
 */
int64_t stage_size_max(const struct stage *self, enum request_op op);

/* In the init of a stage that owns a ring which stages below work on: how many entries it has. */
void stage_declare_ring(struct stage *self, int64_t entries);

/* In the init of a stage below: the largest such ring above it; 0: none. */
int64_t stage_ring_above(const struct stage *self);

/* Whether a request due then is still wanted; a load that hears no sends no more. */
bool load_may_send(const struct stage *self, sim_time due);

/* A new request of this load, due at `due` <= now, in the load's first phase since then. */
struct request *load_request(struct stage *self, sim_time due);

/* The application has it: the request's latency ends here. Called once, after complete brought it.
 */
void load_finish(struct stage *self, struct request *req, enum request_status status);

/* ---- Children. ---- */

/* A request of this stage's own, child number `child` >= 1 of `parent`, to be submitted below; it
 * comes back to this stage's complete, which ends it with stage_end_child. It is not load. */
struct request *stage_create_child(struct stage *self, struct request *parent, uint32_t child);
void stage_end_child(struct stage *self, struct request *req);

/* ---- The engine's own. ---- */

/* Calls a handler with the stage marked as entered. */
static inline void stage_enter(struct stage *stage, struct request *req, stage_handler *handler)
{
    assert(!stage->entered);
    stage->entered = true;
    handler(stage, req);
    stage->entered = false;
}

#endif
