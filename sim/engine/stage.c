/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/stage.h"

#include <assert.h>

#include "sim/base/compiler.h"
#include "sim/engine/engine.h"
#include "sim/engine/model.h"

/* ---- Clocks. ---- */

static void clock_charge(struct clock *clock, sim_time when)
{
    assert(when >= clock->since);
    clock->spent[clock->phase] += when - clock->since;
    clock->since = when;
}

/* The clock leaves one stage for another's phase. */
static void clock_cross(struct clock *clock, struct stage *from, struct stage *to, uint8_t phase)
{
    sim_time now = stage_now(from);
    clock_charge(clock, now);
    clock->phase = phase;
    from->presence += (uint64_t)now;
    to->presence -= (uint64_t)now;
}

/* Its stage has no more of it. What it spent is charged to the phases by the caller: through
 * load_charge, or with the attribution table to which it is added. */
static void clock_stop(struct clock *clock, struct stage *stage)
{
    sim_time now = stage_now(stage);
    clock_charge(clock, now);
    stage->presence += (uint64_t)now;
}

/* The clock of the request at the stage that holds one of its parts. */
static struct clock *clock_at(struct request *req, unsigned level)
{
    if (LIKELY(request_is_held(req, level))) {
        return &req->travel;
    }
    assert(request_is_forked(req) && req->up_place / 2 == level);
    return &req->up;
}

/* ---- Doors. ---- */

static void on_submit_deferred(struct stage *self, struct request *req)
{
    self->submit(self, req);
}

static void on_done_deferred(struct stage *self, struct request *req)
{
    self->complete(self, req, REQUEST_DONE);
}

static void on_dropped_deferred(struct stage *self, struct request *req)
{
    self->complete(self, req, REQUEST_DROPPED);
}

static void on_failed_deferred(struct stage *self, struct request *req)
{
    self->complete(self, req, REQUEST_FAILED);
}

SLOW_PATH static void defer_submit(struct stage *below, struct request *req)
{
    stage_after(below, 0, req, on_submit_deferred);
}

SLOW_PATH static void defer_complete(struct stage *above, struct request *req,
                                     enum request_status status)
{
    static stage_handler *const deferred[] = {
        [REQUEST_DONE] = on_done_deferred,
        [REQUEST_DROPPED] = on_dropped_deferred,
        [REQUEST_FAILED] = on_failed_deferred,
    };
    stage_after(above, 0, req, deferred[status]);
}

static inline void enter_complete(struct stage *above, struct request *req,
                                  enum request_status status)
{
    if (UNLIKELY(above->entered)) {
        defer_complete(above, req, status);
        return;
    }
    above->entered = true;
    above->complete(above, req, status);
    above->entered = false;
}

void stage_submit_below(struct stage *self, struct request *req)
{
    const struct link *link = &self->links[req->load];
    struct stage *below = link->below;
    assert(below != NULL && !req->queued);
    assert(req->place == 2 * link->level); /* on its way down, here: so once */
    req->place = (uint8_t)(req->place + 2);
    clock_cross(&req->travel, self, below, below->links[req->load].phase_first);
    if (UNLIKELY(below->entered)) {
        defer_submit(below, req);
        return;
    }
    below->entered = true;
    below->submit(below, req);
    below->entered = false;
}

/* One of those that owe the request an end has given it. */
static void end_part(struct engine *engine, struct request *req)
{
    assert(req->parts > 0);
    if (--req->parts == 0) {
        request_recycle(&engine->pool, req);
        if (UNLIKELY(engine->window_closed) && engine->pool.live == 0) {
            engine->until = engine->events.now; /* drained */
            engine->end = engine->events.now;
        }
    }
}

