/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/unit/machine.h"

/* A stage whose requests make so many trips. */
struct worker {
    struct offload offload;
    unsigned trips;
};

enum { WAITING, BOTTOM_HALF, QUEUED, JOB, COMPLETION };
enum { NONE, PARTS, WHOLE };

static struct arena *arena;
static struct engine *engine;
static struct log events;

static sim_time job(struct stage *self, struct request *req)
{
    log_add(&events, 'h', stage_now(self));
    return offload_kind(req) == PARTS ? 2 * SIM_NS : 0;
}

static void resume(struct stage *self, struct request *req)
{
    struct worker *worker = self->state;
    log_add(&events, (char)('a' + req->number), stage_now(self));
    if (req->size_bytes++ < worker->trips) {
        offload_begin(&worker->offload, req, req->size_bytes == 1 ? PARTS : WHOLE);
    } else {
        stage_complete_above(self, req, REQUEST_DONE);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct worker *worker = self->state;
    req->size_bytes = 0;
    offload_forget(req);
    cpu_run(worker->offload.loop, CPU_THREAD, 0, self, req, resume);
}

static const struct phase_info phases[] = { { .name = "waiting" },
                                            { .name = "bottom half" },
                                            { .name = "queued" },
                                            { .name = "job" },
                                            { .name = "completion" } };
static const struct phase_info load_phases[] = { { .name = "only" } };

static const struct model worker_model = {
    .name = "worker",
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct worker),
    .bottom = true,
    .submit = submit,
};

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    load_finish(self, req, status);
}

static const struct model load_model = {
    .name = "load", .phases = load_phases, .phase_count = 1, .load = true, .complete = complete
};

static void on_due(struct stage *self, struct request *none)
{
    (void)none;
    stage_submit_below(self, load_request(self, stage_now(self)));
}

static const struct offload_phases of_kinds[] = {
    [PARTS] = { BOTTOM_HALF, QUEUED, JOB, COMPLETION },
    [WHOLE] = { JOB, JOB, JOB, JOB },
};
static const struct offload_rules rules = { job, resume, of_kinds };

/* Requests at time 0, on a loop of 3 ns that wakes up in 5 ns, and workers that do in 7 ns. */
static struct worker *run(unsigned requests, unsigned trips, int64_t threads)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    events.count = 0;
    struct cpu_config loop = { 1, distribution_constant(5 * SIM_NS), 3 * SIM_NS };
    struct cpu_config pool = { threads, distribution_constant(7 * SIM_NS), -1 };
    struct cpu *main_loop = stack_add_cpu(engine, "main", &loop);
    struct cpu *workers = stack_add_cpu(engine, "workers", &pool);
    struct stage *load = stack_add_stage(engine, "load", &load_model);
    struct stage *stage = stack_add_stage(engine, "worker", &worker_model);
    struct worker *worker = stage->state;
    struct error err = { 0 };
    cr_assert(stack_build(engine, &err));
    worker->trips = trips;
    cr_assert(offload_init(&worker->offload, stage, main_loop, workers, &rules, &err));
    for (unsigned i = 0; i < requests; i++) {
        stage_at(load, 0, NULL, on_due);
    }
    engine_run(engine, &(struct engine_span){ .measure = SIM_US });
    cr_expect_eq(engine->pool.live, 0);
    return worker;
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(offload, .fini = tear_down);

/* Wake-up and iteration, an iteration to the bottom half, the worker's wake-up and the job, again
 * a wake-up and an iteration. */
Test(offload, a_trip_is_two_iterations_and_two_wake_ups)
{
    struct worker *worker = run(1, 1, 1);
    log_check(&events, "a8 h11 a28");
    cr_expect_eq(worker->offload.trips, 1);
    cr_expect_eq(worker->offload.hops, 2);
}

Test(offload, its_parts_are_phases_of_their_own)
{
    run(1, 1, 1);
    const sim_time expected[] = { 0, 8, 3, 7, 2, 8 };
    const struct record *record = &engine->loads[0].record;
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        sim_sum spent = 0;
        for (size_t b = 0; b < ATTRIBUTION_BUCKETS; b++) {
            spent += record->lat_phases.spent[b * ARRAY_LENGTH(expected) + i];
        }
        cr_expect_eq(spent, expected[i] * SIM_NS, "phase %zu", i);
    }
}

Test(offload, the_next_trip_begins_where_one_ends)
{
    struct worker *worker = run(1, 2, 1);
    log_check(&events, "a8 h11 a28 h31 a46");
    cr_expect_eq(worker->offload.trips, 2);
    cr_expect_eq(worker->offload.trips_most, 2);
}

/* Both bottom halves run in one iteration; both completions come while the loop is awake. */
Test(offload, two_workers_do_two_jobs)
{
    struct worker *worker = run(2, 1, 2);
    log_check(&events, "a8 b8 h11 h11 a28 b28");
    cr_expect_eq(worker->offload.trips, 2);
    cr_expect_eq(worker->offload.trips_most, 1);
}

Test(offload, one_worker_does_them_in_order)
{
    run(2, 1, 1);
    log_check(&events, "a8 b8 h11 h11 a28 b28");
    cr_expect_eq(cpu_busy(engine->cpus[1], CPU_THREAD), 4 * SIM_NS);
    cr_expect_eq(cpu_wakeups(engine->cpus[1]), 1);
}

Test(offload, wants_an_event_loop)
{
    run(1, 1, 1);
    struct offload offload;
    struct error err = { 0 };
    struct cpu *workers = engine->cpus[1];
    cr_expect_not(offload_init(&offload, engine->stages[1], workers, workers, &rules, &err));
    cr_expect_str_eq(err.message,
                     "`worker` runs its main loop on `workers`, which is no event loop");
    cr_expect_str_eq(err.hint, "write `workers: {loop: 4us}` under `cpus`");
}
