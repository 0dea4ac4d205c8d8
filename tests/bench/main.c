/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the benchmarks and prints ours beside the targets of docs/performance.md. `bench [ROUNDS]
 * [NAME]`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/bench.h"

enum { ROUNDS_MAX = 101 };

static const struct bench benches[] = {
    { "bare", "customer", 2000000, bench_bare, 0, 0, 1 },
    { "dispatch", "customer", 2000000, bench_dispatch, 1.1, 0, 1 },
    { "engine M/M/1", "customer", 2000000, bench_engine, 1.7, 1.3, 1 },
    { "the same, recorded", "customer", 2000000, bench_engine_recorded, 2.3, 1.5, 1 },
    { "product M/M/1", "customer", 12000000, bench_product, 2.3, 1.5, 1 },
    { "a run", "run", 2000, bench_short_runs, 0, 0, 0 },
    { "keyed draw", "draw", 4000000, bench_draw, 0, 0, 0 },
    { "recording", "request", 4000000, bench_record, 6, 0, 0 },
    { "hold 10", "hold", 4000000, bench_hold_10, 0, 0, 0 },
    { "hold 100", "hold", 4000000, bench_hold_100, 12, 0, 0 },
    { "hold 1e3", "hold", 4000000, bench_hold_1e3, 15, 0, 0 },
    { "hold 1e4", "hold", 4000000, bench_hold_1e4, 20, 0, 0 },
    { "hold 1e5", "hold", 4000000, bench_hold_1e5, 0, 0, 0 },
    { "hold 1e6", "hold", 4000000, bench_hold_1e6, 230, 140, 0 },
    { "hold 1e3, 8 handlers", "hold", 4000000, bench_hold_1e3_handlers, 27, 0, 0 },
    { "timer churn", "expiry", 4000000, bench_churn, 28, 0, 0 },
    { "virtio_fs before", "request", 300000, bench_virtio_fs_before, 200, 100, 0 },
    { "virtio_fs after", "request", 300000, bench_virtio_fs_after, 200, 100, 0 },
};

enum { BENCHES = sizeof(benches) / sizeof(benches[0]) };

/* What the targets in nanoseconds were set on took this long for `bare`. */
static const double bare_of_targets = 23;

double bench_cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double started;

void bench_start(void)
{
    started = bench_cpu_ns();
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(values[0]), compare);
    return values[count / 2];
}

static void print_row(const struct bench *bench, double figure, double bare)
{
    double target = bench->is_ratio ? bench->target : bench->target / bare_of_targets;
    double aim = bench->is_ratio ? bench->aim : bench->aim / bare_of_targets;
    char wanted[64] = "";
    char aimed[64] = "";
    if (target > 0) {
        snprintf(wanted, sizeof(wanted), "%.2f %s", target,
                 figure / bare <= target ? "reached" : "MISSED");
    }
    if (aim > 0) {
        snprintf(aimed, sizeof(aimed), "%.2f", aim);
    }
    printf("%-22s %8.1f ns/%-9s %7.2f  %-13s %s\n", bench->name, figure, bench->unit, figure / bare,
           wanted, aimed);
}

static void print_memory(void)
{
    printf("memory of a run of 1e5 and of 1e7 requests: %.1f and %.1f MiB (target: constant, 64)\n",
           (double)bench_memory(100000) / 0x1p20, (double)bench_memory(10000000) / 0x1p20);
}

static void print_result(int rounds)
{
    struct bench_result result = bench_result((unsigned)rounds);
    double size_mb = (double)result.bytes / 1e6;
    double records = (double)result.records;
    printf("result of %.0f records, %.2f MB: written at %.0f MB/s, %.0f records/s; read at %.0f "
           "MB/s, %.0f records/s\n",
           records, size_mb, size_mb / result.write_ns * 1e9, records / result.write_ns * 1e9,
           size_mb / result.read_ns * 1e9, records / result.read_ns * 1e9);
}

/* Wall time, so only a machine with nothing else to do tells. */
static void print_parallel(int rounds)
{
    static double gains[2][ROUNDS_MAX];
    for (int round = 0; round < rounds; round++) {
        gains[0][round] = bench_parallel_mm1();
        gains[1][round] = bench_parallel_virtio_fs();
    }
    printf("two threads over one: M/M/1 %.2f, virtio_fs_read %.2f times (target: 1.80, aim 1.90)\n",
           median(gains[0], rounds), median(gains[1], rounds));
}

int main(int argc, char **argv)
{
    static double figures[BENCHES][ROUNDS_MAX];
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 5;
    const char *only = argc > 2 ? argv[2] : "";
    uint64_t sink = 0;
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench [ROUNDS] [NAME]\n");
        return 2;
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < BENCHES; i++) {
            if (i == 0 || strstr(benches[i].name, only) != NULL) {
                bench_start();
                sink += benches[i].run(benches[i].count);
                figures[i][round] = (bench_cpu_ns() - started) / (double)benches[i].count;
            }
        }
    }
    double bare = median(figures[0], rounds);
    printf("%-22s %8s    %-9s %7s  %-13s %s\n", "CPU time, median", "", "", "/ bare", "target",
           "aim");
    for (int i = 0; i < BENCHES; i++) {
        double figure = i == 0 ? bare : median(figures[i], rounds);
        if (figure > 0) {
            print_row(&benches[i], figure, bare);
        }
    }
    if (strstr("memory", only) != NULL) {
        print_memory();
    }
    if (strstr("result", only) != NULL) {
        print_result(rounds);
    }
    if (strstr("parallel", only) != NULL) {
        print_parallel(rounds);
    }
    printf("checksum %llx\n", (unsigned long long)sink);
    return 0;
}
