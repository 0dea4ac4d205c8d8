/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/engine.h"

#include <assert.h>

#include "sim/engine/model.h"

void engine_report(const struct engine *engine, struct report *report)
{
    report->count = 0;
    for (unsigned i = 0; i < engine->stage_count; i++) {
        const struct stage *stage = engine->stages[i];
        report->owner = stage->name;
        if (stage->model->report != NULL) {
            stage->model->report(stage, report);
        }
    }
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        report->owner = cpu_name(engine->cpus[i]);
        report_count(report, "wakeups", cpu_wakeups(engine->cpus[i]));
    }
}

/* What happened before the window does not count: remember it. */
static void begin_window(struct engine *engine)
{
    engine_report(engine, &engine->report);
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        for (unsigned class = 0; class < CPU_CLASSES; class ++) {
            engine->cpu_busy[i][class] = cpu_busy(engine->cpus[i], class);
        }
    }
}

/* After it, nothing is added. */
static void end_window(struct engine *engine)
{
    struct report now;
    engine_report(engine, &now);
    report_subtract(&now, &engine->report);
    engine->report = now;
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        for (unsigned class = 0; class < CPU_CLASSES; class ++) {
            engine->cpu_busy[i][class] =
                cpu_busy(engine->cpus[i], class) - engine->cpu_busy[i][class];
        }
    }
}

static bool has_failed(const struct engine *engine)
{
    return engine->exhausted || engine->stalled;
}

void engine_start(struct engine *engine, const struct engine_span *span)
{
    assert(span->warmup >= 0 && span->measure > 0 && span->drain >= 0);
    assert(span->warmup <= SIM_DURATION_MAX && span->measure <= SIM_DURATION_MAX &&
           span->drain <= SIM_DURATION_MAX);
    engine->window_begin = span->warmup;
    engine->window_end = span->warmup + span->measure;
    engine->drain = span->drain;
    engine->requests_left = span->requests;
    engine->tenth_end = span->warmup + span->measure / 10;
    engine->tenth_left = span->requests - span->requests / 10;
    for (unsigned i = 0; i < engine->stage_count; i++) {
        struct stage *stage = engine->stages[i];
        if (stage->model->start != NULL) {
            stage->entered = true;
            stage->model->start(stage);
            stage->entered = false;
        }
    }
}

void engine_fill_window(struct engine *engine)
{
    engine->window_full = true;
    engine->window_end = engine->events.now + SIM_PS;
    engine->until = engine->window_end;
}

/* The next instant at which something but an event happens: the window's two edges and the run's
 * end. */
static sim_time next_edge(const struct engine *engine)
{
    if (engine->window_closed) {
        return engine->end;
    }
    /* The warm-up's edge comes before the events of its instant, the others after. */
    return engine->window_open ? engine->window_end : engine->window_begin - SIM_PS;
}

static void pass_edge(struct engine *engine)
{
    if (engine->window_open) {
        engine->events.now = engine->window_end;
        engine->end = engine->window_end + (engine->pool.live > 0 ? engine->drain : 0);
        end_window(engine);
        engine->window_open = false;
        engine->window_closed = true;
    } else if (!engine->window_closed) {
        engine->events.now = engine->window_begin;
        begin_window(engine);
        engine->window_open = true;
    }
}

bool engine_advance(struct engine *engine, sim_time until)
{
    sim_time before = engine->events.now;
    unsigned count = 0;
    struct event event;
    bool to_edge = until >= next_edge(engine);
    engine->until = to_edge ? next_edge(engine) : until;
    while (count < ENGINE_SLICE_EVENTS && engine->until >= engine->events.now &&
           event_list_pop(&engine->events, engine->until, &event)) {
        stage_enter(event.stage, event.req, event.handler);
        count++;
    }
    engine->event_count += count;
    assert(engine->events.sequence < EVENT_SEQUENCES);
    if (count == ENGINE_SLICE_EVENTS) {
        engine->stalled = engine->events.now == before;
        return !has_failed(engine);
    }
    if (has_failed(engine)) {
        return false;
    }
    bool at_end = engine->window_closed && to_edge;
    if (to_edge || engine->until == next_edge(engine)) { /* a counted window may have moved it */
        pass_edge(engine);
    }
    return !at_end;
}

/* ---- The end. ---- */

