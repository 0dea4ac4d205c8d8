/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hard shapes, each in a stack small enough to know the outcome: re-entrancy over a full ring,
 * one doorbell a batch, tail drop, one and two early completions, loads that part below a shared
 * queue, what is left when a run is cut, and the edges of the window.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformance/generator.h"
#include "tests/conformance/probes.h"
#include "tests/conformance/set.h"
#include "tests/conformance/spy.h"

static struct engine *create(struct arena **arena)
{
    *arena = arena_create();
    return stack_create(*arena, 1, 0);
}

static struct stage *add_device(struct engine *engine, const char *name, sim_time service)
{
    struct stage *device = spy_add_stage(engine, name, known_model("device"));
    set_value(device, "service", service);
    return device;
}

/* `rate` requests a second, evenly spaced from 0. */
static struct stage *add_open_load(struct engine *engine, const char *name, int64_t rate)
{
    struct stage *load = spy_add_stage(engine, name, known_model("open_load"));
    set_value(load, "rate", rate * 1000);
    set_name(load, "arrivals", "constant");
    return load;
}

static void end(struct tap *tap, struct arena *arena, const char *name)
{
    arena_destroy(arena);
    tap_end(tap, name);
}

/* ---- Re-entrancy. ---- */

/* A ring that gives a request up before it frees its slot, over a bottom that is done at once: a
 * second entrance would find it in between. */
enum { RING_ENTRIES = 8 };

struct ring {
    int64_t held;
    int64_t held_max;
    bool inside;
    struct request_queue waiting;
};

static void enter_ring(struct stage *self, struct ring *ring, struct request *req)
{
    ring->held++;
    ring->held_max = ring->held > ring->held_max ? ring->held : ring->held_max;
    stage_submit_below(self, req);
}

static void ring_submit(struct stage *self, struct request *req)
{
    struct ring *ring = self->state;
    assert(!ring->inside);
    ring->inside = true;
    if (ring->held < RING_ENTRIES) {
        enter_ring(self, ring, req);
    } else {
        request_queue_push(&ring->waiting, req);
    }
    ring->inside = false;
}

static void ring_complete(struct stage *self, struct request *req, enum request_status status)
{
    struct ring *ring = self->state;
    assert(!ring->inside);
    ring->inside = true;
    int64_t held = ring->held;
    stage_complete_above(self, req, status);
    assert(ring->held == held); /* nothing changes under a handler */
    ring->held--;
    struct request *next = request_queue_pop(&ring->waiting);
    if (next != NULL) {
        enter_ring(self, ring, next);
    }
    ring->inside = false;
}

static bool ring_init(struct stage *self, struct error *err)
{
    (void)err;
    struct ring *ring = self->state;
    request_queue_init(&ring->waiting, self, 0);
    return true;
}

static void ring_report(const struct stage *self, struct report *report)
{
    const struct ring *ring = self->state;
    report_level(report, "held_max", ring->held_max);
}

static const struct phase_info ring_phases[] = { { .name = "ring" } };

static const struct model ring_model = {
    .name = "ring",
    .phases = ring_phases,
    .phase_count = 1,
    .state_size = sizeof(struct ring),
    .init = ring_init,
    .submit = ring_submit,
    .complete = ring_complete,
    .report = ring_report,
};

/* Every other request is done within submit, the rest a microsecond later. */
static void on_done(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, REQUEST_DONE);
}

static void bottom_submit(struct stage *self, struct request *req)
{
    if (req->number % 2 == 0) {
        stage_complete_above(self, req, REQUEST_DONE);
    } else {
        stage_after(self, SIM_US, req, on_done);
    }
}

static const struct model bottom_model = {
    .name = "bottom",
    .phases = ring_phases,
    .phase_count = 1,
    .bottom = true,
    .submit = bottom_submit,
};

