/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/stage.h"

#include <assert.h>

#include "sim/engine/engine.h"
#include "sim/engine/model.h"

/* ---- Clocks. ---- */

static struct load *load_of(struct stage *self, const struct request *req)
{
    return &self->engine->loads[req->load];
}

/* The clock that a stage at this level moves; NULL where the request is only counted. */
static struct clock *clock_at(struct request *req, unsigned level)
{
    if (level >= req->travel_level) {
        return &req->travel;
    }
    return level < req->up_level ? &req->up : NULL;
}

static void clock_charge(struct clock *clock, struct load *load, sim_time when)
{
    sim_time passed = when - clock->since;
    assert(passed >= 0);
    clock->spent[clock->phase] += passed;
    load->charged[clock->phase] += (uint64_t)passed;
    clock->since = when;
}

/* The clock leaves one stage for another's phase. */
static void clock_cross(struct clock *clock, struct load *load, struct stage *from,
                        struct stage *to, uint8_t phase)
{
    sim_time now = stage_now(from);
    clock_charge(clock, load, now);
    clock->phase = phase;
    from->presence += (uint64_t)now;
    to->presence -= (uint64_t)now;
}

static void clock_stop(struct clock *clock, struct load *load, struct stage *stage)
{
    sim_time now = stage_now(stage);
    assert(clock->runs);
    clock_charge(clock, load, now);
    clock->runs = false;
    stage->presence += (uint64_t)now;
}

