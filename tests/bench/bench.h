/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The benchmarks: each is a function that does `count` operations and returns something that
 * depends on all of them. They run in turn, round by round, so that a drift of the machine's speed
 * hits all alike; the figure is the median of the rounds in CPU nanoseconds an operation, and as a
 * ratio to `bare` of the same run.
 */
#ifndef RINGTAIL_TESTS_BENCH_BENCH_H
#define RINGTAIL_TESTS_BENCH_BENCH_H

#include <stdint.h>

struct bench {
    const char *name;
    const char *unit; /* of an operation */
    uint64_t count;   /* operations a round */
    uint64_t (*run)(uint64_t count);
    double target; /* 0: none */
    double aim;    /* 0: none */
    int is_ratio;  /* target and aim are ratios to bare, else nanoseconds */
};

/* CPU time of this process. */
double bench_cpu_ns(void);

/* The set-up is over: what a benchmark does before it calls this does not count. */
void bench_start(void);

/* M/M/1 at load 0.9 in a plain loop: the yardstick. Operations are customers. */
uint64_t bench_bare(uint64_t count);

/* The same over ringtail's event list, two events a customer, nothing else. */
uint64_t bench_dispatch(uint64_t count);

/* The same through stages: open_load over device, in warm-up, so that nothing is recorded; and
 * recorded. */
uint64_t bench_engine(uint64_t count);
uint64_t bench_engine_recorded(uint64_t count);

/* Bytes that a recorded run of so many requests asks of the system. */
uint64_t bench_memory(uint64_t count);

/* Pop the earliest, schedule one an exponential time later; n pending. Operations are holds. */
uint64_t bench_hold_10(uint64_t count);
uint64_t bench_hold_100(uint64_t count);
uint64_t bench_hold_1e3(uint64_t count);
uint64_t bench_hold_1e4(uint64_t count);
uint64_t bench_hold_1e5(uint64_t count);
uint64_t bench_hold_1e6(uint64_t count);
uint64_t bench_hold_1e3_handlers(uint64_t count); /* eight of them, at random */

/* One expiry re-arms itself and moves one other timer of 1000. Operations are expiries. */
uint64_t bench_churn(uint64_t count);

/* What a finished request leaves: lat, clat and 8 phases. Operations are requests. */
uint64_t bench_record(uint64_t count);

/* An exponential draw of a request at a stage. */
uint64_t bench_draw(uint64_t count);

/* virtio_fs at depth 64 over a device, all recorded. Operations are requests. */
uint64_t bench_virtio_fs_before(uint64_t count);
uint64_t bench_virtio_fs_after(uint64_t count);

/* M/M/1 from the experiment's text to a figure of the result, eight repeats. Operations are
 * customers. */
uint64_t bench_product(uint64_t count);

/* Runs of 100 requests. Operations are runs. */
uint64_t bench_short_runs(uint64_t count);

/* How much sooner two threads are through than one: M/M/1, eight equal runs; and the main job,
 * shortened. */
double bench_parallel_mm1(void);
double bench_parallel_virtio_fs(void);

struct bench_result {
    uint64_t records;
    uint64_t bytes;
    double write_ns; /* for all records, as are the bytes */
    double read_ns;
};

/* Writing and reading the main job's result, shortened; the mean of so many rounds. */
struct bench_result bench_result(unsigned rounds);

#endif