/* Dropped or failed, or of a way on which requests may be completed early. */
SLOW_PATH static void count_outcome(struct stage *self, struct load *load, struct request *req,
                                    enum request_status status)
{
    struct record *record = &load->record;
    bool open = engine_window_is_open(self->engine);
    if (req->completed) {
        load->outcomes[OUTCOME_NONE]--;
        load->outcomes[req->outcome]++;
    }
    if (status == REQUEST_DONE) {
        sim_time now = stage_now(self);
        record->delivered_in_window += open;
        clock_charge(&req->travel, now);
        if (req->counts) {
            record_delivered(record, now - req->due, req->travel.spent);
        }
        return;
    }
    record->dropped += req->counts && status == REQUEST_DROPPED;
    record->failed += req->counts && status == REQUEST_FAILED;
    record->dropped_in_window += open && status == REQUEST_DROPPED;
}

/* The stage that turns the request around says what became of what travels. */
static inline void turn_around(struct stage *self, struct load *load, struct request *req,
                               enum request_status status)
{
    req->outcome = (uint8_t)(OUTCOME_DELIVERED + status);
    if (UNLIKELY(status != REQUEST_DONE || load->record.early)) {
        count_outcome(self, load, req, status);
    }
}

/* Above a fork: the up clock moves as the travelling one does below it; between the two early
 * completions of one way there is no clock, only the knowledge who has it back. */
SLOW_PATH static void complete_above_forked(struct stage *self, const struct link *link,
                                            struct request *req, enum request_status status)
{
    unsigned level = link->level;
    unsigned bit = 1u << level;
    if (level < req->up_level) {
        assert(req->up_place == 2 * level + 1 && link->above != NULL);
        req->up_place = (uint8_t)(2 * level - 1);
        clock_cross(&req->up, self, link->above, link->above->links[req->load].phase_back);
    } else {
        assert(level < req->travel_level && (req->came_back & bit) != 0);
        req->came_back = (uint16_t)(req->came_back & ~bit);
        if ((req->gave_early & bit) != 0) {
            end_part(self->engine, req);
            return;
        }
        req->came_back = (uint16_t)(req->came_back | bit >> 1);
    }
    enter_complete(link->above, req, status);
}

/* It has been completed early by this stage: who is above has heard of it. */
SLOW_PATH static void end_travelling(struct stage *self, struct load *load, struct request *req)
{
    clock_stop(&req->travel, self);
    load_charge(load, &req->travel);
    req->place = REQUEST_ENDED;
    end_part(self->engine, req);
}

void stage_complete_above(struct stage *self, struct request *req, enum request_status status)
{
    const struct link *link = &self->links[req->load];
    unsigned level = link->level;
    if (UNLIKELY(level < req->travel_level)) {
        complete_above_forked(self, link, req, status);
        return;
    }
    assert(request_is_held(req, level) && !req->queued);
    if (req->place == 2 * level && req->parent == NULL) {
        turn_around(self, link->load, req, status);
    }
    if (UNLIKELY(request_is_forked(req)) && level == req->travel_level) {
        end_travelling(self, link->load, req);
        return;
    }
    struct stage *above = link->above;
    assert(above != NULL);
    req->place = (uint8_t)(2 * level - 1);
    clock_cross(&req->travel, self, above, above->links[req->load].phase_back);
    enter_complete(above, req, status);
}

void stage_complete_early(struct stage *self, struct request *req)
{
    const struct link *link = &self->links[req->load];
    unsigned level = link->level;
    struct stage *above = link->above;
    assert(self->model->completes_early && req->parent == NULL && above != NULL);
    assert(request_is_held(req, level));
    if (!request_is_forked(req)) {
        sim_time now = stage_now(self);
        clock_charge(&req->travel, now);
        load_uncharge(link->load, &req->travel);
        req->up = req->travel;
        req->up.phase = above->links[req->load].phase_back;
        req->up_level = (uint8_t)level;
        req->up_place = (uint8_t)(2 * level - 1);
        above->presence -= (uint64_t)now;
    } else {
        assert(level > req->travel_level); /* once */
        req->came_back = (uint16_t)(req->came_back | 1u << (level - 1));
    }
    req->gave_early = (uint16_t)(req->gave_early | 1u << level);
    req->travel_level = (uint8_t)level;
    req->parts++;
    enter_complete(above, req, REQUEST_DONE);
}

