/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The product as a user runs it: the file's text, the experiment, its runs, their result, the
 * figures; and what two threads gain.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/run/figure.h"
#include "sim/run/run.h"
#include "tests/bench/bench.h"

static void must(bool ok, const struct error *err)
{
    if (!ok) {
        fprintf(stderr, "bench: %s\n", err->message);
        exit(2);
    }
}

static struct experiment load(struct arena *arena, const char *name)
{
    struct experiment experiment;
    struct error err = { 0 };
    const char *file = arena_printf(arena, RINGTAIL_SOURCE_DIR "/%s", name);
    must(experiment_load(arena, file, NULL, 0, &experiment, &err), &err);
    return experiment;
}

static struct result run(struct arena *arena, const struct experiment *experiment, int threads)
{
    struct result result;
    struct error err = { 0 };
    const struct run_watch watch = { 0 };
    must(run_experiment(arena, experiment, threads, &watch, &result, &err), &err);
    return result;
}

static uint64_t p999(struct arena *arena, const struct result *result)
{
    struct metric metric;
    struct error err = { 0 };
    must(metric_parse(arena, "p99.9", &(struct place){ 0 }, &metric, &err), &err);
    struct series series = series_of(arena, result, 0, 0);
    return (uint64_t)figure_of_series(arena, &series, &metric).value;
}

uint64_t bench_product(uint64_t count)
{
    struct arena *arena = arena_create();
    struct experiment experiment = load(arena, "tests/bench/mm1.yaml");
    experiment.span.measure = (sim_time)count * SIM_US / experiment.repeats;
    struct result result = run(arena, &experiment, 1);
    uint64_t sum = p999(arena, &result);
    arena_destroy(arena);
    return sum;
}

/* Of 100 requests each: what is paid for a run however short. */
uint64_t bench_short_runs(uint64_t count)
{
    struct arena *arena = arena_create();
    struct experiment experiment = load(arena, "tests/bench/mm1.yaml");
    experiment.span.warmup = 0;
    experiment.span.measure = 100 * SIM_US;
    experiment.repeats = (int64_t)count;
    struct result result = run(arena, &experiment, 1);
    arena_destroy(arena);
    return result.finished;
}

/* ---- Two threads. ---- */

static double wall_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double wall_of_runs(const struct experiment *experiment, int threads)
{
    struct arena *arena = arena_create();
    double begin = wall_s();
    run(arena, experiment, threads);
    double end = wall_s();
    arena_destroy(arena);
    return end - begin;
}

double bench_parallel_mm1(void)
{
    struct arena *arena = arena_create();
    struct experiment experiment = load(arena, "tests/bench/mm1.yaml");
    experiment.span.measure *= 2;
    double gain = wall_of_runs(&experiment, 1) / wall_of_runs(&experiment, 2);
    arena_destroy(arena);
    return gain;
}

double bench_parallel_virtio_fs(void)
{
    struct arena *arena = arena_create();
    struct experiment experiment = load(arena, "configs/virtio_fs_read.yaml");
    experiment.span.warmup = 100 * SIM_MS;
    experiment.span.measure = SIM_S;
    double gain = wall_of_runs(&experiment, 1) / wall_of_runs(&experiment, 2);
    arena_destroy(arena);
    return gain;
}