static sim_time spent_in_all(const struct clock *clock, const struct load *load)
{
    sim_time sum = 0;
    for (unsigned i = 0; i < load->phase_count; i++) {
        sum += clock->spent[i];
    }
    return sum;
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

static void enter_complete(struct stage *above, struct request *req, enum request_status status)
{
    static stage_handler *const deferred[] = {
        [REQUEST_DONE] = on_done_deferred,
        [REQUEST_DROPPED] = on_dropped_deferred,
        [REQUEST_FAILED] = on_failed_deferred,
    };
    if (above->entered) {
        stage_after(above, 0, req, deferred[status]);
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
    unsigned bit = 1u << link->level;
    assert(below != NULL && !req->queued);
    assert((req->went_down & bit) == 0); /* once */
    assert(link->level >= req->travel_level);
    req->went_down = (uint16_t)(req->went_down | bit);
    clock_cross(&req->travel, load_of(self, req), self, below, below->links[req->load].phase_first);
    if (below->entered) {
        stage_after(below, 0, req, on_submit_deferred);
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
    }
}

/* The stage that turns the request around says what became of what travels. */
static void turn_around(struct stage *self, struct request *req, enum request_status status)
{
    static const enum request_outcome outcomes[] = {
        [REQUEST_DONE] = OUTCOME_DELIVERED,
        [REQUEST_DROPPED] = OUTCOME_DROPPED,
        [REQUEST_FAILED] = OUTCOME_FAILED,
    };
    struct engine *engine = self->engine;
    struct load *load = load_of(self, req);
    struct record *record = &load->record;
    sim_time now = stage_now(self);
    assert(req->outcome == OUTCOME_NONE);
    req->outcome = (uint8_t)outcomes[status];
    if (req->completed) {
        load->outcomes[OUTCOME_NONE]--;
        load->outcomes[req->outcome]++;
    }
    bool open = now >= engine->window_begin && now <= engine->window_end;
    bool counts = engine_is_in_window(engine, req->due);
    record->dropped += status == REQUEST_DROPPED && counts;
    record->failed += status == REQUEST_FAILED && counts;
    record->dropped_in_window += status == REQUEST_DROPPED && open;
    record->delivered_in_window += status == REQUEST_DONE && open;
    if (record->early && status == REQUEST_DONE && counts) {
        clock_charge(&req->travel, load, now);
        assert(spent_in_all(&req->travel, load) == now - req->due);
        record_delivered(record, now - req->due, req->travel.spent);
    }
}

void stage_complete_above(struct stage *self, struct request *req, enum request_status status)
{
    const struct link *link = &self->links[req->load];
    unsigned level = link->level;
    unsigned bit = 1u << level;
    assert(!req->queued);
    assert((req->went_down & bit) == 0 || (req->came_back & bit) != 0); /* it must have it back */
    if ((req->went_down & bit) == 0 && req->parent == NULL) {
        turn_around(self, req, status);
    }
    if ((req->gave_early & bit) != 0) {
        if (level == req->travel_level && req->travel.runs) {
            clock_stop(&req->travel, load_of(self, req), self);
        }
        end_part(self->engine, req);
        return;
    }
    struct stage *above = link->above;
    unsigned above_bit = 1u << (level - 1);
    assert(above != NULL);
    assert((req->came_back & above_bit) == 0); /* once */
    req->came_back = (uint16_t)(req->came_back | above_bit);
    struct clock *clock = clock_at(req, level);
    if (clock != NULL) {
        clock_cross(clock, load_of(self, req), self, above, above->links[req->load].phase_back);
    }
    enter_complete(above, req, status);
}

void stage_complete_early(struct stage *self, struct request *req)
{
    const struct link *link = &self->links[req->load];
    unsigned level = link->level;
    struct stage *above = link->above;
    assert(self->model->completes_early && req->parent == NULL);
    assert(above != NULL && level >= req->travel_level);
    unsigned above_bit = 1u << (level - 1);
    assert((req->came_back & above_bit) == 0 && (req->gave_early & (1u << level)) == 0);
    req->gave_early = (uint16_t)(req->gave_early | (1u << level));
    req->came_back = (uint16_t)(req->came_back | above_bit);
    req->parts++;
    if (req->up_level == 0) {
        struct load *load = load_of(self, req);
        clock_charge(&req->travel, load, stage_now(self));
        req->up = req->travel;
        req->up.phase = above->links[req->load].phase_back;
        above->presence -= (uint64_t)stage_now(self);
        req->up_level = (uint8_t)level;
    }
    req->travel_level = (uint8_t)level;
    enter_complete(above, req, REQUEST_DONE);
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

bool stage_move(struct stage *self, sim_event_id id, sim_time when)
{
    return event_list_move(&self->engine->events, id, when);
}

void stage_phase_since(struct stage *self, struct request *req, unsigned phase, sim_time when)
{
    const struct link *link = &self->links[req->load];
    struct clock *clock = clock_at(req, link->level);
    assert(phase < self->model->phase_count && when <= stage_now(self));
    assert(clock != NULL && clock->runs);
    /* The stage must hold the request: its time is charged to one of the stage's phases. */
    assert(clock->phase >= link->phase_base &&
           clock->phase < link->phase_base + self->model->phase_count);
    clock_charge(clock, load_of(self, req), when);
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
    struct random_stream stream = stage_stream(self, req);
    return distribution_draw(distribution, &stream);
}

sim_time stage_draw_own(struct stage *self, const struct distribution *distribution)
{
    return distribution_draw(distribution, &self->stream);
}

struct arena *stage_arena(struct stage *self)
{
    return self->engine->arena;
}

/* ---- Loads and children. ---- */

static struct request *create(struct stage *self, uint8_t load_index)
{
    struct engine *engine = self->engine;
    struct load *load = &engine->loads[load_index];
    if (engine->pool.live >= ENGINE_REQUESTS_MAX) {
        engine->exhausted = true;
        engine->until = engine->events.now;
    }
    struct request *req = request_create(&engine->pool, load->phase_count, load->level_count);
    req->load = load_index;
    return req;
}

static uint8_t load_index_of(const struct stage *self)
{
    const struct engine *engine = self->engine;
    uint8_t i = 0;
    while (engine->loads[i].stage != self) {
        i++;
        assert(i < engine->load_count);
    }
    return i;
}

void load_declare(struct stage *self, enum request_op op, int64_t size_max_bytes)
{
    int64_t *max = &self->engine->loads[load_index_of(self)].size_max_bytes[op];
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

bool load_may_send(const struct stage *self, sim_time due)
{
    return due < self->engine->window_end;
}

struct request *load_request(struct stage *self, sim_time due)
{
    assert(due <= stage_now(self) && load_may_send(self, due));
    uint8_t index = load_index_of(self);
    struct load *load = &self->engine->loads[index];
    struct request *req = create(self, index);
    req->number = load->created++;
    req->due = due;
    req->issued = due;
    req->travel.since = due;
    req->travel.phase = self->links[index].phase_first;
    req->travel.runs = true;
    self->presence -= (uint64_t)due;
    bool counts = engine_is_in_window(self->engine, due);
    load->record.arrivals += counts;
    load->record.cut += !counts;
    return req;
}

void load_finish(struct stage *self, struct request *req, enum request_status status)
{
    struct engine *engine = self->engine;
    struct load *load = load_of(self, req);
    struct record *record = &load->record;
    sim_time now = stage_now(self);
    struct clock *clock = clock_at(req, 0);
    assert(load->stage == self && !req->completed && (req->came_back & 1) != 0);
    clock_stop(clock, load, self);
    assert(spent_in_all(clock, load) == now - req->due);
    assert(req->issued >= req->due && req->issued <= now);
    req->completed = true;
    load->finished++;
    load->outcomes[req->outcome]++;
    record->completed_in_window +=
        status == REQUEST_DONE && now >= engine->window_begin && now <= engine->window_end;
    record->outstanding += engine_part_in_window(engine, req->due, now);
    if (engine_is_in_window(engine, req->due)) {
        record->completed++;
        if (status == REQUEST_DONE) {
            record_lat(record, req->number, now - req->due, now - req->issued, clock->spent);
        }
    }
    end_part(engine, req);
}

struct request *stage_create_child(struct stage *self, struct request *parent, uint32_t child)
{
    const struct link *link = &self->links[parent->load];
    assert(child > 0 && parent->parent == NULL && link->level >= parent->travel_level);
    struct request *req = create(self, parent->load);
    req->parent = parent;
    req->child = child;
    req->number = parent->number;
    req->size_bytes = parent->size_bytes;
    req->op = parent->op;
    req->cpu = parent->cpu;
    req->due = stage_now(self);
    req->issued = req->due;
    req->travel.since = req->due;
    req->travel.phase = link->phase_first;
    req->travel.runs = true;
    self->presence -= (uint64_t)req->due;
    return req;
}

void stage_end_child(struct stage *self, struct request *req)
{
    unsigned bit = 1u << self->links[req->load].level;
    assert(req->parent != NULL && (req->came_back & bit) != 0);
    clock_stop(&req->travel, load_of(self, req), self);
    req->came_back = (uint16_t)(req->came_back & ~bit); /* ended once */
    end_part(self->engine, req);
}
