/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of the main job, shortened: how fast its records are written, and read with every
 * identity checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/run/result_store.h"
#include "sim/run/run.h"
#include "tests/bench/bench.h"

static void must(bool ok, const struct error *err)
{
    if (!ok) {
        fprintf(stderr, "bench: %s\n", err->message);
        exit(2);
    }
}

static struct result run(struct arena *arena, struct experiment *experiment)
{
    struct result result;
    struct error err = { 0 };
    const struct run_watch watch = { 0 };
    const char *file = RINGTAIL_SOURCE_DIR "/configs/virtio_fs_read.yaml";
    must(experiment_load(arena, file, NULL, 0, experiment, &err), &err);
    experiment->span.warmup /= 10;
    experiment->span.measure /= 10;
    experiment->repeats = 2;
    must(run_experiment(arena, experiment, 1, &watch, &result, &err), &err);
    return result;
}

static void write_records(const struct result *result, const char *path)
{
    struct error err = { 0 };
    struct result_source nameless;
    must(result_source_create(NULL, result->experiment, &nameless, &err), &err);
    struct result_store *store = result_store_create(&nameless);
    for (size_t i = 0; i < result->run_count; i++) {
        must(result_store_append(store, result->runs[i], &err), &err);
    }
    must(result_store_write(store, path, &err), &err);
    result_store_destroy(store);
}

/* As a report does: all is checked, then read point by point. */
static void read_records(const char *path)
{
    struct error err = { 0 };
    struct arena *arena = arena_create();
    struct result_store *store = result_store_open(path, &err);
    must(store != NULL, &err);
    struct result result = result_of_store(arena, store);
    for (size_t point = 0; point < result.experiment->point_count; point++) {
        must(result_open_point(&result, point, &err), &err);
    }
    result_store_destroy(store);
    arena_destroy(arena);
}

static uint64_t bytes_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint64_t size = 0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        size = (uint64_t)ftell(file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return size;
}

struct bench_result bench_result(unsigned rounds)
{
    struct arena *arena = arena_create();
    struct experiment experiment;
    char folder[] = "/tmp/ringtail-bench-XXXXXX";
    if (mkdtemp(folder) == NULL) {
        exit(4);
    }
    const char *path = arena_printf(arena, "%s/result", folder);
    struct result result = run(arena, &experiment);
    double begin = bench_cpu_ns();
    for (unsigned i = 0; i < rounds; i++) {
        write_records(&result, path);
    }
    double written = bench_cpu_ns();
    for (unsigned i = 0; i < rounds; i++) {
        read_records(path);
    }
    double read = bench_cpu_ns();
    struct bench_result figures = {
        .records = result.run_count,
        .bytes = bytes_of(path),
        .write_ns = (written - begin) / rounds,
        .read_ns = (read - written) / rounds,
    };
    unlink(path);
    rmdir(folder);
    arena_destroy(arena);
    return figures;
}