static void check_ring(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    struct stage *load = stack_add_stage(engine, "load", known_model("closed_load"));
    set_value(load, "depth", 20);
    stack_add_stage(engine, "ring", &ring_model);
    stack_add_stage(engine, "bottom", &bottom_model);
    build(engine);
    engine_run(engine, &(struct engine_span){ .warmup = 0, .measure = SIM_MS, .drain = SIM_MS });
    CHECK(tap, reported(engine, "ring", "held_max") == RING_ENTRIES, "%" PRId64,
          reported(engine, "ring", "held_max"));
    CHECK(tap, engine->loads[0].created > 5000 && engine->pool.live == 0, "%" PRIu64,
          engine->loads[0].created);
    end(tap, arena, "a closed load over a ring of 8 never holds 9");
}

/* A load that sends the next one as soon as one is back, over stages that take no time. */
static void check_stall(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    struct stage *load = stack_add_stage(engine, "load", known_model("closed_load"));
    set_value(load, "depth", 3);
    stack_add_stage(engine, "pass", &probe_pass_model);
    stack_add_stage(engine, "device", known_model("device"));
    build(engine);
    engine_run(engine, &(struct engine_span){ .warmup = 0, .measure = SIM_MS, .drain = SIM_MS });
    CHECK(tap, engine->stalled && !engine->exhausted, " ");
    CHECK(tap, engine->events.now == 0, "%" PRId64, engine->events.now);
    end(tap, arena, "a run in which time stands still ends as stalled");
}

/* ---- Batches and drops. ---- */

static void check_doorbell(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    struct stage *load = spy_add_stage(engine, "load", known_model("closed_load"));
    set_value(load, "depth", 12);
    set_value(load, "submit_batch", 4);
    set_value(load, "wait", 4);
    set_value(load, "submit", SIM_US);
    spy_add_stage(engine, "ring", &probe_doorbell_model);
    struct stage *device = add_device(engine, "device", 10 * SIM_US);
    set_value(device, "servers", 4);
    build(engine);
    engine_run(engine, &(struct engine_span){ .warmup = 0, .measure = SIM_MS, .drain = SIM_MS });
    spy_check(tap, engine);
    int64_t rung = reported(engine, "ring", "rung");
    CHECK(tap, rung == reported(engine, "load", "calls"), "%" PRId64 " bells", rung);
    CHECK(tap, engine->loads[0].created == 4 * (uint64_t)rung, "%" PRIu64 " requests",
          engine->loads[0].created);
    end(tap, arena, "one doorbell a batch");
}

/* Every 10 us one request, 25 us each at one server, three may be there: from a full queue each
 * service lets in one of two or three. */
static void check_tail_drop(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    add_open_load(engine, "load", 100000);
    struct stage *drop = spy_add_stage(engine, "drop", &probe_drop_model);
    set_value(drop, "limit", 3);
    set_value(drop, "service", 25 * SIM_US);
    build(engine);
    engine_run(engine, &(struct engine_span){ .warmup = 0, .measure = SIM_MS, .drain = SIM_MS });
    spy_check(tap, engine);
    const struct load *load = &engine->loads[0];
    uint64_t dropped = load->outcomes[OUTCOME_DROPPED];
    CHECK(tap, load->created == 100 && dropped > 50 && dropped < 60, "%" PRIu64, dropped);
    CHECK(tap, load->outcomes[OUTCOME_DELIVERED] + dropped == 100, "%" PRIu64, dropped);
    CHECK(tap, load->record.dropped == dropped && load->record.dropped_in_window == dropped, " ");
    CHECK(tap, load->record.lat.count == 100 - dropped, "dropped requests have no latency");
    CHECK(tap, load->record.lat.max <= 75 * SIM_US, "%" PRId64, load->record.lat.max);
    end(tap, arena, "tail drop");
}

/* ---- Two ends. ---- */

