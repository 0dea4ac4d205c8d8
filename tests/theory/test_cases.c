/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiments with known answers, configs/mm1.yaml and configs/cases/, as a user runs them:
 * from the file through the runs to the figures of the report.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/text_report.h"
#include "sim/run/figure.h"
#include "sim/run/run.h"
#include "tests/theory/repeats.h"

struct trial {
    struct tap *tap;
    struct arena *arena;
    struct experiment experiment;
    struct result result;
};

static void require(bool good, const struct error *error)
{
    if (!good) {
        fprintf(stderr, "%s\n%s\n", error->message, error->hint);
        abort();
    }
}

static struct trial load_trial(struct tap *tap, const char *name)
{
    struct trial trial = { .tap = tap, .arena = arena_create() };
    struct error error = { 0 };
    const char *file = arena_printf(trial.arena, RINGTAIL_SOURCE_DIR "/configs/%s", name);
    require(experiment_load(trial.arena, file, NULL, 0, &trial.experiment, &error), &error);
    return trial;
}

static void run_trial(struct trial *trial)
{
    struct error error = { 0 };
    const struct run_watch watch = { 0 };
    require(run_experiment(trial->arena, &trial->experiment, run_threads_default(), &watch,
                           &trial->result, &error),
            &error);
}

static void end_trial(struct trial *trial, const char *name)
{
    arena_destroy(trial->arena);
    tap_end(trial->tap, name);
}

static size_t variant_of(const struct trial *trial, const char *name)
{
    size_t i = 0;
    while (strcmp(trial->experiment.variants[i].name, name) != 0) {
        i++;
        assert(i < trial->experiment.variant_count);
    }
    return i;
}

static struct figure figure(const struct trial *trial, size_t variant, size_t point,
                            const char *name)
{
    struct metric metric;
    struct error error = { 0 };
    require(metric_parse(trial->arena, name, &(struct place){ 0 }, &metric, &error), &error);
    struct series series = series_of(trial->arena, &trial->result, variant, point);
    struct figure figure = figure_of_series(trial->arena, &series, &metric);
    CHECK(trial->tap, figure.known, "%s is not known", name);
    return figure;
}

static struct histogram pool(const struct trial *trial, size_t variant, size_t point)
{
    struct series series = series_of(trial->arena, &trial->result, variant, point);
    return figure_pool(trial->arena, &series, NULL, METRIC_LAT);
}

static void near_us(const struct trial *trial, size_t variant, size_t point, const char *name,
                    double expected_us, double tolerance)
{
    double value_us = figure(trial, variant, point, name).value / (double)SIM_US;
    CHECK(trial->tap, fabs(value_us - expected_us) <= tolerance * expected_us,
          "%s of %s at %s is %.4g us where %.4g are expected, within %g %%", name,
          trial->experiment.variants[variant].name, trial->experiment.points[point].label, value_us,
          expected_us, 100 * tolerance);
}

/* A figure of a system without chance: exact but for the histogram's bucket, which ends above. */
static void exactly_ms(const struct trial *trial, const char *name, double expected_ms)
{
    double value_ms = figure(trial, 0, 0, name).value / (double)SIM_MS;
    CHECK(trial->tap, value_ms >= expected_ms && value_ms <= expected_ms * (1 + 1.0 / 1024),
          "%s is %.6g ms where %.6g are expected", name, value_ms, expected_ms);
}

/* Without a bucket's error: means, sums and maxima are exact. */
static void check_exact(const struct trial *trial, uint64_t count, sim_sum sum, sim_time max)
{
    struct histogram pooled = pool(trial, 0, 0);
    CHECK(trial->tap, pooled.count == count && pooled.sum == sum && pooled.max == max,
          "%" PRIu64 " requests, mean %.9g ms, max %" PRId64, pooled.count,
          histogram_mean(&pooled) / (double)SIM_MS, pooled.max);
}

/* ---- M/M/1. ---- */

