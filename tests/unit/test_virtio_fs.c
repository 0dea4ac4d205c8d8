/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/theory/build.h"
#include "tests/unit/scripted.h"

#define READ REQUEST_READ
#define WRITE REQUEST_WRITE

static struct arena *arena;
static struct engine *engine;
static struct stage *queue;
static struct stage *disk;
static struct script *script;
static struct watch *watch; /* of what is in the ring */
static struct cpu *worker;

/* A stack in which nothing costs time; tests give a cost to what they look at. */
static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    worker = add_cpu(engine, "worker", 1, distribution_constant(0));
    script = stack_add_stage(engine, "script", &script_model)->state;
    queue = add_stage(engine, "queue", "virtio_fs");
    watch = stack_add_stage(engine, "watch", &watch_model)->state;
    disk = add_stage(engine, "disk", "device");
    set_cpu(queue, "cpu", worker);
    const char *const costs[] = { "enqueue", "interrupt", "take", "end", "attempt", "doorbell" };
    for (size_t i = 0; i < ARRAY_LENGTH(costs); i++) {
        set_value(queue, costs[i], 0);
    }
}

static void tear_down(void)
{
    arena_destroy(arena);
}

/* For tests that build several stacks, one after the other. */
static void renew(void)
{
    tear_down();
    set_up();
}

TestSuite(virtio_fs, .init = set_up, .fini = tear_down);

static void start(void)
{
    build(engine);
    engine_start(engine, &(struct engine_span){ .measure = 10 * SIM_S });
}

static void end(void)
{
    advance_to(engine, 10 * SIM_S);
    engine_end(engine);
}

static void run(void)
{
    start();
    end();
}

/* A counter as it stands now. */
static int64_t counter(const char *name)
{
    static struct report report;
    report = (struct report){ .owner = "queue" };
    queue->model->report(queue, &report);
    return reported(&report, "queue", name);
}

/* One request at a time of the disk, `servers` of them side by side. */
static void set_disk(int64_t servers, sim_time service)
{
    set_value(disk, "servers", servers);
    set_value(disk, "service", service);
}

/* ---- The ring. ---- */

struct capacity {
    enum request_op op;
    int64_t size_bytes;
    const char *param;
    int64_t value;
    int64_t holds;
};

static void check_capacity(const struct capacity *capacity)
{
    renew();
    script_add(script, 100, 0, capacity->op, capacity->size_bytes);
    set_value(queue, capacity->param, capacity->value);
    set_disk(100, SIM_MS);
    run();
    cr_expect_eq(watch->inside_max, capacity->holds, "%ld where %ld fit", watch->inside_max,
                 capacity->holds);
    cr_expect_eq(watch->up, 100, "all come back");
}

