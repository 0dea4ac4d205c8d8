/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/theory/build.h"
#include "tests/unit/scripted.h"

static struct arena *arena;
static struct engine *engine;
static struct stage *load;
static struct stage *device;
static struct watch *watch;

/* Over a serial device; tests that need one give it a cpu. */
static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    load = add_stage(engine, "load", "closed_load");
    watch = stack_add_stage(engine, "watch", &watch_model)->state;
    device = add_stage(engine, "device", "device");
    set_value(device, "service", 10 * SIM_US);
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(closed_load, .init = set_up, .fini = tear_down);

/* The thread runs on a cpu, which wakes up in `wake`. */
static void add_app(sim_time wake)
{
    set_cpu(load, "cpu", add_cpu(engine, "app", 1, distribution_constant(wake)));
}

static void run(void)
{
    build(engine);
    engine_run(engine, &(struct engine_span){ .measure = SIM_MS, .drain = SIM_S });
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->unfinished, 0u);
    cr_expect_eq((int64_t)engine->loads[0].created, watch->up);
}

static void expect_down(const sim_time *times_us, size_t count)
{
    cr_assert_geq(watch->down, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(watch->seen[i].down, times_us[i] * SIM_US, "request %zu is sent at %ld ps", i,
                     watch->seen[i].down);
    }
}

/* ---- Depth. ---- */

Test(closed_load, keeps_its_depth_outstanding_and_no_more)
{
    static const int64_t depths[] = { 1, 2, 7, 64 };
    for (size_t i = 0; i < ARRAY_LENGTH(depths); i++) {
        for (int64_t batch = 1; batch <= 16; batch *= 4) {
            for (int64_t wait = 1; wait <= 16; wait *= 4) {
                tear_down();
                set_up();
                set_value(load, "depth", depths[i]);
                set_value(load, "submit_batch", batch);
                set_value(load, "wait", wait);
                set_value(load, "submit", 300 * SIM_NS);
                set_value(load, "reap", 200 * SIM_NS);
                set_value(device, "service", 40 * SIM_US); /* longer than to send them all */
                add_app(2 * SIM_US);
                run();
                cr_expect_eq(watch->inside_max, depths[i], "depth %ld: %ld", depths[i],
                             watch->inside_max);
            }
        }
    }
}

Test(closed_load, sends_when_one_is_back)
{
    set_value(load, "depth", 3);
    run();
    expect_down((sim_time[]){ 0, 0, 0, 10, 20, 30, 40 }, 7);
}

/* The device could serve 100; those due before 1 ms are sent. */
Test(closed_load, stops_at_the_end)
{
    run();
    cr_expect_eq(watch->down, 100);
    cr_expect_eq(watch->seen[99].down, 990 * SIM_US);
}

/* ---- Batches. ---- */

static void expect_left(const uint16_t *left, size_t count)
{
    cr_assert_geq(watch->down, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(watch->seen[i].batch_left, left[i], "request %zu: %u", i,
                     watch->seen[i].batch_left);
    }
}

Test(closed_load, a_request_says_how_many_follow_in_its_call)
{
    set_value(load, "depth", 10);
    set_value(load, "submit_batch", 4);
    set_value(load, "wait", 3);
    run();
    expect_left((uint16_t[]){ 3, 2, 1, 0, 3, 2, 1, 0, 1, 0, 2, 1, 0, 2, 1, 0 }, 16);
}

Test(closed_load, by_default_each_request_is_a_call)
{
    set_value(load, "depth", 4);
    run();
    expect_left((uint16_t[]){ 0, 0, 0, 0, 0, 0 }, 6);
    cr_expect_eq(reported(&engine->report, "load", "calls"), watch->down);
}