bool stage_gave_early(const struct stage *self, const struct request *req)
{
    return (req->gave_early >> self->links[req->load].level & 1) != 0;
}

/* ---- Time, phases, randomness. ---- */

sim_time stage_now(const struct stage *self)
{
    return self->engine->events.now;
}

sim_event_id stage_after(struct stage *self, sim_time delay, struct request *req,
                         stage_handler *handler)
{
    assert(delay >= 0);
    return event_list_schedule(&self->engine->events, stage_now(self) + delay, self, req, handler);
}

sim_event_id stage_at(struct stage *self, sim_time when, struct request *req,
                      stage_handler *handler)
{
    return event_list_schedule(&self->engine->events, when, self, req, handler);
}

bool stage_cancel(struct stage *self, sim_event_id id)
{
    return event_list_cancel(&self->engine->events, id);
}

sim_event_id stage_move(struct stage *self, sim_event_id id, sim_time when)
{
    return event_list_move(&self->engine->events, id, when);
}

void stage_phase_since(struct stage *self, struct request *req, unsigned phase, sim_time when)
{
    const struct link *link = &self->links[req->load];
    struct clock *clock = clock_at(req, link->level);
    assert(phase < link->phase_count && when <= stage_now(self));
    clock_charge(clock, when);
    clock->phase = (uint8_t)(link->phase_base + phase);
}

void stage_phase(struct stage *self, struct request *req, unsigned phase)
{
    stage_phase_since(self, req, phase, stage_now(self));
}

struct random_stream stage_stream(struct stage *self, struct request *req)
{
    const struct link *link = &self->links[req->load];
    uint64_t key = link->draw_key;
    if (req->child != 0) {
        key = random_mix(key + req->child);
    }
    return random_at(key, req->number, req->draws[link->level]++);
}

sim_time stage_draw(struct stage *self, struct request *req,
                    const struct distribution *distribution)
{
    if (distribution->kind == DISTRIBUTION_CONSTANT) {
        req->draws[self->links[req->load].level]++;
        return distribution->shift;
    }
    struct random_stream stream = stage_stream(self, req);
    return distribution_draw_number(distribution, req->number, &stream);
}

sim_time stage_draw_own(struct stage *self, const struct distribution *distribution)
{
    uint64_t number = distribution->kind == DISTRIBUTION_SEQUENCE ? self->own_draws++ : 0;
    return distribution_draw_number(distribution, number, &self->stream);
}

struct arena *stage_arena(struct stage *self)
{
    return self->engine->arena;
}

/* ---- Loads and children. ---- */

static struct request *create(struct stage *self, uint8_t load_index)
{
    struct engine *engine = self->engine;
    if (engine->pool.live >= ENGINE_REQUESTS_MAX) {
        engine->exhausted = true;
        engine->until = engine->events.now;
    }
    struct request *req = request_create(&engine->pool);
    req->load = load_index;
    return req;
}

void load_declare(struct stage *self, enum request_op op, int64_t size_max_bytes)
{
    int64_t *max = &self->engine->loads[self->load_index].size_max_bytes[op];
    *max = size_max_bytes > *max ? size_max_bytes : *max;
}

int64_t stage_size_max(const struct stage *self, enum request_op op)
{
    int64_t max = 0;
    for (unsigned l = 0; l < self->engine->load_count; l++) {
        int64_t size = self->engine->loads[l].size_max_bytes[op];
        max = self->links[l].on_way && size > max ? size : max;
    }
    return max;
}

void stage_declare_ring(struct stage *self, int64_t entries)
{
    self->ring = entries;
}