Test(virtio_fs, holds_by_descriptors)
{
    static const struct capacity cases[] = {
        { READ, 4096, "entries", 64, 16 },     { WRITE, 4096, "entries", 64, 12 },
        { READ, 4097, "entries", 64, 12 },     { READ, 65536, "entries", 64, 3 },
        { WRITE, 65536, "entries", 64, 3 },    { READ, 4096, "entries", 67, 16 },
        { READ, 4096, "entries", 4, 1 },       { WRITE, 1, "entries", 128, 25 },
        { READ, 65536, "indirect", true, 64 }, { WRITE, 4096, "descriptors", 2, 32 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        check_capacity(&cases[i]);
    }
}

Test(virtio_fs, refuses_requests_larger_than_the_ring)
{
    script_add(script, 1, 0, WRITE, 4096);
    set_value(queue, "entries", 4);
    struct error err = { 0 };
    cr_assert_not(stack_build(engine, &err));
    cr_expect_eq(err.kind, ERROR_USER);
    cr_expect(strstr(err.message, "takes 5 descriptors") != NULL, "%s", err.message);
}

Test(virtio_fs, ops_that_are_not_sent_need_no_room)
{
    script_add(script, 1, 0, READ, 4096);
    set_value(queue, "entries", 4);
    run();
    cr_expect_eq(watch->up, 1);
}

/* ---- One request, every cost. ---- */

struct single {
    const char *policy;
    const char *op;
};

static void check_single(const struct single *single)
{
    struct arena *memory = arena_create();
    struct engine *stack = stack_create(memory, 1, 0);
    struct cpu *app = add_cpu(stack, "app", 1, distribution_constant(20 * SIM_US));
    struct cpu *kworker = add_cpu(stack, "kworker", 1, distribution_constant(3 * SIM_US));
    struct stage *fio = add_stage(stack, "fio", "closed_load");
    set_cpu(fio, "cpu", app);
    set_value(fio, "submit", 2 * SIM_US);
    set_name(fio, "op", single->op);
    struct stage *fs = add_stage(stack, "queue", "virtio_fs"); /* costs as preset */
    set_name(fs, "policy", single->policy);
    set_cpu(fs, "cpu", kworker);
    struct stage *device = add_stage(stack, "disk", "device");
    set_value(device, "service", 17200 * SIM_NS + 1);
    set_value(device, "delay", 42 * SIM_US);
    build(stack);
    engine_run(stack, &(struct engine_span){ .measure = 10 * SIM_MS, .drain = SIM_MS });
    /* submit, disk, interrupt, wake, take, end, wake of the application */
    sim_time lat = 2 * SIM_US + 59200 * SIM_NS + 1 + 2 * SIM_US + 3 * SIM_US + 150 * SIM_NS +
                   SIM_US + 20 * SIM_US;
    const struct record *record = &stack->loads[0].record;
    cr_expect_gt(record->lat.count, 100u);
    cr_expect_eq(record->lat.min, lat, "%ld ps", record->lat.min);
    cr_expect_eq(record->lat.max, lat, "%ld ps", record->lat.max);
    sim_time clat = lat - 3800 * SIM_NS; /* the call returns after submit and enqueue */
    cr_expect_eq(record->clat.min, clat);
    cr_expect_eq(record->clat.max, clat);
    arena_destroy(memory);
}

Test(virtio_fs, one_request_takes_the_sum_of_its_costs)
{
    static const struct single cases[] = { { "timer_retry", "read" },
                                           { "pending_list", "read" },
                                           { "timer_retry", "write" },
                                           { "pending_list", "write" } };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        check_single(&cases[i]);
    }
}

/* Paid on the caller's cpu, for requests that find the ring full too. */
Test(virtio_fs, enqueueing_costs_the_caller)
{
    script_add(script, 20, 0, READ, 4096);
    script->cpu = worker;
    set_value(queue, "enqueue", 1800 * SIM_NS);
    run();
    cr_expect_eq((sim_time)engine->cpu_busy[0][CPU_THREAD], 20 * 1800 * SIM_NS);
}

/* ---- Who gets a free place. ---- */

/* The ring fills at 0, has room at 16 us, then every 16 us; the timer is exact. */
static void fill_ring(sim_time retry)
{
    script_add(script, 16, 0, READ, 4096);
    set_name(queue, "policy", "timer_retry");
    set_value(queue, "hz", 0);
    set_value(queue, "retry", retry);
    set_disk(1, 16 * SIM_US);
}

Test(virtio_fs, newcomers_overtake_those_that_wait)
{
    fill_ring(SIM_MS);
    script_add(script, 1, 0, READ, 4096);
    script_add(script, 1, 20 * SIM_US, READ, 4096);
    run();
    cr_expect_eq(watch->seen[17].down, 20 * SIM_US);
    cr_expect_eq(watch->seen[16].down, SIM_MS);
}

Test(virtio_fs, without_overtake_newcomers_join_those_that_wait)
{
    fill_ring(SIM_MS);
    script_add(script, 1, 0, READ, 4096);
    script_add(script, 1, 20 * SIM_US, READ, 4096);
    set_value(queue, "overtake", false);
    run();
    cr_expect_eq(watch->seen[16].down, SIM_MS);
    cr_expect_eq(watch->seen[17].down, SIM_MS);
}

/* Tries at 10 (full), 20 (room for one), 30 (full), 40 us (room for one). */
Test(virtio_fs, a_refused_head_goes_to_the_tail)
{
    fill_ring(10 * SIM_US);
    script_add(script, 2, 0, READ, 4096);
    run();
    cr_expect_eq(watch->seen[17].down, 20 * SIM_US);
    cr_expect_eq(watch->seen[16].down, 40 * SIM_US);
    cr_expect_eq(counter("parked"), 2);
    cr_expect_eq(counter("attempts"), 4, "none when the list is empty");
    cr_expect_eq(counter("placed"), 2);
    cr_expect_eq(counter("refused"), 3);
}