static void check_early(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    add_open_load(engine, "load", 1000);
    set_value(spy_add_stage(engine, "guest", &probe_early_model), "copy", SIM_US);
    spy_add_stage(engine, "between", &probe_pass_model);
    struct stage *worker = spy_add_stage(engine, "worker", &probe_early_model);
    set_value(worker, "copy", 2 * SIM_US);
    set_value(worker, "drop_every", 4);
    add_device(engine, "device", 30 * SIM_US);
    build(engine);
    engine_run(engine,
               &(struct engine_span){ .warmup = 0, .measure = 100 * SIM_MS, .drain = SIM_MS });
    spy_check(tap, engine);
    const struct load *load = &engine->loads[0];
    CHECK(tap, load->record.lat.min == SIM_US && load->record.lat.max == SIM_US, " ");
    CHECK(tap, load->record.lat.count == 100, "what is dropped later was completed as done");
    CHECK(tap, load->record.delivered.min == 33 * SIM_US, "%" PRId64, load->record.delivered.min);
    CHECK(tap, load->record.delivered.max == 33 * SIM_US, "%" PRId64, load->record.delivered.max);
    CHECK(tap, load->record.delivered.count == 75 && load->record.delivered_in_window == 75, " ");
    CHECK(tap, load->outcomes[OUTCOME_DROPPED] == 25 && load->record.dropped == 25, " ");
    end(tap, arena, "two stages of one way complete early");
}

/* The bottom takes longer than the run: completed, and still under way. */
static void check_travelling(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    add_open_load(engine, "load", 1000);
    set_value(spy_add_stage(engine, "guest", &probe_early_model), "copy", SIM_US);
    set_value(add_device(engine, "device", 0), "delay", 60 * SIM_MS + SIM_US);
    build(engine);
    engine_run(engine, &(struct engine_span){ .measure = 100 * SIM_MS });
    const struct load *load = &engine->loads[0];
    CHECK(tap, load->finished == 100 && load->unfinished == 0, " ");
    CHECK(tap, load->travelling == 60 && load->record.travelling == 60, "%" PRIu64,
          load->travelling);
    CHECK(tap, load->outcomes[OUTCOME_NONE] == 60, "%" PRIu64, load->outcomes[OUTCOME_NONE]);
    CHECK(tap, engine->pool.live == 60, "%" PRId64, engine->pool.live);
    end(tap, arena, "completed requests that still travel");
}

/* ---- Ways that part. ---- */

static void check_parting(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    struct cpu *cpu =
        stack_add_cpu(engine, "cpu", &(struct cpu_config){ .threads = 1, .loop = -1 });
    struct stage *small = add_open_load(engine, "small", 1000);
    struct stage *large = add_open_load(engine, "large", 3000);
    struct stage *queue = spy_add_stage(engine, "queue", &probe_slots_model);
    set_cpu(queue, "cpu", cpu);
    set_value(queue, "entries", 4);
    struct stage *fast = add_device(engine, "fast", SIM_US);
    struct stage *slow = add_device(engine, "slow", 300 * SIM_US);
    stack_route(engine, queue, small, fast);
    stack_route(engine, queue, large, slow);
    stack_route(engine, fast, NULL, NULL);
    build(engine);
    engine_run(engine, &(struct engine_span){
                           .warmup = 0, .measure = 100 * SIM_MS, .drain = 100 * SIM_MS });
    spy_check(tap, engine);
    CHECK(tap, spy_of(queue)->done == 400, "%" PRIu64, spy_of(queue)->done);
    CHECK(tap, engine->loads[0].record.lat.count == 100, " ");
    CHECK(tap, engine->loads[1].record.lat.count == 300, " ");
    CHECK(tap, engine->loads[0].record.lat.min < 2 * SIM_US, "the small one has its own device");
    CHECK(tap, engine->loads[1].record.lat.min >= 300 * SIM_US, "and so has the large one");
    end(tap, arena, "two loads share a queue and part below it");
}

/* ---- Attribution, and the edges of the window. ---- */

