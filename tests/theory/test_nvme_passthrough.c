/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvme_passthrough under t/io_uring's loop against closed forms. One cpu does everything, so while
 * the device is faster the rate is 1 / (sum of what a request costs), and what the policies change
 * in that sum can be told to a fraction of a nanosecond.
 *
 *   before  K + A + F        after  K + A / submit batch + F / frees shared        interrupts: + X
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tests/theory/build.h"
#include "tests/theory/repeats.h"

/* Of the published set-up. */
#define A (12 * SIM_NS)
#define F (36600 * SIM_PS)
#define K (378700 * SIM_PS)
#define MAP (50 * SIM_NS)
#define UNMAP (25 * SIM_NS)
#define EXTRA (116100 * SIM_PS)
#define NEVER_LIMITS (10 * SIM_NS) /* a device's delay */

struct setup {
    bool after;
    bool interrupt;
    bool fixed;
    bool jitter; /* of a device that takes 4.5 us; else it takes NEVER_LIMITS */
    int64_t depth;
    int64_t batch; /* of submits and of what the thread waits for */
    int64_t chunk;
    int64_t shared; /* interrupt_batch, thousandths */
    int64_t rate;   /* of the device, thousandths; 0: no cap */
    sim_time allocate;
    sim_time statistics;
    sim_time handler; /* entry, and exit */
    sim_time extra;
};

static const struct setup published = {
    .depth = 128, .batch = 32, .chunk = 32, .allocate = A, .handler = 200 * SIM_NS
};

static void fill(struct engine *engine, const void *context)
{
    const struct setup *setup = context;
    struct stage *load = add_stage(engine, "load", "closed_load");
    struct cpu *cpu = add_cpu(engine, "cpu", 1, distribution_constant(1500 * SIM_NS));
    set_name(load, "loop", "io_uring");
    set_value(load, "depth", setup->depth);
    set_value(load, "submit_batch", setup->batch);
    set_value(load, "wait", setup->batch);
    set_value(load, "submit", 150 * SIM_NS);
    set_value(load, "reap", 60 * SIM_NS);
    set_cpu(load, "cpu", cpu);
    struct stage *nvme = add_stage(engine, "nvme", "nvme_passthrough");
    set_name(nvme, "policy", setup->after ? "batched" : "single");
    set_name(nvme, "mode", setup->interrupt ? "interrupt" : "polled");
    set_value(nvme, "allocate", setup->allocate);
    set_value(nvme, "map", MAP);
    set_value(nvme, "walk", 30 * SIM_NS);
    set_value(nvme, "end", 63700 * SIM_PS);
    set_value(nvme, "unmap", UNMAP);
    set_value(nvme, "free", F);
    set_value(nvme, "chunk", setup->chunk);
    set_value(nvme, "fixed_buffers", setup->fixed);
    set_value(nvme, "statistics", setup->statistics);
    set_value(nvme, "entry", setup->handler);
    set_value(nvme, "exit", setup->handler);
    set_value(nvme, "interrupt_extra", setup->extra);
    set_value(nvme, "interrupt_batch", setup->shared);
    struct stage *device = add_stage(engine, "device", "device");
    set_value(device, "servers", 128);
    set_value(device, "delay", NEVER_LIMITS);
    if (setup->jitter) {
        set_distribution(device, "delay",
                         distribution_plus(distribution_gamma(SIM_US, 2), 3500 * SIM_NS));
    }
    if (setup->rate > 0) {
        set_value(device, "rate", setup->rate);
    }
}

static struct repeats *run(const struct setup *setup, sim_time measure)
{
    return repeats_run(
        &(struct system){ fill, setup, { .warmup = 2 * SIM_MS, .measure = measure }, 1, 1 });
}

/* The cpu's time for a request, in nanoseconds, by the rate over 100 ms. */
static double cost(const struct setup *setup)
{
    struct repeats *repeats = run(setup, 100 * SIM_MS);
    double ns = 1e9 / repeats_rate(repeats, 0);
    repeats_destroy(repeats);
    return ns;
}

static double ns(sim_time time)
{
    return (double)time / (double)SIM_NS;
}

static void check_cost(struct tap *tap, const char *what, double got, double expected)
{
    CHECK(tap, fabs(got - expected) <= 0.25, "%s: %.2f ns where %.2f are expected", what, got,
          expected);
}

/* ---- One at a time. ---- */