int64_t stage_ring_above(const struct stage *self)
{
    int64_t max = 0;
    for (unsigned l = 0; l < self->engine->load_count; l++) {
        for (const struct stage *above = self->links[l].above; above != NULL;
             above = above->links[l].above) {
            max = above->ring > max ? above->ring : max;
        }
    }
    return max;
}

bool load_may_send(const struct stage *self, sim_time due)
{
    return due < self->engine->window_end && !self->engine->window_full;
}

/* Its clock starts, in the first phase of the stage that makes it. */
static void set_off(struct stage *self, struct request *req, sim_time due)
{
    const struct link *link = &self->links[req->load];
    req->due = due;
    req->issued = due;
    req->place = (uint8_t)(2 * link->level);
    req->travel.since = due;
    req->travel.phase = link->phase_first;
    self->presence -= (uint64_t)due;
}

/* One more request of a counted window. */
SLOW_PATH static void count_down(struct engine *engine, sim_time due)
{
    if (--engine->requests_left == engine->tenth_left) {
        engine->tenth_end = due;
    }
    if (engine->requests_left == 0) {
        engine_fill_window(engine);
    }
}

struct request *load_request(struct stage *self, sim_time due)
{
    assert(due <= stage_now(self) && self->model->load);
    struct load *load = self->links[self->load_index].load;
    struct request *req = create(self, self->load_index);
    set_off(self, req, due);
    req->number = load->created++;
    req->counts = engine_is_in_window(self->engine, due);
    load->record.arrivals += req->counts;
    req->in_first_tenth = req->counts && due < self->engine->tenth_end;
    if (UNLIKELY(self->engine->requests_left > 0) && req->counts) {
        count_down(self->engine, due);
    }
    return req;
}

void load_finish(struct stage *self, struct request *req, enum request_status status)
{
    struct engine *engine = self->engine;
    struct load *load = self->links[req->load].load;
    struct record *record = &load->record;
    sim_time now = stage_now(self);
    struct clock *clock = clock_at(req, 0);
    assert(load->stage == self && !req->completed);
    assert((request_is_forked(req) ? req->up_place : req->place) == 1); /* it has it back */
    assert(req->issued >= req->due && req->issued <= now);
    clock_stop(clock, self);
    *(request_is_forked(req) ? &req->up_place : &req->place) = REQUEST_ENDED;
    req->completed = true;
    load->finished++;
    load->outcomes[req->outcome]++;
    record->completed += req->counts;
    record->completed_in_window += status == REQUEST_DONE && engine_window_is_open(engine);
    if (req->counts && status == REQUEST_DONE) {
        record_lat(record, req->number, now - req->due, now - req->issued, clock->spent);
        if (UNLIKELY(req->in_first_tenth)) {
            record->first_count++;
            record->first_sum += now - req->due;
        }
        if (now > engine->window_end) { /* the sum of lat has too much of it */
            record->outstanding -= now - engine->window_end;
        }
    } else {
        load_charge(load, clock);
        record->outstanding += engine_part_in_window(engine, req->due, now);
    }
    end_part(engine, req);
}

struct request *stage_create_child(struct stage *self, struct request *parent, uint32_t child)
{
    assert(child > 0 && parent->parent == NULL);
    assert(request_is_held(parent, self->links[parent->load].level));
    struct request *req = create(self, parent->load);
    set_off(self, req, stage_now(self));
    req->parent = parent;
    req->child = child;
    req->number = parent->number;
    req->size_bytes = parent->size_bytes;
    req->op = parent->op;
    req->cpu = parent->cpu;
    return req;
}

void stage_end_child(struct stage *self, struct request *req)
{
    const struct link *link = &self->links[req->load];
    assert(req->parent != NULL && req->place == 2 * link->level + 1); /* it has it back */
    clock_stop(&req->travel, self);
    load_charge(link->load, &req->travel);
    req->place = REQUEST_ENDED;
    end_part(self->engine, req);
}
