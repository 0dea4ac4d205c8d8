/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/unit/machine.h"

/* A stage that holds what comes from above in a completion queue, as if it had come back. */
struct holder {
    struct completion_queue queue;
    sim_time ends; /* what the end of a pass costs */
};

static struct arena *arena;
static struct engine *engine;
static struct log events;

static void on_taken(struct stage *self, struct request *req)
{
    log_add(&events, (char)('a' + req->number), stage_now(self));
    stage_complete_above(self, req, req->status);
}

static void on_ended(struct stage *self, struct request *none)
{
    (void)none;
    log_add(&events, '!', stage_now(self));
}

static void on_pass_ended(struct stage *self, struct request *none)
{
    struct holder *holder = self->state;
    cr_expect_null(none);
    log_add(&events, '.', stage_now(self));
    if (holder->ends > 0) {
        cpu_continue(holder->queue.cpu, holder->ends, self, NULL, on_ended);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct holder *holder = self->state;
    completion_queue_push(&holder->queue, req, REQUEST_DONE);
}

static const struct phase_info phases[] = { { .name = "used" } };

static const struct model holder_model = {
    .name = "holder",
    .phases = phases,
    .phase_count = 1,
    .state_size = sizeof(struct holder),
    .bottom = true,
    .submit = submit,
};

static void on_due(struct stage *self, struct request *none)
{
    (void)none;
    stage_submit_below(self, load_request(self, stage_now(self)));
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    load_finish(self, req, status);
}

static const struct model load_model = {
    .name = "load", .phases = phases, .phase_count = 1, .load = true, .complete = complete
};

/* Requests at these nanoseconds, up to a negative one. */
static struct holder *run(sim_time wake, sim_time ends, const sim_time *due)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    events.count = 0;
    struct cpu_config config = { 1, distribution_constant(wake), -1 };
    struct cpu *cpu = stack_add_cpu(engine, "cpu", &config);
    struct stage *load = stack_add_stage(engine, "load", &load_model);
    struct stage *stage = stack_add_stage(engine, "holder", &holder_model);
    struct holder *holder = stage->state;
    struct error err = { 0 };
    cr_assert(stack_build(engine, &err));
    holder->ends = ends;
    holder->queue = (struct completion_queue){ .stage = stage,
                                               .cpu = cpu,
                                               .interrupt = 100 * SIM_NS,
                                               .take = 10 * SIM_NS,
                                               .on_taken = on_taken,
                                               .on_pass_ended = on_pass_ended };
    completion_queue_init(&holder->queue, 0);
    for (; *due >= 0; due++) {
        stage_at(load, *due * SIM_NS, NULL, on_due);
    }
    engine_run(engine, &(struct engine_span){ .measure = SIM_MS });
    cr_expect_eq(engine->pool.live, 0);
    return holder;
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(completion_queue, .fini = tear_down);

Test(completion_queue, a_push_interrupts_and_a_pass_takes_it)
{
    struct holder *holder = run(5 * SIM_NS, 0, (const sim_time[]){ 0, 1000, -1 });
    log_check(&events, "a115 .115 b1115 .1115");
    cr_expect_eq(holder->queue.interrupts, 2);
}

/* c lands while b is taken: the same pass takes it, and nobody is interrupted for it. */
Test(completion_queue, what_lands_during_a_pass_is_taken_by_it)
{
    struct holder *holder = run(0, 0, (const sim_time[]){ 0, 0, 115, -1 });
    log_check(&events, "a110 b120 c130 .130");
    cr_expect_eq(holder->queue.interrupts, 2);
}

/* A pass that takes longer than an interrupt: what lands early in it would be seen. */
Test(completion_queue, interrupts_are_off_during_a_pass)
{
    static const sim_time due[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 105, -1 };
    struct holder *holder = run(0, 0, due);
    cr_expect_eq(holder->queue.interrupts, 12);
    cr_expect_eq(events.count, 14, "one pass takes all");
    cr_expect_eq(events.letters[13], '.');
}

/* The interrupt of b was on its way as the pass began, and finds c: the pass runs once more. */
Test(completion_queue, an_interrupt_of_before_the_pass_still_comes)
{
    struct holder *holder = run(0, 0, (const sim_time[]){ 0, 20, 115, -1 });
    log_check(&events, "a110 b120 c130 .130 .130");
    cr_expect_eq(holder->queue.interrupts, 2);
}

/* The second interrupt, at 190, finds that the pass has taken all. */
Test(completion_queue, an_interrupt_that_finds_nothing_does_nothing)
{
    struct holder *holder = run(0, 0, (const sim_time[]){ 0, 90, -1 });
    log_check(&events, "a110 b120 .120");
    cr_expect_eq(holder->queue.interrupts, 1);
}

/* b lands after the pass has found nothing more, while its end is paid: it needs a pass. */
Test(completion_queue, after_the_last_one_interrupts_are_on)
{
    struct holder *holder = run(0, 50 * SIM_NS, (const sim_time[]){ 0, 120, -1 });
    log_check(&events, "a110 .110 !160 b230 .230 !280");
    cr_expect_eq(holder->queue.interrupts, 2);
}