static void check_retry_time(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    add_open_load(engine, "load", 1000);
    struct stage *retry = spy_add_stage(engine, "retry", &probe_retry_model);
    set_value(retry, "interval", 10 * SIM_US);
    set_value(retry, "refusals", 3);
    add_device(engine, "device", SIM_US);
    build(engine);
    engine_run(engine,
               &(struct engine_span){ .warmup = 0, .measure = 100 * SIM_MS, .drain = SIM_MS });
    spy_check(tap, engine);
    sim_sum spent[WAY_PHASES_MAX];
    const struct load *load = &engine->loads[0];
    attribution_band(&load->record.lat_phases, -1, INT64_MAX, spent);
    CHECK(tap, spent[2] == 100 * 40 * SIM_US, "pending is charged through all attempts");
    CHECK(tap, reported(engine, "retry", "refused") == 300, " ");
    end(tap, arena, "a phase goes on from attempt to attempt");
}

/* One request each ms, 2.5 ms at a server: 100 ms let through 40. */
static void check_unfinished(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    add_open_load(engine, "load", 1000);
    add_device(engine, "device", 2500 * SIM_US);
    build(engine);
    engine_run(engine, &(struct engine_span){ .measure = 100 * SIM_MS });
    const struct record *record = &engine->loads[0].record;
    CHECK(tap, record->completed == 40 && record->unfinished == 60, "%" PRIu64, record->completed);
    CHECK(tap, record->oldest == 60 * SIM_MS, "%" PRId64, record->oldest);
    /* The 41st begins as the run ends; the k-th from the end is k ms old. */
    CHECK(tap, record->unfinished_phases[2] == 60 * 61 / 2 * SIM_MS, "all of it is queueing");
    sim_sum area = record->lat.sum + record->unfinished_phases[2];
    CHECK(tap, record->outstanding == area, "the integral is the time of all");
    end(tap, arena, "what did not finish has a time and a place");
}

/* Due in [warm-up, warm-up + measure), to the picosecond. */
static void check_window(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    add_open_load(engine, "load", 1000);
    add_device(engine, "device", SIM_US);
    build(engine);
    engine_run(engine, &(struct engine_span){
                           .warmup = 10 * SIM_MS, .measure = 20 * SIM_MS, .drain = SIM_MS });
    const struct load *load = &engine->loads[0];
    CHECK(tap, load->created == 30 && load->record.cut == 10 && load->record.arrivals == 20,
          "%" PRIu64 " made, %" PRIu64 " cut", load->created, load->record.cut);
    CHECK(tap, load->record.completed_in_window == 20, " ");
    CHECK(tap, reported(engine, "device", "served") == 20, "%" PRId64,
          reported(engine, "device", "served"));
    end(tap, arena, "the window takes its first instant and not its last");
}

/* An item that runs all the time, with no event near the edges. */
static void check_utilisation(struct tap *tap)
{
    struct arena *arena;
    struct engine *engine = create(&arena);
    struct cpu *cpu =
        stack_add_cpu(engine, "cpu", &(struct cpu_config){ .threads = 1, .loop = -1 });
    struct stage *load = add_open_load(engine, "load", 1000);
    set_cpu(load, "cpu", cpu);
    set_value(load, "submit", 7 * SIM_MS);
    add_device(engine, "device", SIM_US);
    build(engine);
    engine_run(engine, &(struct engine_span){
                           .warmup = 10 * SIM_MS + 7, .measure = 20 * SIM_MS + 3, .drain = 0 });
    CHECK(tap, engine->cpu_busy[0][CPU_THREAD] == 20 * SIM_MS + 3, "%" PRId64 " ps",
          (int64_t)engine->cpu_busy[0][CPU_THREAD]);
    end(tap, arena, "a cpu is busy to the edges of the window");
}

int main(void)
{
    struct tap tap = { 0 };
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_ring(&tap);
    check_stall(&tap);
    check_doorbell(&tap);
    check_tail_drop(&tap);
    check_early(&tap);
    check_travelling(&tap);
    check_parting(&tap);
    check_retry_time(&tap);
    check_unfinished(&tap);
    check_window(&tap);
    check_utilisation(&tap);
    return tap_exit(&tap);
}
