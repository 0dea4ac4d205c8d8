/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Independent repeats of one system, and their comparison with a closed form: a mean within a
 * tolerance, a percentile within its 95 % interval. Such an interval misses one time in twenty, so
 * the seeds are fixed, and chosen: a test passes always or never. A wrong model is far outside.
 */
#ifndef RINGTAIL_TESTS_THEORY_REPEATS_H
#define RINGTAIL_TESTS_THEORY_REPEATS_H

#include "sim/engine/engine.h"
#include "sim/run/statistics.h"
#include "tests/conformance/tap.h"

enum { REPEATS_MAX = 8, REPEATS_LOADS_MAX = 2 };

struct system {
    void (*fill)(struct engine *engine, const void *setup); /* adds cpus and stages, and routes */
    const void *setup;
    struct engine_span span;
    uint64_t seed;
    size_t repeats; /* 1 .. REPEATS_MAX */
};

/* A latency's distribution over all repeats. */
struct sample {
    struct histogram pooled;
    struct sparse_histogram repeats[REPEATS_MAX];
};

/* What the repeats recorded of one load. */
struct load_repeats {
    struct sample lat;
    struct sample clat;
    double means[REPEATS_MAX]; /* of lat, in picoseconds */
    uint64_t arrivals;         /* from here on summed over the repeats */
    uint64_t dropped;
    uint64_t unfinished;
    uint64_t completed_in_window;
    sim_sum outstanding;
};

struct repeats {
    struct arena *arena;
    size_t count;
    double seconds; /* all windows together */
    struct load_repeats loads[REPEATS_LOADS_MAX];
    sim_sum cpu_busy[ENGINE_CPUS_MAX][CPU_CLASSES];
    struct report report; /* summed too */
};

/* Runs them one after the other. repeats_destroy frees what they kept. */
struct repeats *repeats_run(const struct system *system);
void repeats_destroy(struct repeats *repeats);

/* Completions per second, from the window's ends. */
double repeats_rate(const struct repeats *repeats, size_t load);
/* The mean of all latencies, in picoseconds. */
double repeats_mean(const struct repeats *repeats, size_t load);
/* The mean number between due and completed. */
double repeats_outstanding(const struct repeats *repeats, size_t load);
/* The mean number of threads of a cpu that run items of a class. */
double repeats_busy(const struct repeats *repeats, size_t cpu, enum cpu_class class);

struct percentile sample_percentile(const struct sample *sample, size_t count,
                                    struct quantile quantile);

/* ---- Checks. ---- */

/* |value - expected| <= tolerance x |expected|; says what it found if not. */
void check_near(struct tap *tap, const char *what, double value, double expected, double tolerance);

/* P(latency <= t), t in picoseconds, for the closed form that `context` describes. */
typedef double cdf(const void *context, double t);

/* The percentile's interval exists and holds the true one: the closed form at its ends lies on
 * either side of the quantile. A histogram knows a value to one bucket, so `low` may be lower. */
void check_percentile(struct tap *tap, const struct repeats *repeats, size_t load,
                      struct quantile quantile, cdf *truth, const void *context);

/* Little's law: rate x mean = mean number in the system, within 2 %. */
void check_little(struct tap *tap, const struct repeats *repeats, size_t load);

#define P50 ((struct quantile){ 50, 100 })
#define P99 ((struct quantile){ 99, 100 })
#define P999 ((struct quantile){ 999, 1000 })

#endif
