/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/theory/repeats.h"

#include <assert.h>
#include <math.h>

#include "tests/theory/build.h"

static void sample_add(struct sample *sample, struct arena *arena, size_t repeat,
                       const struct histogram *histogram)
{
    sample->repeats[repeat] = sparse_histogram_copy(arena, histogram);
    histogram_merge(&sample->pooled, histogram);
}

static void keep_load(struct repeats *repeats, size_t repeat, size_t index,
                      const struct record *record)
{
    struct load_repeats *load = &repeats->loads[index];
    sample_add(&load->lat, repeats->arena, repeat, &record->lat);
    sample_add(&load->clat, repeats->arena, repeat, &record->clat);
    load->means[repeat] = histogram_mean(&record->lat);
    load->arrivals += record->arrivals;
    load->dropped += record->dropped;
    load->unfinished += record->unfinished;
    load->completed_in_window += record->completed_in_window;
    load->outstanding += record->outstanding;
}

static void keep_report(struct report *sum, const struct report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        int64_t before =
            i < sum->count && report->entries[i].kind != REPORT_LEVEL ? sum->entries[i].value : 0;
        sum->entries[i] = report->entries[i];
        sum->entries[i].value += before;
    }
    sum->count = report->count;
}

static void run_one(struct repeats *repeats, const struct system *system, size_t repeat)
{
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, system->seed, repeat);
    system->fill(engine, system->setup);
    build(engine);
    assert(engine->load_count <= REPEATS_LOADS_MAX);
    engine_run(engine, &system->span);
    for (unsigned i = 0; i < engine->load_count; i++) {
        keep_load(repeats, repeat, i, &engine->loads[i].record);
    }
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        for (unsigned class = 0; class < CPU_CLASSES; class ++) {
            repeats->cpu_busy[i][class] += engine->cpu_busy[i][class];
        }
    }
    keep_report(&repeats->report, &engine->report);
    arena_destroy(arena);
}

struct repeats *repeats_run(const struct system *system)
{
    assert(system->repeats >= 1 && system->repeats <= REPEATS_MAX);
    struct arena *arena = arena_create();
    struct repeats *repeats = arena_alloc(arena, sizeof(*repeats));
    repeats->arena = arena;
    repeats->count = system->repeats;
    repeats->seconds = (double)system->span.measure / (double)SIM_S * (double)system->repeats;
    for (size_t i = 0; i < REPEATS_LOADS_MAX; i++) {
        histogram_init(&repeats->loads[i].lat.pooled, arena);
        histogram_init(&repeats->loads[i].clat.pooled, arena);
    }
    for (size_t repeat = 0; repeat < system->repeats; repeat++) {
        run_one(repeats, system, repeat);
    }
    return repeats;
}

void repeats_destroy(struct repeats *repeats)
{
    arena_destroy(repeats->arena);
}

double repeats_rate(const struct repeats *repeats, size_t load)
{
    return (double)repeats->loads[load].completed_in_window / repeats->seconds;
}

double repeats_mean(const struct repeats *repeats, size_t load)
{
    return histogram_mean(&repeats->loads[load].lat.pooled);
}

double repeats_outstanding(const struct repeats *repeats, size_t load)
{
    return (double)repeats->loads[load].outstanding / (double)SIM_S / repeats->seconds;
}

double repeats_busy(const struct repeats *repeats, size_t cpu, enum cpu_class class)
{
    return (double)repeats->cpu_busy[cpu][class] / (double)SIM_S / repeats->seconds;
}

struct percentile sample_percentile(const struct sample *sample, size_t count,
                                    struct quantile quantile)
{
    const struct sparse_histogram *parts[REPEATS_MAX];
    for (size_t i = 0; i < count; i++) {
        parts[i] = &sample->repeats[i];
    }
    return statistics_percentile(parts, count, &sample->pooled, (struct unfinished){ 0 }, quantile);
}

/* ---- Checks. ---- */

void check_near(struct tap *tap, const char *what, double value, double expected, double tolerance)
{
    CHECK(tap, fabs(value - expected) <= tolerance * fabs(expected),
          "%s is %.6g where %.6g is expected, within %g %%", what, value, expected,
          100 * tolerance);
}

void check_percentile(struct tap *tap, const struct repeats *repeats, size_t load,
                      struct quantile quantile, cdf *truth, const void *context)
{
    struct percentile percentile =
        sample_percentile(&repeats->loads[load].lat, repeats->count, quantile);
    double p = (double)quantile.numerator / (double)quantile.denominator;
    double bucket = 1 - 1.0 / (1 << HISTOGRAM_OCTAVE_BITS);
    double low = truth(context, (double)percentile.low * bucket);
    double high = truth(context, (double)percentile.high);
    CHECK(tap, percentile.interval == INTERVAL_BOTH, "no interval for p%g", 100 * p);
    CHECK(tap, low <= p && p <= high,
          "p%g: the interval %.4g us .. %.4g us is from %.6f to %.6f of the closed form", 100 * p,
          (double)percentile.low / (double)SIM_US, (double)percentile.high / (double)SIM_US, low,
          high);
}

void check_little(struct tap *tap, const struct repeats *repeats, size_t load)
{
    double mean_s = repeats_mean(repeats, load) / (double)SIM_S;
    check_near(tap, "rate x mean over the number in the system",
               repeats_rate(repeats, load) * mean_s / repeats_outstanding(repeats, load), 1, 0.02);
}
