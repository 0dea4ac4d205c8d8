/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/unit/machine.h"

static struct arena *arena;
static struct engine *engine;
static struct stage *load;
static struct cpu *loop;
static struct busy_client client;
static struct log events;

static const struct phase_info phases[] = { { .name = "only" } };
static const struct model load_model = {
    .name = "load", .phases = phases, .phase_count = 1, .load = true
};
static const struct model bottom_model = {
    .name = "bottom", .phases = phases, .phase_count = 1, .bottom = true
};

/* Commands of 5 ns, 10 ns apart, on a loop of 1 ns. */
static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    struct cpu_config config = { 1, distribution_constant(2 * SIM_NS), SIM_NS };
    struct error err = { 0 };
    loop = stack_add_cpu(engine, "loop", &config);
    load = stack_add_stage(engine, "load", &load_model);
    stack_add_stage(engine, "bottom", &bottom_model);
    cr_assert(stack_build(engine, &err));
    events.count = 0;
    client = (struct busy_client){ .poll = true,
                                   .command = distribution_constant(5 * SIM_NS),
                                   .turnaround = distribution_constant(10 * SIM_NS) };
    busy_client_init(&client, load, loop);
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(busy_client, .init = set_up, .fini = tear_down);

static void on_item(struct stage *self, struct request *none)
{
    (void)none;
    log_add(&events, 'i', stage_now(self));
}

static void on_work(struct stage *self, struct request *none)
{
    cpu_run(loop, CPU_THREAD, 0, self, none, on_item);
}

static void on_answered(struct stage *self, struct request *none)
{
    (void)self;
    (void)none;
    busy_client_stop(&client);
}

/* Due at 10, an iteration, 5 ns of command, 10 ns of pause: 26, 42 .. */
Test(busy_client, sends_the_next_after_an_answer)
{
    busy_client_start(&client);
    run_until(engine, 50 * SIM_NS);
    cr_expect_eq(client.commands, 3);
    cr_expect_eq(cpu_busy(loop, CPU_IDLE), 15 * SIM_NS);
    cr_expect_eq(cpu_wakeups(loop), 0, "its commands pay no wake-up");
}

Test(busy_client, stops_with_the_last_answer)
{
    busy_client_start(&client);
    busy_client_start(&client);
    stage_at(load, 12 * SIM_NS, NULL, on_answered);
    stage_at(load, 30 * SIM_NS, NULL, on_answered);
    run_until(engine, SIM_US);
    cr_expect_eq(client.commands, 2);
    cr_expect_not(client.under_way);
    busy_client_start(&client);
    run_until(engine, stage_now(load) + 10 * SIM_NS);
    cr_expect_eq(client.commands, 3);
}

/* One chain of commands, however many answers are awaited, also across a gap. */
Test(busy_client, sends_one_at_a_time)
{
    busy_client_start(&client);
    busy_client_stop(&client);
    busy_client_start(&client);
    run_until(engine, 50 * SIM_NS);
    cr_expect_eq(client.commands, 3);
}

/* Work that is ready when the command is due comes first, what comes during it waits for it. */
Test(busy_client, holds_up_work_for_one_command)
{
    busy_client_start(&client);
    stage_at(load, 12 * SIM_NS, NULL, on_work); /* command until 16, an iteration */
    stage_at(load, 24 * SIM_NS, NULL, on_work); /* a wake-up until 26, an iteration, before the
                                                   command of 26 */
    run_until(engine, 30 * SIM_NS);
    log_check(&events, "i17 i27");
}

Test(busy_client, sleeps_if_it_does_not_poll)
{
    client.poll = false;
    busy_client_start(&client);
    run_until(engine, SIM_US);
    cr_expect_eq(client.commands, 0);
    busy_client_stop(&client);
    cr_expect_eq(client.awaited, 0);
}