static struct stage *holder_of(const struct load *load, const struct clock *clock)
{
    return load->phases[clock->phase].stage;
}

static void close_clock(struct load *load, struct clock *clock, sim_time due, sim_time now)
{
    struct stage *stage = holder_of(load, clock);
    sim_sum sum = 0;
    sim_time passed = now - clock->since;
    clock->spent[clock->phase] += passed;
    clock->since = now;
    stage->presence += (uint64_t)now;
    for (unsigned i = 0; i < load->phase_count; i++) {
        sum += clock->spent[i];
    }
    assert(sum == now - due); /* phases add up to the age */
    load_charge(load, clock);
}

/* A request that is still there when the run ends. */
static void close_request(struct engine *engine, struct request *req)
{
    struct load *load = &engine->loads[req->load];
    sim_time now = engine->events.now;
    if (req->place != REQUEST_ENDED) {
        struct stage *stage = holder_of(load, &req->travel);
        if (stage->model->settle != NULL) {
            stage->model->settle(stage, req);
        }
        close_clock(load, &req->travel, req->due, now);
    }
    if (req->parent != NULL) {
        return;
    }
    if (req->completed) {
        load->travelling += req->outcome == OUTCOME_NONE;
        load->record.travelling += req->counts && req->outcome == OUTCOME_NONE;
        return;
    }
    const struct clock *clock = &req->travel;
    if (req->up_level > 0) {
        close_clock(load, &req->up, req->due, now);
        clock = &req->up;
    }
    load->unfinished++;
    load->record.outstanding += engine_part_in_window(engine, req->due, now);
    if (req->counts) {
        record_unfinished(&load->record, now - req->due, clock->spent);
    }
}

/* What recorded requests spent is in their table. */
static void charge_recorded(struct load *load)
{
    const struct attribution *table = &load->record.lat_phases;
    sim_sum spent[WAY_PHASES_MAX];
    attribution_band(table, -1, SIM_NEVER, spent);
    for (unsigned phase = 0; phase < load->phase_count; phase++) {
        load->charged[phase] += (uint64_t)spent[phase];
    }
}

/* The integral of the number in each stage is the time charged to its phases. */
static void check_presence(const struct engine *engine)
{
    for (unsigned i = 0; i < engine->stage_count; i++) {
        uint64_t charged = 0;
        for (unsigned l = 0; l < engine->load_count; l++) {
            const struct load *load = &engine->loads[l];
            for (unsigned phase = 0; phase < load->phase_count; phase++) {
                charged +=
                    load->phases[phase].stage == engine->stages[i] ? load->charged[phase] : 0;
            }
        }
        assert(engine->stages[i]->presence == charged);
    }
}

static void check_counts(const struct engine *engine)
{
    for (unsigned l = 0; l < engine->load_count; l++) {
        const struct load *load = &engine->loads[l];
        const struct record *record = &load->record;
        assert(load->created == load->finished + load->unfinished);
        assert(load->finished == load->outcomes[OUTCOME_DELIVERED] +
                                     load->outcomes[OUTCOME_DROPPED] +
                                     load->outcomes[OUTCOME_FAILED] + load->travelling);
        assert(load->outcomes[OUTCOME_NONE] == load->travelling);
        assert(record->arrivals == record->completed + record->unfinished);
        assert(record->lat.count + record->dropped + record->failed >= record->completed);
    }
}

void engine_end(struct engine *engine)
{
    if (engine->window_closed && !has_failed(engine)) {
        engine->events.now = engine->end;
    }
    if (engine->window_open) {
        end_window(engine);
    }
    struct request_cursor cursor = request_pool_begin(&engine->pool);
    for (struct request *req; (req = request_cursor_next(&cursor)) != NULL;) {
        close_request(engine, req);
    }
    for (unsigned l = 0; l < engine->load_count; l++) {
        struct load *load = &engine->loads[l];
        load->record.cut = load->created - load->record.arrivals;
        load->record.outstanding += load->record.lat.sum;
        record_settle(&load->record);
        charge_recorded(load);
    }
    check_presence(engine);
    check_counts(engine);
}

void engine_run(struct engine *engine, const struct engine_span *span)
{
    engine_start(engine, span);
    while (engine_advance(engine, SIM_NEVER)) {
    }
    engine_end(engine);
}
