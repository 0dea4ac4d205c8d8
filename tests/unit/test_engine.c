/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>

#include "tests/unit/machine.h"

/* A load that sends a request every microsecond from 0 on, over a bottom that takes `service`. */
struct ticker {
    int64_t sent;
    int64_t burst; /* requests at each instant */
};

struct server {
    sim_time service;
    int64_t served;
};

static struct arena *arena;
static struct engine *engine;
static struct ticker *ticker;
static struct server *server;

static const struct phase_info phases[] = { { .name = "here" }, { .name = "back", .back = true } };

static void on_tick(struct stage *self, struct request *none)
{
    (void)none;
    struct ticker *state = self->state;
    for (int64_t i = 0; i < state->burst; i++) {
        state->sent++;
        stage_submit_below(self, load_request(self, stage_now(self)));
    }
    if (load_may_send(self, stage_now(self) + SIM_US)) {
        stage_after(self, SIM_US, NULL, on_tick);
    }
}

static void start(struct stage *self)
{
    stage_after(self, 0, NULL, on_tick);
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    load_finish(self, req, status);
}

static void on_served(struct stage *self, struct request *req)
{
    struct server *state = self->state;
    state->served++;
    stage_complete_above(self, req, REQUEST_DONE);
}

static void submit(struct stage *self, struct request *req)
{
    struct server *state = self->state;
    stage_after(self, state->service, req, on_served);
}

static void settle(struct stage *self, struct request *req)
{
    if (stage_now(self) >= req->due + SIM_US / 2) {
        stage_phase_since(self, req, 1, req->due + SIM_US / 2);
    }
}

static void report(const struct stage *self, struct report *out)
{
    const struct server *state = self->state;
    report_count(out, "served", state->served);
}

static const struct model ticker_model = {
    .name = "ticker",
    .phases = phases,
    .phase_count = 2,
    .state_size = sizeof(struct ticker),
    .load = true,
    .start = start,
    .complete = complete,
};
static const struct model server_model = {
    .name = "server",
    .phases = phases,
    .phase_count = 2,
    .state_size = sizeof(struct server),
    .bottom = true,
    .submit = submit,
    .settle = settle,
    .report = report,
};

static void set_up(void)
{
    struct error err = { 0 };
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    ticker = stack_add_stage(engine, "load", &ticker_model)->state;
    server = stack_add_stage(engine, "server", &server_model)->state;
    ticker->burst = 1;
    server->service = SIM_NS;
    cr_assert(stack_build(engine, &err));
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(engine, .init = set_up, .fini = tear_down);

/* ---- The window. ---- */

Test(engine, a_run_without_warm_up_counts_from_its_first_instant)
{
    engine_run(engine, &(struct engine_span){ .measure = 10 * SIM_US });
    const struct load *load = &engine->loads[0];
    cr_expect_eq(load->created, 10);
    cr_expect_eq(load->record.arrivals, 10);
    cr_expect_eq(load->record.cut, 0);
    cr_expect_eq(load->record.completed_in_window, 10);
    cr_expect_eq(engine->report.entries[0].value, 10);
    cr_expect_eq(engine->events.now, 10 * SIM_US);
}

Test(engine, what_was_due_in_the_warm_up_is_cut)
{
    server->service = 2500 * SIM_NS;
    engine_run(engine, &(struct engine_span){
                           .warmup = 5 * SIM_US, .measure = 10 * SIM_US, .drain = SIM_MS });
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->arrivals, 10); /* due at 5 .. 14 us */
    cr_expect_eq(record->cut, 5);
    cr_expect_eq(record->completed, 10);
    cr_expect_eq(record->lat.count, 10);
    /* Ends fall into the window by when they happen: those due at 3 .. 12. */
    cr_expect_eq(record->completed_in_window, 10);
    cr_expect_eq(engine->report.entries[0].value, 10);
    /* Little: 2.5 of them are under way at any instant. */
    cr_expect(record->outstanding == 25 * SIM_US);
}

/* Of the warm-up's last instant, of the window's first and last: an end at the very end counts. */
Test(engine, the_window_includes_both_its_instants_for_ends)
{
    server->service = SIM_US;
    engine_run(engine,
               &(struct engine_span){ .warmup = 5 * SIM_US, .measure = 10 * SIM_US, .drain = 0 });
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->completed_in_window, 11); /* due at 4 .. 14 */
    cr_expect_eq(record->unfinished, 0);
    cr_expect_eq(record->completed, 10);
}

Test(engine, what_is_left_is_settled_and_counted)
{
    server->service = SIM_S;
    engine_run(engine, &(struct engine_span){ .measure = 4 * SIM_US });
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->unfinished, 4);
    cr_expect_eq(record->oldest, 4 * SIM_US);
    cr_expect(record->unfinished_phases[2] == 2 * SIM_US);
    cr_expect(record->unfinished_phases[3] == 8 * SIM_US);
    cr_expect(record->outstanding == 10 * SIM_US);
}