static void check_mm1(struct tap *tap)
{
    static const double loads[] = { 0.5, 0.7, 0.8, 0.9 };
    static const double of_mean[] = { 0.02, 0.03, 0.04, 0.1 };
    static const double of_p99[] = { 0.03, 0.05, 0.06, 0.15 };
    struct trial trial = load_trial(tap, "mm1.yaml");
    run_trial(&trial);
    for (size_t i = 0; i < ARRAY_LENGTH(loads); i++) {
        double mean_us = 100 / (1 - loads[i]);
        near_us(&trial, 0, i, "mean", mean_us, of_mean[i]);
        near_us(&trial, 0, i, "p50", -mean_us * log(0.5), of_mean[i]);
        near_us(&trial, 0, i, "p95", -mean_us * log(0.05), of_p99[i]);
        near_us(&trial, 0, i, "p99", -mean_us * log(0.01), of_p99[i]);
        near_us(&trial, 0, i, "p99.9", -mean_us * log(0.001), 2 * of_p99[i]);
        struct histogram pooled = pool(&trial, 0, i);
        CHECK(tap, pooled.count >= 1000000, "%" PRIu64 " requests", pooled.count);
    }
    end_trial(&trial, "M/M/1 at loads 0.5 to 0.9");
}

static void check_started_empty(struct tap *tap)
{
    struct trial trial = load_trial(tap, "cases/mm1_start.yaml");
    run_trial(&trial);
    near_us(&trial, 0, 0, "mean", 559, 0.03);
    end_trial(&trial, "M/M/1, the first 100 requests");
    trial = load_trial(tap, "cases/mm1_start.yaml");
    trial.experiment.span.requests = 1000;
    run_trial(&trial);
    near_us(&trial, 0, 0, "mean", 911, 0.03);
    end_trial(&trial, "M/M/1, the first 1000 requests");
}

/* ---- A full ring. ---- */

struct ring_row {
    const char *variant;
    double p50_us;
    double p999_us[2]; /* from .. to */
    double slow[2];    /* share above 1 ms */
};

/* Little's law: 128 / 400k/s - 10 us; what the end of the run cuts short is missing. */
static void check_ring_row(const struct trial *trial, const struct ring_row *row)
{
    size_t variant = variant_of(trial, row->variant);
    near_us(trial, variant, 1, "mean", 310, 0.03);
    near_us(trial, variant, 1, "p50", row->p50_us, 0.05);
    double p999_us = figure(trial, variant, 1, "p99.9").value / (double)SIM_US;
    CHECK(trial->tap, p999_us >= row->p999_us[0] && p999_us <= row->p999_us[1],
          "p99.9 of %s is %.4g us", row->variant, p999_us);
    struct histogram pooled = pool(trial, variant, 1);
    double slow = (double)histogram_count_above(&pooled, SIM_MS) / (double)pooled.count;
    CHECK(trial->tap, slow >= row->slow[0] && slow <= row->slow[1], "%.4g %% of %s are slow",
          100 * slow, row->variant);
}

static void check_ring_full(struct tap *tap)
{
    static const struct ring_row rows[] = {
        { "event", 310, { 334 * 0.95, 334 * 1.05 }, { 0, 0 } },
        { "retry_1ms", 151, { 15e3, 23e3 }, { 0.008, 0.012 } },
        { "retry_4ms", 151, { 52e3, 80e3 }, { 0.002, 0.003 } },
        { "retry_1000hz", 151, { 28e3, 43e3 }, { 0.004, 0.006 } },
        /* Twice as seldom as the one of 4 ms, so half as many wait twice as long. */
        { "retry_250hz", 151, { 2 * 52e3, 2 * 80e3 }, { 0.001, 0.0015 } },
    };
    struct trial trial = load_trial(tap, "cases/ring_full.yaml");
    trial.experiment.repeats = 2;
    run_trial(&trial);
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        size_t variant = variant_of(&trial, rows[i].variant);
        near_us(&trial, variant, 0, "mean", 70, 0.03);
        near_us(&trial, variant, 0, "p50", 70, 0.03);
        near_us(&trial, variant, 0, "p99.9", 89.4, 0.03);
        check_ring_row(&trial, &rows[i]);
    }
    end_trial(&trial, "a full ring: completions, or a timer");
}

