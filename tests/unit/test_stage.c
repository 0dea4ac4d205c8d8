/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/unit/machine.h"

/* What the rules of a whole run are, tests/conformance shows; here are the calls one by one. */

static struct arena *arena;
static struct engine *engine;
static struct stage *load;
static struct stage *middle;
static struct stage *bottom;
static struct log events;

enum phase { DOWN, UP };

static const struct phase_info phases[] = {
    [DOWN] = { .name = "down" },
    [UP] = { .name = "up", .back = true },
};

static void note_submit(struct stage *self, struct request *req)
{
    (void)req;
    log_add(&events, self == middle ? 'm' : 'b', stage_now(self));
}

static void note_complete(struct stage *self, struct request *req, enum request_status status)
{
    (void)req;
    static const char letters[] = {
        [REQUEST_DONE] = 'D', [REQUEST_DROPPED] = 'X', [REQUEST_FAILED] = 'F'
    };
    log_add(&events, self == load ? letters[status] : 'M', stage_now(self));
}

static const struct model load_model = {
    .name = "load", .phases = phases, .phase_count = 2, .load = true, .complete = note_complete
};
static const struct model middle_model = {
    .name = "middle",
    .phases = phases,
    .phase_count = 2,
    .submit = note_submit,
    .complete = note_complete,
    .completes_early = true,
};
static const struct model bottom_model = {
    .name = "bottom", .phases = phases, .phase_count = 2, .bottom = true, .submit = note_submit
};

static void set_up(void)
{
    struct error err = { 0 };
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    load = stack_add_stage(engine, "load", &load_model);
    middle = stack_add_stage(engine, "middle", &middle_model);
    bottom = stack_add_stage(engine, "bottom", &bottom_model);
    cr_assert(stack_build(engine, &err));
    engine_start(engine, &(struct engine_span){ .measure = SIM_S });
    engine_advance(engine, 0);
    events.count = 0;
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(stage, .init = set_up, .fini = tear_down);

static void pass_to(sim_time now)
{
    run_until(engine, now);
    engine->events.now = now;
}

/* ---- Doors. ---- */

Test(stage, doors_are_direct_calls)
{
    struct request *req = load_request(load, 0);
    stage_submit_below(load, req);
    log_check(&events, "m0");
    stage_submit_below(middle, req);
    stage_complete_above(bottom, req, REQUEST_DONE);
    log_check(&events, "m0 b0 M0");
    stage_complete_above(middle, req, REQUEST_DONE);
    log_check(&events, "m0 b0 M0 D0");
    load_finish(load, req, REQUEST_DONE);
    cr_expect_eq(engine->pool.live, 0);
}

Test(stage, what_is_aimed_at_an_entered_stage_waits)
{
    struct request *req = load_request(load, 0);
    middle->entered = true;
    stage_submit_below(load, req);
    cr_expect_eq(events.count, 0);
    middle->entered = false;
    pass_to(0);
    log_check(&events, "m0");
    load->entered = true;
    stage_complete_above(middle, req, REQUEST_FAILED);
    log_check(&events, "m0");
    load->entered = false;
    pass_to(0);
    log_check(&events, "m0 F0");
}

/* Everything deferred keeps its order and its status. */
Test(stage, deferred_calls_keep_their_order)
{
    struct request *reqs[3];
    for (int i = 0; i < 3; i++) {
        reqs[i] = load_request(load, 0);
        stage_submit_below(load, reqs[i]);
    }
    events.count = 0;
    load->entered = true;
    stage_complete_above(middle, reqs[1], REQUEST_DROPPED);
    stage_complete_above(middle, reqs[0], REQUEST_DONE);
    stage_complete_above(middle, reqs[2], REQUEST_FAILED);
    load->entered = false;
    pass_to(0);
    log_check(&events, "X0 D0 F0");
}

/* ---- Phases. ---- */

static void check_spent(const struct clock *clock, const sim_time *expected)
{
    for (unsigned i = 0; i < 6; i++) {
        cr_expect_eq(clock->spent[i], expected[i], "phase %u: %lld, not %lld", i,
                     (long long)clock->spent[i], (long long)expected[i]);
    }
}

Test(stage, every_picosecond_belongs_to_a_phase)
{
    struct request *req = load_request(load, 0);
    pass_to(1);
    stage_submit_below(load, req); /* into the first phase of the middle */
    pass_to(11);
    stage_phase(middle, req, UP);
    pass_to(111);
    stage_phase(middle, req, DOWN);
    pass_to(1111);
    stage_submit_below(middle, req);
    pass_to(11111);
    stage_phase_since(bottom, req, UP, 2111);
    stage_complete_above(bottom, req, REQUEST_DONE); /* into the phase marked back */
    pass_to(111111);
    stage_complete_above(middle, req, REQUEST_DONE);
    pass_to(1111111);
    load_finish(load, req, REQUEST_DONE);
    engine_end(engine);
    sim_sum spent[WAY_PHASES_MAX];
    attribution_band(&engine->loads[0].record.lat_phases, -1, INT64_MAX, spent);
    static const sim_time expected[] = { 1, 1000000, 1010, 100100, 1000, 9000 };
    for (unsigned i = 0; i < 6; i++) {
        cr_expect(spent[i] == expected[i], "phase %u: %lld", i, (long long)spent[i]);
    }
    cr_expect_eq(engine->loads[0].record.lat.max, 1111111);
}

Test(stage, a_late_request_has_waited_at_its_load)
{
    pass_to(500);
    struct request *req = load_request(load, 100);
    stage_submit_below(load, req);
    check_spent(&req->travel, (const sim_time[6]){ 400 });
}

/* From the fork on one clock goes up and one goes down. */
Test(stage, an_early_completion_forks_the_clock)
{
    struct request *req = load_request(load, 0);
    pass_to(1);
    stage_submit_below(load, req);
    pass_to(11);
    stage_complete_early(middle, req);
    cr_expect(request_is_forked(req));
    log_check(&events, "m0+ D0+");
    pass_to(111);
    stage_submit_below(middle, req);
    pass_to(1111);
    load_finish(load, req, REQUEST_DONE);
    check_spent(&req->up, (const sim_time[6]){ 1, 1100, 10 });
    cr_expect_eq(engine->pool.live, 1);
    pass_to(11111);
    stage_complete_above(bottom, req, REQUEST_DONE);
    stage_complete_above(middle, req, REQUEST_DONE);
    cr_expect_eq(engine->pool.live, 0);
    engine_end(engine);
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->lat.max, 1111);
    cr_expect_eq(record->delivered.max, 11111);
}