/* Nothing is in flight when the window ends: there is nothing to drain. */
Test(engine, an_empty_stack_needs_no_drain)
{
    engine_run(engine, &(struct engine_span){ .measure = 10 * SIM_US, .drain = SIM_S });
    cr_expect_eq(engine->end, 10 * SIM_US);
    cr_expect_eq(engine->events.now, 10 * SIM_US);
}

/* ---- Slices. ---- */

/* Far enough: a call stops at each edge of the window. */
static bool advance(sim_time until)
{
    bool more = true;
    for (int calls = 0; more && calls < 4; calls++) {
        more = engine_advance(engine, until);
    }
    return more;
}

Test(engine, slices_give_what_one_run_gives)
{
    struct engine_span span = { .warmup = 3 * SIM_US, .measure = 20 * SIM_US, .drain = SIM_MS };
    server->service = 1700 * SIM_NS;
    engine_run(engine, &span);
    struct record whole = engine->loads[0].record;
    int64_t served = engine->report.entries[0].value;
    uint64_t event_count = engine->event_count;
    tear_down();
    set_up();
    server->service = 1700 * SIM_NS;
    engine_start(engine, &span);
    sim_time until = 0;
    while (advance(until)) {
        until += 333 * SIM_NS;
    }
    cr_expect_lt(until, 30 * SIM_US, "it ends when nothing is in flight");
    engine_end(engine);
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(engine->event_count, event_count);
    cr_expect_eq(engine->report.entries[0].value, served);
    cr_expect_eq(record->completed_in_window, whole.completed_in_window);
    cr_expect(record->lat.sum == whole.lat.sum && record->outstanding == whole.outstanding);
}

Test(engine, goes_on_to_the_end_of_the_drain)
{
    server->service = SIM_S;
    engine_start(engine, &(struct engine_span){ .measure = 10 * SIM_US, .drain = SIM_US });
    cr_expect(advance(5 * SIM_US));
    cr_expect(advance(11 * SIM_US - 1));
    cr_expect_not(advance(11 * SIM_US));
    engine_end(engine);
    cr_expect_eq(engine->events.now, 11 * SIM_US);
    cr_expect_eq(engine->loads[0].record.oldest, 11 * SIM_US);
}

Test(engine, may_be_ended_before_its_time)
{
    server->service = SIM_S;
    engine_start(engine, &(struct engine_span){ .measure = 10 * SIM_US });
    cr_expect(advance(3 * SIM_US));
    engine_end(engine);
    cr_expect_eq(engine->events.now, 3 * SIM_US);
    cr_expect_eq(engine->loads[0].record.unfinished, 4);
    cr_expect_eq(engine->loads[0].record.oldest, 3 * SIM_US);
}

Test(engine, a_counted_window_ends_with_its_last_request)
{
    server->service = 2500 * SIM_NS;
    struct engine_span span = {
        .warmup = 5 * SIM_US, .measure = SIM_S, .drain = SIM_S, .requests = 7
    };
    engine_run(engine, &span);
    const struct load *load = &engine->loads[0];
    cr_expect_eq(load->record.arrivals, 7); /* due at 5 .. 11 us */
    cr_expect_eq(load->record.cut, 5);
    cr_expect_eq(load->record.lat.count, 7);
    cr_expect_eq(load->record.unfinished, 0);
    cr_expect_eq(load->created, 12);
    cr_expect_eq(engine->window_end, 11 * SIM_US + 1);
}

/* ---- Runs that fail. ---- */

Test(engine, too_many_requests_end_a_run)
{
    ticker->burst = 1000;
    server->service = SIM_S;
    engine_start(engine, &(struct engine_span){ .measure = SIM_S });
    while (engine_advance(engine, SIM_NEVER)) {
    }
    cr_expect(engine->exhausted);
    engine_end(engine);
    cr_expect_leq(engine->pool.live, ENGINE_REQUESTS_MAX + 1000);
    cr_expect_eq(engine->loads[0].unfinished, engine->loads[0].created);
}

static void on_again(struct stage *self, struct request *none)
{
    (void)none;
    stage_after(self, 0, NULL, on_again);
}

Test(engine, time_that_stands_still_ends_a_run)
{
    engine_start(engine, &(struct engine_span){ .measure = SIM_S });
    stage_at(engine->stages[0], 5 * SIM_US, NULL, on_again);
    while (engine_advance(engine, SIM_NEVER)) {
    }
    cr_expect(engine->stalled);
    cr_expect_eq(engine->events.now, 5 * SIM_US);
    engine_end(engine);
}

/* ---- Identities. ---- */

Test(engine, time_that_nobody_was_charged_is_noticed, .signal = SIGABRT)
{
    engine_start(engine, &(struct engine_span){ .measure = 10 * SIM_US });
    advance(5 * SIM_US);
    engine->stages[1]->presence++;
    engine_end(engine);
}

Test(engine, a_request_that_vanished_is_noticed, .signal = SIGABRT)
{
    engine_start(engine, &(struct engine_span){ .measure = 10 * SIM_US });
    advance(5 * SIM_US);
    engine->loads[0].created++;
    engine_end(engine);
}

Test(engine, a_span_without_a_window_is_a_programmers_mistake, .signal = SIGABRT)
{
    engine_start(engine, &(struct engine_span){ .measure = 0 });
}