/* ---- More work than the device can do. ---- */

static void check_unstable(struct trial *trial, double unfinished)
{
    struct series series = series_of(trial->arena, &trial->result, 0, 0);
    CHECK(trial->tap, figure_is_growing(trial->arena, &series, NULL), "not called unstable");
    CHECK(trial->tap, figure(trial, 0, 0, "unfinished").value == unfinished, "%g are unfinished",
          figure(trial, 0, 0, "unfinished").value);
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    struct error error = { 0 };
    require(text_report_write(&trial->result, file, &error), &error);
    fclose(file);
    CHECK(trial->tap, strstr(text, "unstable: ") != NULL, "the report does not say so:\n%s", text);
    free(text);
}

/* Request k takes 1.25 + 0.25 k ms. */
static sim_sum sum_of_first(int64_t count)
{
    return (sim_sum)count * 1250 * SIM_US + (sim_sum)count * (count - 1) / 2 * 250 * SIM_US;
}

static void check_drained(struct tap *tap, int64_t minutes, const char *name)
{
    struct trial trial = load_trial(tap, "cases/overload_drained.yaml");
    trial.experiment.span.measure = minutes * 60 * SIM_S;
    trial.experiment.span.drain = minutes * 15 * SIM_S; /* the last request ends then, just so */
    run_trial(&trial);
    int64_t count = 60000 * minutes;
    check_exact(&trial, (uint64_t)count, sum_of_first(count), SIM_MS + count * 250 * SIM_US);
    exactly_ms(&trial, "p50", 1 + 7500 * (double)minutes);
    exactly_ms(&trial, "p95", 1 + 14250 * (double)minutes);
    exactly_ms(&trial, "p99", 1 + 14850 * (double)minutes);
    exactly_ms(&trial, "p99.9", 1 + 14985 * (double)minutes);
    check_unstable(&trial, 0);
    end_trial(&trial, name);
}

static void check_stopped(struct tap *tap)
{
    struct trial trial = load_trial(tap, "cases/overload.yaml");
    run_trial(&trial);
    check_exact(&trial, 48000, sum_of_first(48000), 12001 * SIM_MS);
    exactly_ms(&trial, "p50", 6001);
    exactly_ms(&trial, "p99", 11881);
    CHECK(tap, figure(&trial, 0, 0, "p99").at_least, "the unfinished are not minded");
    check_unstable(&trial, 12000);
    end_trial(&trial, "overload, stopped");
}

/* ---- Coordinated omission. ---- */

static void check_hiccup(struct tap *tap)
{
    struct trial trial = load_trial(tap, "cases/hiccup_open.yaml");
    run_trial(&trial);
    check_exact(&trial, 1000, (sim_sum)56944 * SIM_MS, SIM_S);
    exactly_ms(&trial, "p50", 1);
    exactly_ms(&trial, "p90", 100);
    exactly_ms(&trial, "p95", 550);
    exactly_ms(&trial, "p99", 910);
    exactly_ms(&trial, "p99.9", 991);
    struct histogram pooled = pool(&trial, 0, 0);
    CHECK(tap, histogram_count_above(&pooled, SIM_MS) == 111, "late ones");
    end_trial(&trial, "a stall, from when requests were due");

    trial = load_trial(tap, "cases/hiccup_closed.yaml");
    run_trial(&trial);
    check_exact(&trial, 1000, (sim_sum)1999 * SIM_MS, SIM_S);
    exactly_ms(&trial, "p50", 1);
    exactly_ms(&trial, "p99", 1);
    exactly_ms(&trial, "p99.9", 1);
    pooled = pool(&trial, 0, 0);
    CHECK(tap, histogram_count_above(&pooled, SIM_MS) == 1, "late ones");
    end_trial(&trial, "a stall, from the actual send");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    check_mm1(&tap);
    check_started_empty(&tap);
    check_ring_full(&tap);
    check_drained(&tap, 1, "overload, drained");
    check_drained(&tap, 2, "overload, drained, twice as long");
    check_stopped(&tap);
    check_hiccup(&tap);
    return tap_exit(&tap);
}
