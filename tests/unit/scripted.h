/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stages to look at a model from above and from below: a load that sends what a script says, and a
 * watch, which passes everything through and notes when.
 *
 *   script -> the model -> watch -> device
 */
#ifndef RINGTAIL_TESTS_UNIT_SCRIPTED_H
#define RINGTAIL_TESTS_UNIT_SCRIPTED_H

#include "sim/engine/model.h"

/* ---- The script: set its fields after the stage is added. ---- */

enum { SCRIPT_MAX = 128, SCRIPT_SIZE_BYTES = 4096 };

struct step {
    sim_time at; /* rising */
    int64_t size_bytes;
    enum request_op op;
};

struct script {
    struct step steps[SCRIPT_MAX];
    size_t count;
    struct cpu *cpu; /* the caller's; it pays nothing by itself */
    size_t next;
    sim_time done[SCRIPT_MAX]; /* by number; 0: not yet */
};

static inline void script_add(struct script *script, size_t count, sim_time at, enum request_op op,
                              int64_t size_bytes)
{
    for (size_t i = 0; i < count; i++) {
        assert(script->count < SCRIPT_MAX);
        script->steps[script->count++] = (struct step){ at, size_bytes, op };
    }
}

static inline void script_on_due(struct stage *self, struct request *none)
{
    (void)none;
    struct script *script = self->state;
    const struct step *step = &script->steps[script->next++];
    struct request *req = load_request(self, stage_now(self));
    req->op = (uint8_t)step->op;
    req->size_bytes = step->size_bytes;
    req->cpu = script->cpu;
    stage_submit_below(self, req);
}

static inline void script_start(struct stage *self)
{
    struct script *script = self->state;
    for (size_t i = 0; i < script->count; i++) {
        stage_at(self, script->steps[i].at, NULL, script_on_due);
    }
}

static inline void script_complete(struct stage *self, struct request *req,
                                   enum request_status status)
{
    struct script *script = self->state;
    script->done[req->number] = stage_now(self);
    load_finish(self, req, status);
}

static inline bool script_init(struct stage *self, struct error *err)
{
    (void)err;
    struct script *script = self->state;
    for (size_t i = 0; i < script->count; i++) {
        load_declare(self, script->steps[i].op, script->steps[i].size_bytes);
    }
    return true;
}

static const struct phase_info script_phases[] = { { "script", true } };

static const struct model script_model = {
    .name = "script",
    .summary = "Sends what a script says.",
    .phases = script_phases,
    .phase_count = ARRAY_LENGTH(script_phases),
    .state_size = sizeof(struct script),
    .load = true,
    .init = script_init,
    .start = script_start,
    .complete = script_complete,
};

/* ---- The watch. ---- */

enum { WATCH_MAX = 1 << 17 }; /* requests with larger numbers are counted only */

struct watched {
    sim_time down;
    sim_time up;
    uint16_t batch_left;
    uint8_t op;
};

struct watch {
    struct watched *seen; /* by number */
    int64_t down;         /* how many went down */
    int64_t up;
    int64_t inside_max;
};

static inline void watch_submit(struct stage *self, struct request *req)
{
    struct watch *watch = self->state;
    if (req->number < WATCH_MAX) {
        watch->seen[req->number] = (struct watched){ stage_now(self), 0, req->batch_left, req->op };
    }
    watch->down++;
    int64_t inside = watch->down - watch->up;
    watch->inside_max = inside > watch->inside_max ? inside : watch->inside_max;
    stage_submit_below(self, req);
}

static inline void watch_complete(struct stage *self, struct request *req,
                                  enum request_status status)
{
    struct watch *watch = self->state;
    if (req->number < WATCH_MAX) {
        watch->seen[req->number].up = stage_now(self);
    }
    watch->up++;
    stage_complete_above(self, req, status);
}

static inline bool watch_init(struct stage *self, struct error *err)
{
    (void)err;
    struct watch *watch = self->state;
    watch->seen = arena_array(stage_arena(self), WATCH_MAX, sizeof(watch->seen[0]));
    return true;
}

static const struct phase_info watch_phases[] = { { "watch", true } };

static const struct model watch_model = {
    .name = "watch",
    .summary = "Passes everything through and notes when.",
    .phases = watch_phases,
    .phase_count = ARRAY_LENGTH(watch_phases),
    .state_size = sizeof(struct watch),
    .init = watch_init,
    .submit = watch_submit,
    .complete = watch_complete,
};

#endif
