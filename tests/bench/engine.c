/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine with stages and requests: M/M/1, virtio_fs, and the parts of them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "models/registry.h"
#include "sim/engine/stack.h"
#include "tests/bench/bench.h"

static const struct param *find(struct stage *stage, const char *name)
{
    return param_find(stage->model->params, stage->model->param_count, name);
}

static void must(bool ok, const struct error *err)
{
    if (!ok) {
        fprintf(stderr, "bench: %s\n", err->message);
        exit(2);
    }
}

static void set(struct stage *stage, const char *name, int64_t value)
{
    struct error err = { 0 };
    must(param_set_integer(find(stage, name), stage->state, value, NULL, &err), &err);
}

static void draw(struct stage *stage, const char *name, struct distribution value)
{
    struct error err = { 0 };
    must(param_set_distribution(find(stage, name), stage->state, value, NULL, &err), &err);
}

static uint64_t run(struct engine *engine, sim_time warmup, sim_time measure)
{
    struct error err = { 0 };
    must(stack_build(engine, &err), &err);
    bench_start();
    engine_run(engine, &(struct engine_span){ .warmup = warmup, .measure = measure });
    return engine->loads[0].created;
}

static struct engine *build_mm1(struct arena *arena)
{
    struct engine *engine = stack_create(arena, 1, 0);
    struct stage *load = stack_add_stage(engine, "load", model_find("open_load"));
    struct stage *server = stack_add_stage(engine, "server", model_find("device"));
    set(load, "rate", 1000000 * INT64_C(1000));
    draw(server, "service", distribution_exponential(900 * SIM_NS));
    return engine;
}

uint64_t bench_engine(uint64_t count)
{
    struct arena *arena = arena_create();
    uint64_t result = run(build_mm1(arena), (sim_time)count * SIM_US, SIM_PS);
    arena_destroy(arena);
    return result;
}

uint64_t bench_engine_recorded(uint64_t count)
{
    struct arena *arena = arena_create();
    uint64_t result = run(build_mm1(arena), 0, (sim_time)count * SIM_US);
    arena_destroy(arena);
    return result;
}

uint64_t bench_memory(uint64_t count)
{
    struct arena *arena = arena_create();
    run(build_mm1(arena), 0, (sim_time)count * SIM_US);
    uint64_t bytes = arena_bytes(arena);
    arena_destroy(arena);
    return bytes;
}

static uint64_t virtio_fs(uint64_t count, const char *policy)
{
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, 1, 0);
    struct error err = { 0 };
    struct cpu *app = stack_add_cpu(
        engine, "app",
        &(struct cpu_config){
            .threads = 1, .wake = distribution_exponential(20 * SIM_US), .loop = -1 });
    struct cpu *worker =
        stack_add_cpu(engine, "kworker",
                      &(struct cpu_config){
                          .threads = 1, .wake = distribution_constant(3 * SIM_US), .loop = -1 });
    struct stage *load = stack_add_stage(engine, "fio", model_find("closed_load"));
    struct stage *queue = stack_add_stage(engine, "queue", model_find("virtio_fs"));
    struct stage *disk = stack_add_stage(engine, "disk", model_find("device"));
    set(load, "depth", 64);
    draw(load, "submit", distribution_constant(2 * SIM_US));
    must(param_set_cpu(find(load, "cpu"), load->state, app, NULL, &err), &err);
    must(param_set_cpu(find(queue, "cpu"), queue->state, worker, NULL, &err), &err);
    must(param_set_name(find(queue, "policy"), queue->state, policy, NULL, &err), &err);
    struct distribution service = distribution_exponential(8600 * SIM_NS);
    draw(disk, "service", distribution_plus(service, 8600 * SIM_NS));
    draw(disk, "delay", distribution_constant(42 * SIM_US));
    uint64_t result = run(engine, 0, (sim_time)count * 17200 * SIM_NS);
    arena_destroy(arena);
    return result;
}

uint64_t bench_virtio_fs_before(uint64_t count)
{
    return virtio_fs(count, "timer_retry");
}

uint64_t bench_virtio_fs_after(uint64_t count)
{
    return virtio_fs(count, "pending_list");
}

/* Latencies and phases that spread over the buckets as a real run's do. */
uint64_t bench_record(uint64_t count)
{
    enum { PHASES = 8, SAMPLES = 1024 };
    static sim_time spent[SAMPLES][PHASES];
    static sim_time latencies[SAMPLES];
    struct arena *arena = arena_create();
    struct record record;
    record_init(&record, arena, PHASES, false);
    struct distribution distribution = distribution_exponential(10 * SIM_US);
    struct random_stream stream = { 1 };
    for (int i = 0; i < SAMPLES; i++) {
        latencies[i] = 0;
        for (int p = 0; p < PHASES; p++) {
            spent[i][p] = distribution_draw(&distribution, &stream);
            latencies[i] += spent[i][p];
        }
    }
    bench_start();
    for (uint64_t i = 0; i < count; i++) {
        uint64_t k = i % SAMPLES;
        record_lat(&record, i, latencies[k], latencies[k] - 1, spent[k]);
    }
    uint64_t result = (uint64_t)record.lat.sum + (uint64_t)record.clat.max;
    arena_destroy(arena);
    return result;
}

uint64_t bench_draw(uint64_t count)
{
    struct distribution distribution = distribution_exponential(10 * SIM_US);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct random_stream stream = random_at(42, i, 0);
        sum += (uint64_t)distribution_draw(&distribution, &stream);
    }
    return sum;
}