/* To the picosecond, in every request: a batch of one costs and gains nothing. */
static void check_batch_of_one(struct tap *tap, bool interrupt)
{
    struct setup setup = published;
    setup.depth = setup.batch = 1;
    setup.jitter = true;
    setup.interrupt = interrupt;
    struct repeats *before = run(&setup, 5 * SIM_MS);
    setup.after = true;
    struct repeats *after = run(&setup, 5 * SIM_MS);
    const struct histogram *a = &before->loads[0].lat.pooled;
    const struct histogram *b = &after->loads[0].lat.pooled;
    CHECK(tap, a->count > 500, "%" PRIu64 " requests", a->count);
    CHECK(tap, a->max > a->min, "the device does not vary");
    CHECK(tap, a->count == b->count && a->sum == b->sum && a->min == b->min && a->max == b->max,
          "before: %" PRIu64 " of %.9g ps, after: %" PRIu64 " of %.9g ps", a->count,
          histogram_mean(a), b->count, histogram_mean(b));
    CHECK(tap, memcmp(a->counts, b->counts, HISTOGRAM_BUCKETS * sizeof(a->counts[0])) == 0,
          "other latencies");
    repeats_destroy(before);
    repeats_destroy(after);
    tap_end(tap, interrupt ? "a batch of one, interrupts" : "a batch of one, polled");
}

static sim_time latency(bool after, bool interrupt, bool fixed, sim_time statistics)
{
    struct setup setup = published;
    setup.depth = setup.batch = 1;
    setup.after = after;
    setup.interrupt = interrupt;
    setup.fixed = fixed;
    setup.statistics = statistics;
    struct repeats *repeats = run(&setup, SIM_MS);
    const struct histogram *lat = &repeats->loads[0].lat.pooled;
    sim_time value = lat->min == lat->max ? lat->max : -1;
    repeats_destroy(repeats);
    return value;
}

static void check_additivity(struct tap *tap)
{
    for (int after = 0; after < 2; after++) {
        sim_time polled = latency(after, false, false, 0);
        sim_time interrupt = latency(after, true, false, 0);
        CHECK(tap, interrupt > polled && polled > 0, "%" PRId64 ", %" PRId64, polled, interrupt);
        CHECK(tap, latency(after, false, true, 0) - polled == -MAP - UNMAP, "fixed, polled");
        CHECK(tap, latency(after, true, true, 0) - interrupt == -MAP - UNMAP, "fixed, interrupts");
        CHECK(tap, latency(after, false, false, 77) - polled == 77, "statistics, polled");
        CHECK(tap, latency(after, true, false, 77) - interrupt == 77, "statistics, interrupts");
        CHECK(tap, latency(after, true, true, 77) - interrupt == 77 - MAP - UNMAP, "both");
    }
    struct setup setup = published;
    setup.shared = 1430;
    setup.extra = EXTRA;
    setup.handler = 0;
    double costs[2][2];
    for (int interrupt = 0; interrupt < 2; interrupt++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            setup.interrupt = interrupt;
            setup.fixed = fixed;
            costs[interrupt][fixed] = cost(&setup);
        }
    }
    check_cost(tap, "fixed buffers, polled", costs[0][1] - costs[0][0], -ns(MAP + UNMAP));
    check_cost(tap, "fixed buffers, interrupts", costs[1][1] - costs[1][0], -ns(MAP + UNMAP));
    tap_end(tap, "terms add up");
}

/* ---- The thread is the limit. ---- */

/* The loop fills the queue in three calls that do not wait, then polls all 128: whole chunks. */
static void check_polled(struct tap *tap)
{
    struct setup setup = published;
    double before = cost(&setup);
    setup.after = true;
    double after = cost(&setup);
    check_cost(tap, "before", before, ns(K + A + F));
    check_cost(tap, "after", after, ns(K) + ns(A + F) / 32);
    check_cost(tap, "gain", before - after, ns(A + F) * 31 / 32);
    struct repeats *repeats = run(&setup, 10 * SIM_MS);
    CHECK(tap, reported(&repeats->report, "nvme", "walks_128_up") > 150, "walks of 128");
    CHECK(tap,
          reported(&repeats->report, "nvme", "walks_128_up") ==
              reported(&repeats->report, "nvme", "walks"),
          "others");
    check_near(tap, "busy",
               repeats_busy(repeats, 0, CPU_THREAD) + repeats_busy(repeats, 0, CPU_IDLE), 1, 1e-6);
    repeats_destroy(repeats);
    tap_end(tap, "polled");
}