/* The thread pays for one after the other, and each goes down when it is paid. */
Test(closed_load, a_batch_is_paid_one_by_one)
{
    set_value(load, "depth", 4);
    set_value(load, "submit_batch", 4);
    set_value(load, "submit", 2 * SIM_US);
    add_app(0);
    run();
    expect_down((sim_time[]){ 2, 4, 6, 8 }, 4);
}

/* ---- Waiting. ---- */

Test(closed_load, waits_for_as_many_as_it_should)
{
    set_value(load, "depth", 4);
    set_value(load, "wait", 3);
    run();
    expect_down((sim_time[]){ 0, 0, 0, 0, 30, 30, 30, 60, 60, 60 }, 10);
}

Test(closed_load, waits_for_no_more_than_are_outstanding)
{
    set_value(load, "depth", 2);
    set_value(load, "wait", 5);
    run();
    expect_down((sim_time[]){ 0, 0, 20, 20, 40, 40 }, 6);
}

/* Back at 10 and 20 us after it went down; awake 15 us after the first, it takes both. */
Test(closed_load, wakes_up_and_takes_all_that_is_visible)
{
    set_value(load, "depth", 2);
    add_app(15 * SIM_US);
    run();
    expect_down((sim_time[]){ 15, 15, 40, 40, 65, 65 }, 6);
    cr_expect_eq(engine->loads[0].record.lat.min, 25 * SIM_US);
    cr_expect_eq(engine->loads[0].record.lat.max, 25 * SIM_US);
}

/* ---- The loop of t/io_uring. ---- */

static void loop_of_io_uring(int64_t depth, int64_t batch)
{
    set_name(load, "loop", "io_uring");
    set_value(load, "depth", depth);
    set_value(load, "submit_batch", batch);
    set_value(load, "wait", batch);
}

/* The thirty-second is back 10 us x 32 + 1 ms after the first was sent. */
Test(closed_load, io_uring_makes_three_calls_and_waits_in_the_fourth)
{
    loop_of_io_uring(128, 32);
    set_value(load, "submit", SIM_US);
    set_value(device, "delay", SIM_MS);
    set_value(device, "servers", 1);
    add_app(0);
    build(engine);
    engine_run(engine, &(struct engine_span){ .measure = 2 * SIM_MS, .drain = SIM_S });
    for (int64_t i = 0; i < 160; i++) {
        sim_time sent = (i < 128 ? i + 1 : 1 + 320 + 1000 + i - 127) * SIM_US;
        cr_expect_eq(watch->seen[i].down, sent, "request %ld is sent at %ld", i,
                     watch->seen[i].down);
        cr_expect_eq(watch->seen[i].batch_left, 31 - i % 32);
    }
}

/* A second call of 32 would exceed 40: the first one waits for its 32, though 8 more may be sent.
 */
Test(closed_load, io_uring_waits_where_a_call_of_that_size_would_not_fit)
{
    loop_of_io_uring(40, 32);
    run();
    cr_expect_eq(watch->inside_max, 32);
    cr_expect_eq(watch->seen[31].down, 0);
    cr_expect_eq(watch->seen[32].down, 320 * SIM_US);
    cr_expect_eq(watch->seen[63].down, 320 * SIM_US);
}

/* The first is back at 15 us and taken when its call returns; fio's loop takes it at 40. */
Test(closed_load, io_uring_reaps_after_each_call)
{
    loop_of_io_uring(4, 2);
    set_value(load, "submit", 10 * SIM_US);
    set_value(device, "service", 5 * SIM_US);
    add_app(0);
    run();
    expect_down((sim_time[]){ 10, 20, 30, 40, 50, 60, 70, 80 }, 8);
    expect_left((uint16_t[]){ 1, 0, 1, 0, 1, 0, 1, 0 }, 8);
    cr_expect_eq(engine->loads[0].record.lat.min, 20 * SIM_US);
}

/* All slots think: nothing to wait for and nothing to send. */
Test(closed_load, io_uring_sleeps_while_there_is_nothing_to_do)
{
    loop_of_io_uring(2, 2);
    set_value(load, "think", 7 * SIM_US);
    run();
    expect_down((sim_time[]){ 7, 7, 34, 34, 61, 61 }, 6);
}