Test(virtio_fs, without_rotate_a_refused_head_stays)
{
    fill_ring(10 * SIM_US);
    script_add(script, 2, 0, READ, 4096);
    set_value(queue, "rotate", false);
    run();
    cr_expect_eq(watch->seen[16].down, 20 * SIM_US);
    cr_expect_eq(watch->seen[17].down, 40 * SIM_US);
}

/* At 20 us there is room for the second, but the first needs twice as much. */
Test(virtio_fs, an_attempt_stops_at_the_first_refusal)
{
    fill_ring(20 * SIM_US);
    script_add(script, 1, 0, READ, 5 * 4096);
    script_add(script, 1, 0, READ, 4096);
    run();
    cr_expect_eq(watch->seen[17].down, 40 * SIM_US);
    cr_expect_eq(watch->seen[16].down, 60 * SIM_US);
}

/* An attempt places all that fit: three are done by 50 us. */
Test(virtio_fs, an_attempt_places_all_that_fit)
{
    fill_ring(50 * SIM_US);
    script_add(script, 4, 0, READ, 4096);
    run();
    for (size_t i = 16; i < 19; i++) {
        cr_expect_eq(watch->seen[i].down, 50 * SIM_US);
    }
    cr_expect_eq(watch->seen[19].down, 100 * SIM_US);
    cr_expect_eq(counter("attempts"), 2);
}

/* ---- The worker's order. Two are done at 50 us, the ring is full until then. ---- */

static void fill_and_complete_two(enum request_op op)
{
    script_add(script, op == READ ? 17 : 13, 0, op, 4096);
    set_disk(2, 50 * SIM_US);
    set_value(queue, "take", SIM_US);
    set_value(queue, "end", 10 * SIM_US);
    set_value(queue, "attempt", 100 * SIM_US);
    set_value(queue, "doorbell", 7 * SIM_US);
}

static void check_dispatch_after_batch(enum request_op op)
{
    fill_and_complete_two(op);
    set_name(queue, "policy", "pending_list");
    run();
    cr_expect_eq(script->done[0], 62 * SIM_US);
    cr_expect_eq(script->done[1], 72 * SIM_US);
    cr_expect_eq(watch->seen[script->count - 1].down, 179 * SIM_US);
}

Test(virtio_fs, dispatch_runs_after_the_batch_and_its_ends)
{
    check_dispatch_after_batch(READ);
}

Test(virtio_fs, dispatch_runs_after_written_requests_too)
{
    check_dispatch_after_batch(WRITE);
}

/* An attempt that the timer queues during the pass, which lasts from 50 to 52 us. */
static void queue_attempt_within_pass(enum request_op op)
{
    fill_and_complete_two(op);
    set_name(queue, "policy", "timer_retry");
    set_value(queue, "hz", 0);
    set_value(queue, "retry", 51 * SIM_US + 500 * SIM_NS);
    run();
}

Test(virtio_fs, reads_end_in_items_of_their_own)
{
    queue_attempt_within_pass(READ); /* so the attempt comes before their ends */
    cr_expect_eq(watch->seen[16].down, 159 * SIM_US);
    cr_expect_eq(script->done[0], 169 * SIM_US);
    cr_expect_eq(script->done[1], 179 * SIM_US);
}

Test(virtio_fs, writes_end_within_the_pass)
{
    queue_attempt_within_pass(WRITE); /* so it comes after them */
    cr_expect_eq(script->done[0], 62 * SIM_US);
    cr_expect_eq(script->done[1], 72 * SIM_US);
    cr_expect_eq(watch->seen[12].down, 179 * SIM_US);
}

/* ---- Interrupts. ---- */

Test(virtio_fs, what_lands_within_a_pass_is_taken_by_it)
{
    script_add(script, 1, 0, READ, 4096);
    script_add(script, 1, 5 * SIM_US, READ, 4096);
    set_disk(2, 50 * SIM_US);
    set_value(queue, "interrupt", 2 * SIM_US);
    set_value(queue, "take", 10 * SIM_US);
    set_value(queue, "end", SIM_US);
    run(); /* the pass lasts from 52 to 72 us, the second is done at 55 us */
    cr_expect_eq(script->done[0], 73 * SIM_US);
    cr_expect_eq(script->done[1], 74 * SIM_US);
    cr_expect_eq(counter("interrupts"), 1);
}