/* A device of 4.5 us with jitter: chunks are not always full, and cost what the counter says. */
static void check_chunks(struct tap *tap)
{
    struct setup setup = published;
    setup.after = true;
    setup.jitter = true;
    setup.rate = INT64_C(5000000) * 1000;
    struct repeats *repeats = run(&setup, 100 * SIM_MS);
    double entries = (double)reported(&repeats->report, "nvme", "entries");
    double frees = (double)reported(&repeats->report, "nvme", "frees") / entries;
    CHECK(tap, frees >= 1.0 / 32 && frees < 1.0 / 20, "%g frees a request", frees);
    double walk = entries / (double)reported(&repeats->report, "nvme", "walks");
    CHECK(tap, walk >= 48 && walk <= 128, "%g entries a walk", walk);
    check_cost(tap, "after", 1e9 / repeats_rate(repeats, 0), ns(K) + ns(A) / 32 + ns(F) * frees);
    check_little(tap, repeats, 0);
    repeats_destroy(repeats);
    tap_end(tap, "chunks of a device with jitter");
}

/* Frees of one are not shared: what is left is the allocation. */
static void check_submit_batches(struct tap *tap)
{
    static const int64_t batches[] = { 1, 2, 8, 32 };
    for (size_t i = 0; i < ARRAY_LENGTH(batches); i++) {
        struct setup setup = published;
        setup.batch = batches[i];
        setup.chunk = 1;
        setup.allocate = 200 * SIM_NS;
        double before = cost(&setup);
        setup.after = true;
        double expected = 200 * (1 - 1.0 / (double)batches[i]);
        check_cost(tap, "saved by the cache", before - cost(&setup), expected);
    }
    tap_end(tap, "a cache for each call");
}

/* Frees are the rest: two chunks of 64 for the 128 that a poll finds. */
static void check_chunk_sizes(struct tap *tap)
{
    static const int64_t chunks[] = { 1, 2, 64, 1000 };
    static const double shared[] = { 1, 2, 64, 128 };
    for (size_t i = 0; i < ARRAY_LENGTH(chunks); i++) {
        struct setup setup = published;
        setup.after = true;
        setup.chunk = chunks[i];
        check_cost(tap, "with chunks", cost(&setup), ns(K) + ns(A) / 32 + ns(F) / shared[i]);
    }
    tap_end(tap, "a free for each chunk");
}

static void check_interrupts(struct tap *tap)
{
    struct setup setup = published;
    setup.interrupt = true;
    setup.jitter = true;
    setup.handler = 0;
    setup.extra = EXTRA;
    setup.shared = 1430;
    check_cost(tap, "before", cost(&setup), ns(K + A + F + EXTRA));
    setup.after = true;
    check_cost(tap, "after", cost(&setup), ns(K + EXTRA) + ns(A) / 32 + ns(F) / 1.43);
    tap_end(tap, "interrupts, the batch put in");
}

/* As counted: so many interrupts and frees, at what they cost each. */
static void check_emergent(struct tap *tap)
{
    double last = 1;
    for (sim_time handler = 50 * SIM_NS; handler <= 200 * SIM_NS; handler *= 2) {
        struct setup setup = published;
        setup.after = true;
        setup.interrupt = true;
        setup.jitter = true;
        setup.rate = INT64_C(5000000) * 1000;
        setup.handler = handler;
        struct repeats *repeats = run(&setup, 100 * SIM_MS);
        double entries = (double)reported(&repeats->report, "nvme", "entries");
        double frees = (double)reported(&repeats->report, "nvme", "frees") / entries;
        double raised = (double)reported(&repeats->report, "nvme", "interrupts") / entries;
        check_cost(tap, "after", 1e9 / repeats_rate(repeats, 0),
                   ns(K) + ns(A) / 32 + ns(F) * frees + 2 * ns(handler) * raised);
        CHECK(tap, raised < last, "%g interrupts a request at %" PRId64 " ps", raised, handler);
        last = raised;
        repeats_destroy(repeats);
    }
    tap_end(tap, "interrupts as they come: a slow handler finds more");
}

/* ---- The device is the limit. ---- */

static void check_cap(struct tap *tap)
{
    for (int interrupt = 0; interrupt < 2; interrupt++) {
        for (int after = 0; after < 2; after++) {
            struct setup setup = published;
            setup.after = after;
            setup.interrupt = interrupt;
            setup.jitter = true;
            setup.rate = INT64_C(500000) * 1000;
            check_near(tap, "time for a request", cost(&setup), 2000, 2e-3);
        }
    }
    tap_end(tap, "a slow device");
}

int main(void)
{
    struct tap tap = { 0 };
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_batch_of_one(&tap, false);
    check_batch_of_one(&tap, true);
    check_additivity(&tap);
    check_polled(&tap);
    check_chunks(&tap);
    check_submit_batches(&tap);
    check_chunk_sizes(&tap);
    check_interrupts(&tap);
    check_emergent(&tap);
    check_cap(&tap);
    return tap_exit(&tap);
}