/* ---- Randomness. ---- */

static struct request *make(uint64_t number)
{
    struct request *req;
    do {
        req = load_request(load, 0);
    } while (req->number < number);
    return req;
}

static const struct distribution unit = { .kind = DISTRIBUTION_UNIFORM, .span = 1 << 30 };

/* The draws of request 7 are the same, whatever others drew before. */
Test(stage, draws_are_keyed_by_request_and_index)
{
    struct request *req = make(7);
    sim_time first = stage_draw(middle, req, &unit);
    sim_time second = stage_draw(middle, req, &unit);
    sim_time below = stage_draw(bottom, req, &unit);
    cr_expect_neq(first, second);
    cr_expect_neq(first, below);
    tear_down();
    set_up();
    struct request *others = make(6);
    stage_draw(middle, others, &unit);
    req = make(7);
    cr_expect_eq(stage_draw(bottom, req, &unit), below);
    cr_expect_eq(stage_draw(middle, req, &unit), first);
    cr_expect_eq(stage_draw(middle, req, &unit), second);
    cr_expect_neq(stage_draw(middle, make(8), &unit), first);
}

/* A constant counts as a draw, so that a variant with one keeps the other draws. */
Test(stage, a_constant_takes_the_place_of_a_draw)
{
    struct request *req = make(0);
    struct distribution constant = distribution_constant(5);
    cr_expect_eq(stage_draw(middle, req, &constant), 5);
    sim_time second = stage_draw(middle, req, &unit);
    tear_down();
    set_up();
    req = make(0);
    stage_draw(middle, req, &unit);
    cr_expect_eq(stage_draw(middle, req, &unit), second);
}

Test(stage, children_draw_for_themselves)
{
    struct request *req = load_request(load, 0);
    stage_submit_below(load, req);
    struct request *one = stage_create_child(middle, req, 1);
    struct request *two = stage_create_child(middle, req, 2);
    cr_expect_eq(one->number, req->number);
    cr_expect_eq(one->parent, req);
    sim_time drawn = stage_draw(middle, one, &unit);
    cr_expect_neq(drawn, stage_draw(middle, two, &unit));
    cr_expect_neq(drawn, stage_draw(middle, req, &unit));
}

/* ---- Loads. ---- */

Test(stage, the_largest_request_on_the_way_is_known)
{
    load_declare(load, REQUEST_READ, 4096);
    load_declare(load, REQUEST_READ, 512);
    cr_expect_eq(stage_size_max(bottom, REQUEST_READ), 4096);
    cr_expect_eq(stage_size_max(bottom, REQUEST_WRITE), 0);
}

Test(stage, nothing_is_wanted_after_the_window)
{
    cr_expect(load_may_send(load, SIM_S - 1));
    cr_expect_not(load_may_send(load, SIM_S));
}

Test(stage, time_goes_by_handlers)
{
    sim_event_id id = stage_after(middle, 10, NULL, note_submit);
    cr_expect_neq(stage_move(middle, id, 3 * SIM_NS), 0);
    stage_at(bottom, 2 * SIM_NS, NULL, note_submit);
    cr_expect(stage_cancel(middle, stage_after(middle, SIM_NS, NULL, note_submit)));
    pass_to(SIM_US);
    log_check(&events, "b2 m3");
}

Test(stage, a_sequence_goes_by_the_number_of_the_request)
{
    static const sim_time values[] = { 10, 11, 12 };
    struct distribution sequence = distribution_sequence(values, 3);
    struct request *reqs[5];
    for (int i = 0; i < 5; i++) {
        reqs[i] = load_request(load, 0);
    }
    for (int i = 4; i >= 0; i--) { /* whoever asks first, and however often */
        cr_expect_eq(stage_draw(load, reqs[i], &sequence), values[i % 3]);
        cr_expect_eq(stage_draw(load, reqs[i], &sequence), values[i % 3]);
    }
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(stage_draw_own(load, &sequence), values[i % 3]);
    }
    cr_expect_eq(stage_draw_own(middle, &sequence), values[0]);
}
