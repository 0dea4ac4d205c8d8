/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/machine.h"

/* A stage that walks over what comes from above, as if it had come back: 10 ns an entry, and 20 ns
 * after a walk. The log: letters are requests that are through, a dot is the end of a walk. */
struct walker {
    struct completion_walk walk;
    struct cpu *cpu;
};

static struct arena *arena;
static struct engine *engine;
static struct cpu *cpu;
static struct walker *walker;
static struct stage *load;
static struct log events;

static sim_time take_cost(struct stage *self, int64_t count)
{
    (void)self;
    return count * 10 * SIM_NS;
}

static sim_time over_cost(struct stage *self, int64_t count)
{
    (void)self;
    (void)count;
    return 20 * SIM_NS;
}

static void on_over(struct stage *self, struct request *none)
{
    cr_expect_null(none);
    for (struct request *req; (req = request_queue_pop(&walker->walk.walked)) != NULL;) {
        log_add(&events, (char)('a' + req->number), stage_now(self));
        stage_complete_above(self, req, req->status);
    }
    log_add(&events, '.', stage_now(self));
}

static void submit(struct stage *self, struct request *req)
{
    (void)self;
    completion_walk_push(&walker->walk, req, REQUEST_DONE, walker->cpu);
}

static const struct phase_info phases[] = { { .name = "visible" }, { .name = "walked" } };

static const struct model walker_model = {
    .name = "walker",
    .phases = phases,
    .phase_count = 2,
    .state_size = sizeof(struct walker),
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

static void set_up(bool interrupts)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    events.count = 0;
    struct cpu_config config = { 1, distribution_constant(500 * SIM_NS), -1 };
    cpu = stack_add_cpu(engine, "cpu", &config);
    load = stack_add_stage(engine, "load", &load_model);
    struct stage *stage = stack_add_stage(engine, "walker", &walker_model);
    walker = stage->state;
    walker->cpu = cpu;
    walker->walk = (struct completion_walk){ .stage = stage,
                                             .interrupts = interrupts,
                                             .entry = 100 * SIM_NS,
                                             .take_cost = take_cost,
                                             .over_cost = over_cost,
                                             .on_over = on_over };
    struct error err = { 0 };
    cr_assert(stack_build(engine, &err));
    completion_walk_init(&walker->walk, 0, 1);
}

/* Requests at these nanoseconds, up to a negative one. */
static void run(const sim_time *due)
{
    for (; *due >= 0; due++) {
        stage_at(load, *due * SIM_NS, NULL, on_due);
    }
    run_until(engine, SIM_MS);
}

static void check(const char *happened, int64_t raises, int64_t empty)
{
    log_check(&events, happened);
    cr_expect_eq(walker->walk.raises, raises, "%ld interrupts", walker->walk.raises);
    cr_expect_eq(walker->walk.empty_raises, empty, "%ld empty", walker->walk.empty_raises);
    arena_destroy(arena);
}

/* ---- Interrupts. They need no wake-up. ---- */

Test(completion_walk, an_entry_its_walk_and_what_comes_after_it)
{
    set_up(true);
    run((sim_time[]){ 0, -1 });
    check("a130 .130", 1, 0);
}

/* b comes during a's entry: the walk finds both, and the second interrupt nothing. */
Test(completion_walk, an_interrupt_during_the_handler_runs_it_once_more)
{
    set_up(true);
    run((sim_time[]){ 0, 50, -1 });
    check("a140 b140 .140 .260", 2, 1);
}

/* b and c come while a is taken, at 100 to 110 ns, and d while they are. */
Test(completion_walk, a_walk_ends_when_nothing_new_is_visible)
{
    set_up(true);
    run((sim_time[]){ 0, 103, 107, 125, -1 });
    check("a160 b160 c160 d160 .160 .280", 2, 1);
}

/* b comes after the walk and is found by the interrupt it raises. */
Test(completion_walk, what_comes_after_the_walk_is_found_by_the_next_one)
{
    set_up(true);
    run((sim_time[]){ 0, 115, -1 });
    check("a130 .130 b260 .260", 2, 0);
}

/* Another interrupt holds the cpu until 300 ns: those of a and b are one. */
Test(completion_walk, interrupts_before_the_handler_begins_are_one)
{
    set_up(true);
    cpu_run(cpu, CPU_INTERRUPT, 300 * SIM_NS, load, NULL, NULL);
    run((sim_time[]){ 0, 200, -1 });
    check("a440 b440 .440", 1, 0);
}

/* ---- Polls. They need none either. ---- */

Test(completion_walk, a_poll_walks_at_once)
{
    set_up(false);
    run((sim_time[]){ 0, 5, 12, -1 });
    check("a50 b50 c50 .50", 0, 0);
}

Test(completion_walk, what_comes_after_a_walk_is_polled_again)
{
    set_up(false);
    run((sim_time[]){ 0, 15, -1 });
    check("a30 .30 b60 .60", 0, 0);
}

/* The thread wakes up for 500 ns, then works for 200. */
Test(completion_walk, a_thread_with_work_does_not_poll)
{
    set_up(false);
    cpu_run(cpu, CPU_THREAD, 200 * SIM_NS, load, NULL, NULL);
    run((sim_time[]){ 0, 600, -1 });
    check("a740 b740 .740", 0, 0);
}

Test(completion_walk, without_a_cpu_costs_are_delays)
{
    set_up(true);
    walker->cpu = NULL;
    run((sim_time[]){ 0, -1 });
    check("a130 .130", 1, 0);
}

/* ---- Counters. ---- */

Test(completion_walk, walks_are_counted_by_what_they_found)
{
    static const int64_t sizes[] = { 1, 2, 3, 4, 7, 8, 20 };
    sim_time due[64];
    size_t count = 0;
    set_up(false);
    for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
        for (int64_t k = 0; k < sizes[i]; k++) {
            due[count++] = (sim_time)i * 1000;
        }
    }
    due[count] = -1;
    run(due);
    static struct report report;
    report.owner = "walker";
    completion_walk_report(&walker->walk, &report);
    static const struct {
        const char *name;
        int64_t value;
    } expected[] = {
        { "entries", 45 },       { "walks", 7 },          { "walks_1", 1 },
        { "walks_2_to_3", 2 },   { "walks_4_to_7", 2 },   { "walks_8_to_15", 1 },
        { "walks_16_to_31", 1 }, { "walks_32_to_63", 0 }, { "walk_max", 20 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        size_t at = 0;
        while (at < report.count && strcmp(report.entries[at].name, expected[i].name) != 0) {
            at++;
        }
        cr_assert_lt(at, report.count, "%s", expected[i].name);
        cr_expect_eq(report.entries[at].value, expected[i].value, "%s", expected[i].name);
    }
    arena_destroy(arena);
}
