/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a 95 % interval holds the truth 95 times in 100: M/M/1, whose percentiles are known, is
 * run with 100 seeds, and counted is how many of the intervals that the report would show hold the
 * closed form. With 100 seeds the count itself has a deviation of 2, so 88 is asked for.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/run/figure.h"
#include "sim/run/run.h"
#include "tests/conformance/tap.h"

enum { SEEDS = 100, COVERED_MIN = 88 };

/* Variants of coverage.yaml. */
enum { AT_70, AT_75, AT_90 };

/* How often an interval held the truth, was given without an upper end, or missed it. */
struct coverage {
    int holds;
    int open;
    int below; /* the whole interval is */
    int above;
};

struct question {
    const char *name;
    const char *metric;
    size_t variant;  /* of an interval; of a ratio, what is divided by */
    size_t compared; /* of a ratio; else equal to `variant` */
    double truth;    /* picoseconds or a ratio */
    struct coverage coverage;
};

static void require(bool good, const struct error *error)
{
    if (!good) {
        fprintf(stderr, "%s\n%s\n", error->message, error->hint);
        abort();
    }
}

static void count(struct coverage *coverage, double truth, double low, double high, bool open)
{
    /* A percentile is the upper edge of a bucket: what it stands for may lie that much lower. */
    double least = low * (1 - 1.0 / (1 << HISTOGRAM_OCTAVE_BITS));
    coverage->open += open;
    coverage->above += least > truth;
    coverage->below += !open && high < truth;
    coverage->holds += least <= truth && !open && truth <= high;
}

static void ask(struct arena *arena, const struct result *result, struct question *question)
{
    struct metric metric;
    struct error error = { 0 };
    require(metric_parse(arena, question->metric, &(struct place){ 0 }, &metric, &error), &error);
    if (question->compared != question->variant) {
        struct comparison comparison =
            figure_compare(arena, result, 0, question->variant, question->compared, &metric);
        count(&question->coverage, question->truth, comparison.low, comparison.high,
              comparison.verdict == VERDICT_NONE);
        return;
    }
    struct series series = series_of(arena, result, question->variant, 0);
    struct figure figure = figure_of_series(arena, &series, &metric);
    count(&question->coverage, question->truth, figure.low, figure.high,
          figure.interval != INTERVAL_BOTH);
}

/* Runs the variants from .. to, and asks every question about them. */
static void run_seed(uint64_t seed, sim_time measure, size_t from, size_t to,
                     struct question *questions, size_t question_count)
{
    struct arena *arena = arena_create();
    struct experiment experiment;
    struct result result;
    struct error error = { 0 };
    const struct run_watch watch = { 0 };
    const char *file = RINGTAIL_SOURCE_DIR "/tests/theory/coverage.yaml";
    require(experiment_load(arena, file, NULL, 0, &experiment, &error), &error);
    experiment.seed = seed;
    experiment.span.measure = measure;
    experiment.variants += from;
    experiment.variant_count = to - from + 1;
    require(run_experiment(arena, &experiment, run_threads_default(), &watch, &result, &error),
            &error);
    for (size_t i = 0; i < question_count; i++) {
        struct question question = questions[i];
        question.variant -= from;
        question.compared -= from;
        ask(arena, &result, &question);
        questions[i].coverage = question.coverage;
    }
    arena_destroy(arena);
}

static void check_coverage(struct tap *tap, sim_time measure, size_t from, size_t to,
                           struct question *questions, size_t question_count)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_seed(seed, measure, from, to, questions, question_count);
    }
    for (size_t i = 0; i < question_count; i++) {
        const struct coverage *coverage = &questions[i].coverage;
        printf("# %s: %d of %d hold the truth, %d are too low, %d too high, %d without an end\n",
               questions[i].name, coverage->holds, SEEDS, coverage->below, coverage->above,
               coverage->open);
        CHECK(tap, coverage->holds >= COVERED_MIN, "%d", coverage->holds);
        tap_end(tap, questions[i].name);
    }
}

/* The time in the system is exponential with mean 100 us / (1 - load). */
static double percentile(double load, double above)
{
    return -100 * (double)SIM_US / (1 - load) * log(above);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    struct question loaded[] = {
        { "p99.9 at load 0.7", "p99.9", AT_70, AT_70, percentile(0.7, 0.001), { 0 } },
        { "p99 at load 0.7", "p99", AT_70, AT_70, percentile(0.7, 0.01), { 0 } },
        { "mean at load 0.7", "mean", AT_70, AT_70, percentile(0.7, exp(-1)), { 0 } },
        { "p99.9 at load 0.75 over 0.7", "p99.9", AT_70, AT_75, 0.3 / 0.25, { 0 } },
        { "p99 at load 0.75 over 0.7", "p99", AT_70, AT_75, 0.3 / 0.25, { 0 } },
        { "mean at load 0.75 over 0.7", "mean", AT_70, AT_75, 0.3 / 0.25, { 0 } },
    };
    struct question busy[] = {
        { "p99.9 at load 0.9", "p99.9", AT_90, AT_90, percentile(0.9, 0.001), { 0 } },
        { "p99 at load 0.9", "p99", AT_90, AT_90, percentile(0.9, 0.01), { 0 } },
        { "mean at load 0.9", "mean", AT_90, AT_90, percentile(0.9, exp(-1)), { 0 } },
    };
    check_coverage(&tap, 50 * SIM_S, AT_70, AT_75, loaded, ARRAY_LENGTH(loaded));
    check_coverage(&tap, 200 * SIM_S, AT_90, AT_90, busy, ARRAY_LENGTH(busy));
    return tap_exit(&tap);
}