/* ---- Costs. ---- */

/* Both are back at 10 us; one is taken by 12 us, the other by 14, then the slots send. */
Test(closed_load, reaping_costs_the_thread)
{
    set_value(load, "depth", 2);
    set_value(load, "reap", 2 * SIM_US);
    set_value(device, "servers", 2);
    add_app(0);
    run();
    expect_down((sim_time[]){ 0, 0, 14, 14, 28, 28 }, 6);
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->lat.min, 12 * SIM_US);
    cr_expect_eq(record->lat.max, 14 * SIM_US);
}

Test(closed_load, without_a_cpu_costs_are_delays)
{
    set_value(load, "submit", 3 * SIM_US);
    set_value(load, "reap", 2 * SIM_US);
    run();
    expect_down((sim_time[]){ 3, 18, 33 }, 3);
    cr_expect_eq(engine->loads[0].record.lat.max, 15 * SIM_US);
}

Test(closed_load, its_cpu_is_busy_for_what_it_pays)
{
    set_value(load, "submit", 3 * SIM_US);
    set_value(load, "reap", 2 * SIM_US);
    add_app(5 * SIM_US);
    run();
    /* A round is 3 + 10 + 5 + 2 us, and it is busy for 5 of them; the first began at 5 us. */
    cr_expect_eq((sim_time)engine->cpu_busy[0][CPU_THREAD], (49 * 5 + 3) * SIM_US);
}

/* ---- Think time. ---- */

Test(closed_load, a_slot_thinks_before_each_request)
{
    set_value(load, "think", 7 * SIM_US);
    run();
    expect_down((sim_time[]){ 7, 24, 41, 58 }, 4);
    cr_expect_eq(engine->loads[0].record.lat.max, 10 * SIM_US, "thinking is no latency");
}

Test(closed_load, slots_think_side_by_side)
{
    set_value(load, "depth", 2);
    set_value(load, "think", 7 * SIM_US);
    run();
    expect_down((sim_time[]){ 7, 7, 24, 34, 44, 54 }, 6);
}

/* ---- The two ends. ---- */

/* Due when the application issues it; clat counts from the return of the call. */
Test(closed_load, clat_leaves_out_the_submitting_call)
{
    set_value(load, "submit", 2 * SIM_US);
    add_app(20 * SIM_US);
    run();
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->lat.min, 32 * SIM_US);
    cr_expect_eq(record->lat.max, 32 * SIM_US);
    cr_expect_eq(record->clat.min, 30 * SIM_US);
    cr_expect_eq(record->clat.max, 30 * SIM_US);
}

/* Three in a call that takes 6 us, due at its begin: done by 12, 22 and 32 us after that. */
Test(closed_load, requests_of_a_call_are_issued_when_it_returns)
{
    set_value(load, "depth", 3);
    set_value(load, "submit_batch", 3);
    set_value(load, "wait", 3);
    set_value(load, "submit", 2 * SIM_US);
    add_app(0);
    run();
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->lat.min, 32 * SIM_US, "all are reaped with the last");
    cr_expect_eq(record->lat.max, 32 * SIM_US);
    cr_expect_eq(record->clat.min, 26 * SIM_US);
    cr_expect_eq(record->clat.max, 26 * SIM_US);
}

/* The first is done at 5 us, the call returns at 8 us, and the request is reaped at once. */
Test(closed_load, what_is_back_before_the_call_returns_has_no_clat)
{
    set_value(load, "depth", 2);
    set_value(load, "submit_batch", 2);
    set_value(load, "submit", 4 * SIM_US);
    set_value(device, "service", SIM_US);
    add_app(0);
    run();
    cr_expect_eq(engine->loads[0].record.clat.min, 0);
}