Test(virtio_fs, what_lands_after_a_pass_interrupts)
{
    script_add(script, 1, 0, READ, 4096);
    script_add(script, 1, 13 * SIM_US, READ, 4096);
    set_disk(2, 50 * SIM_US);
    set_value(queue, "interrupt", 2 * SIM_US);
    set_value(queue, "take", 10 * SIM_US);
    set_value(queue, "end", SIM_US);
    run(); /* the pass lasts from 52 to 62 us, the second is done at 63 us */
    cr_expect_eq(script->done[0], 63 * SIM_US);
    cr_expect_eq(script->done[1], 76 * SIM_US);
    cr_expect_eq(counter("interrupts"), 2);
}

/* The place is free from the moment an element is taken, not when its request ends. */
Test(virtio_fs, taking_an_element_frees_its_place)
{
    script_add(script, 16, 0, READ, 4096);
    script_add(script, 1, 55 * SIM_US, READ, 4096);
    set_disk(1, 50 * SIM_US);
    set_value(queue, "take", 4 * SIM_US);
    set_value(queue, "end", 10 * SIM_US);
    run();
    cr_expect_eq(watch->seen[16].down, 55 * SIM_US);
}

/* ---- The retry timer. ---- */

struct ticks {
    int64_t hz;
    sim_time retry;
    int64_t ticks; /* that `retry` takes, rounded up */
};

static sim_time tick(int64_t hz, int64_t number)
{
    return (sim_time)(((sim_sum)number * SIM_S + hz - 1) / hz);
}

/* Armed within tick 7; the ring is full for good. */
static void check_retries(const struct ticks *ticks, sim_time armed)
{
    renew();
    script_add(script, 16, 0, READ, 4096);
    script_add(script, 1, armed, READ, 4096);
    script_add(script, 1, armed + SIM_US, READ, 4096); /* finds it armed */
    set_name(queue, "policy", "timer_retry");
    set_value(queue, "hz", ticks->hz);
    set_value(queue, "retry", ticks->retry);
    set_value(queue, "attempt", SIM_US);
    set_disk(16, 100 * SIM_S);
    start();
    int64_t expected = 7;
    for (int attempt = 0; attempt < 5; attempt++) {
        expected += ticks->ticks + 1;
        advance_to(engine, tick(ticks->hz, expected) - 1);
        cr_expect_eq(counter("attempts"), attempt, "hz %ld: too early", ticks->hz);
        advance_to(engine, tick(ticks->hz, expected));
        cr_expect_eq(counter("attempts"), attempt + 1, "hz %ld: too late", ticks->hz);
    }
    end();
}

Test(virtio_fs, retries_at_ticks)
{
    static const struct ticks cases[] = {
        { 100, SIM_MS, 1 },      { 250, SIM_MS, 1 },      { 300, SIM_MS, 1 },
        { 1000, SIM_MS, 1 },     { 250, 4 * SIM_MS, 1 },  { 250, 5 * SIM_MS, 2 },
        { 1000, 3 * SIM_MS, 3 }, { 300, 10 * SIM_MS, 3 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        sim_time begin = tick(cases[i].hz, 7);
        sim_time length = tick(cases[i].hz, 8) - begin;
        check_retries(&cases[i], begin);
        check_retries(&cases[i], begin + length / 3);
        check_retries(&cases[i], begin + length - SIM_US - 1);
        check_retries(&cases[i], begin + length - 1);
    }
}

Test(virtio_fs, without_ticks_the_timer_is_exact)
{
    fill_ring(5 * SIM_US + 1);
    script_add(script, 1, 7, READ, 4096);
    start();
    advance_to(engine, 5 * SIM_US + 7);
    cr_expect_eq(counter("attempts"), 0);
    advance_to(engine, 5 * SIM_US + 8);
    cr_expect_eq(counter("attempts"), 1);
    end();
}

Test(virtio_fs, the_pending_list_needs_no_timer)
{
    script_add(script, 17, 0, READ, 4096);
    set_name(queue, "policy", "pending_list");
    set_disk(16, SIM_S);
    start();
    advance_to(engine, SIM_S - 1);
    cr_expect_eq(counter("attempts"), 0);
    end();
    cr_expect_eq(watch->seen[16].down, SIM_S);
    cr_expect_eq(counter("attempts"), 1);
}

/* Before the patch a completion leaves the list alone. */
Test(virtio_fs, the_timer_alone_looks_at_the_list)
{
    fill_ring(SIM_MS);
    script_add(script, 1, 0, READ, 4096);
    run();
    cr_expect_eq(counter("attempts"), 1);
    cr_expect_eq(watch->seen[16].down, SIM_MS);
}
