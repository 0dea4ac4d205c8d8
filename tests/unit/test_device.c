/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/theory/build.h"
#include "tests/unit/scripted.h"

static struct arena *arena;
static struct engine *engine;
static struct stage *device;
static struct script *script;

static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    script = stack_add_stage(engine, "script", &script_model)->state;
    device = add_stage(engine, "device", "device");
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(device, .init = set_up, .fini = tear_down);

static void send(size_t count, sim_time at)
{
    script_add(script, count, at, REQUEST_READ, 4096);
}

static void run_for(sim_time measure, sim_time drain)
{
    build(engine);
    engine_run(engine, &(struct engine_span){ .measure = measure, .drain = drain });
}

static void run(void)
{
    run_for(SIM_S, SIM_S);
}

static void expect_done(const sim_time *times_us, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(script->done[i], times_us[i] * SIM_US, "request %zu is done at %ld ps", i,
                     script->done[i]);
    }
}

/* The time that requests spent in a phase of the device: those done, or those left. */
static sim_time spent(const char *phase, bool left)
{
    const struct load *load = &engine->loads[0];
    sim_sum sums[WAY_PHASES_MAX];
    attribution_band(&load->record.lat_phases, -1, SIM_NEVER, sums);
    for (unsigned i = 0; i < load->phase_count; i++) {
        if (load->phases[i].stage == device && strcmp(load->phases[i].name, phase) == 0) {
            return (sim_time)(left ? load->record.unfinished_phases[i] : sums[i]);
        }
    }
    cr_assert_fail("no phase %s", phase);
    return 0;
}

/* ---- Servers. ---- */

Test(device, serves_first_come_first_served)
{
    send(3, 0);
    send(1, 100 * SIM_US);
    set_value(device, "service", 10 * SIM_US);
    run();
    expect_done((sim_time[]){ 10, 20, 30, 110 }, 4);
}

Test(device, serves_as_many_at_once_as_it_has_servers)
{
    send(5, 0);
    send(1, 15 * SIM_US);
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "servers", 2);
    run();
    expect_done((sim_time[]){ 10, 10, 20, 20, 30, 30 }, 6);
}

/* The server that is free first takes the next: 3 of them, whose ends differ by their begins. */
Test(device, the_first_free_server_takes_the_next_request)
{
    for (sim_time at = 0; at < 8; at++) {
        send(1, at * SIM_US);
    }
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "servers", 3);
    run();
    expect_done((sim_time[]){ 10, 11, 12, 20, 21, 22, 30, 31 }, 8);
}

Test(device, a_delay_holds_no_server)
{
    send(3, 0);
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "delay", 500 * SIM_US);
    run();
    expect_done((sim_time[]){ 510, 520, 530 }, 3);
    cr_expect_eq(spent("queued", false), 30 * SIM_US);
    cr_expect_eq(spent("service", false), 30 * SIM_US);
    cr_expect_eq(spent("delay", false), 1500 * SIM_US);
}

Test(device, needs_no_time_by_default)
{
    send(3, 7 * SIM_US);
    run();
    expect_done((sim_time[]){ 7, 7, 7 }, 3);
}

Test(device, counts_what_it_served)
{
    send(4, 0);
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "servers", 2);
    run();
    cr_expect_eq(reported(&engine->report, "device", "served"), 4);
    cr_expect_eq(reported(&engine->report, "device", "busy"), 20 * SIM_US, "of each server");
}

/* ---- The cap. ---- */

Test(device, a_cap_spaces_the_starts)
{
    send(3, 0);
    send(3, 100 * SIM_US); /* idle time earns nothing */
    set_value(device, "service", SIM_US);
    set_value(device, "servers", 8);
    set_value(device, "rate", 100000 * 1000);
    run();
    expect_done((sim_time[]){ 1, 11, 21, 101, 111, 121 }, 6);
    cr_expect_eq(spent("queued", false), 60 * SIM_US);
}

Test(device, a_cap_above_what_the_servers_do_changes_nothing)
{
    send(3, 0);
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "rate", 1000000 * 1000);
    run();
    expect_done((sim_time[]){ 10, 20, 30 }, 3);
}

/* ---- Order. ---- */

enum { SHUFFLED = 100 };

static void run_shuffled(bool in_order, sim_time *done)
{
    tear_down();
    set_up();
    send(SHUFFLED, 0);
    set_value(device, "servers", SHUFFLED);
    set_value(device, "service", SIM_US);
    set_distribution(device, "delay", distribution_exponential(10 * SIM_US));
    set_value(device, "in_order", in_order);
    run();
    memcpy(done, script->done, SHUFFLED * sizeof(done[0]));
}

/* Draws are the request's, so both runs have the same. */
Test(device, in_order_a_request_waits_for_all_before_it)
{
    sim_time free[SHUFFLED];
    sim_time ordered[SHUFFLED];
    run_shuffled(false, free);
    run_shuffled(true, ordered);
    sim_time latest = 0;
    int held_up = 0;
    for (int i = 0; i < SHUFFLED; i++) {
        held_up += free[i] < latest;
        latest = free[i] > latest ? free[i] : latest;
        cr_expect_eq(ordered[i], latest, "request %d", i);
    }
    cr_expect_gt(held_up, SHUFFLED / 2);
}

/* ---- What is left when the run ends, at 12 us. ---- */

static void check_left(int64_t servers)
{
    send(4, 0);
    send(2, 3 * SIM_US);
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "delay", 5 * SIM_US);
    set_value(device, "servers", servers);
    run_for(12 * SIM_US, 0);
    cr_expect_eq(engine->loads[0].record.unfinished, 6u);
    cr_expect_eq(spent("queued", true) + spent("service", true) + spent("delay", true),
                 (4 * 12 + 2 * 9) * SIM_US);
}

Test(device, one_server_leaves_requests_in_their_phases)
{
    check_left(1);
    cr_expect_eq(spent("delay", true), 2 * SIM_US);
    cr_expect_eq(spent("service", true), 12 * SIM_US);
}

Test(device, several_servers_leave_requests_in_their_phases)
{
    check_left(3);
    cr_expect_eq(spent("delay", true), 3 * 2 * SIM_US);
    cr_expect_eq(spent("service", true), (3 * 10 + 3 * 2) * SIM_US);
    cr_expect_eq(spent("queued", true), (10 + 2 * 7) * SIM_US);
}

/* At 10 us the first service ends and the second begins. */
Test(device, a_run_may_end_at_the_edge_of_a_phase)
{
    send(2, 0);
    set_value(device, "service", 10 * SIM_US);
    set_value(device, "delay", 5 * SIM_US);
    run_for(10 * SIM_US, 0);
    cr_expect_eq(spent("queued", true), 10 * SIM_US);
    cr_expect_eq(spent("service", true), 10 * SIM_US);
    cr_expect_eq(spent("delay", true), 0);
}
