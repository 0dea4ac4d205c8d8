/* SPDX-License-Identifier: Apache-2.0 */
/*
 * configs/p9_readdir*.yaml as a user runs them, against what was measured, within 10 %: runs of
 * the test differ by 5 % and more. And what they claim beside it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/run/figure.h"
#include "sim/run/run.h"
#include "tests/conformance/tap.h"

struct trial {
    struct tap *tap;
    struct arena *arena;
    struct experiment experiment;
    struct result result;
};

enum { POLLS, SLEEPS }; /* the points of the sweep */

#define DRIVER "phase.p9:bottom half+p9:worker+p9:read+p9:completion"
#define SERVER DRIVER "+p9:rewind+p9:position+p9:marshal"

static void require(bool good, const struct error *error)
{
    if (!good) {
        fprintf(stderr, "%s\n%s\n", error->message, error->hint);
        abort();
    }
}

/* The result points to the trial's experiment, so the trial stays where it is. */
static void run_trial(struct tap *tap, const char *name, struct trial *trial)
{
    *trial = (struct trial){ .tap = tap, .arena = arena_create() };
    struct error error = { 0 };
    const struct run_watch watch = { 0 };
    const char *file = arena_printf(trial->arena, RINGTAIL_SOURCE_DIR "/configs/%s", name);
    require(experiment_load(trial->arena, file, NULL, 0, &trial->experiment, &error), &error);
    require(run_experiment(trial->arena, &trial->experiment, run_threads_default(), &watch,
                           &trial->result, &error),
            &error);
}

static double figure_ms(const struct trial *trial, const char *variant, size_t point,
                        const char *name)
{
    struct metric metric;
    struct error error = { 0 };
    size_t v = 0;
    while (strcmp(trial->experiment.variants[v].name, variant) != 0) {
        v++;
    }
    require(metric_parse(trial->arena, name, &(struct place){ 0 }, &metric, &error), &error);
    struct series series = series_of(trial->arena, &trial->result, v, point);
    struct figure figure = figure_of_series(trial->arena, &series, &metric);
    CHECK(trial->tap, figure.known, "%s is not known", name);
    return figure.value / (double)SIM_MS;
}

static void near_ms(const struct trial *trial, const char *variant, size_t point, const char *name,
                    double expected, double tolerance)
{
    double value = figure_ms(trial, variant, point, name);
    CHECK(trial->tap, fabs(value - expected) <= tolerance * expected,
          "%s, %s: %.4g ms where %.4g are expected, within %g %%", variant, name, value, expected,
          100 * tolerance);
}

static void check_measured(struct tap *tap)
{
    struct trial trial;
    run_trial(tap, "p9_readdir.yaml", &trial);
    near_ms(&trial, "before", POLLS, "mean", 82.539, 0.1);
    near_ms(&trial, "after", POLLS, "mean", 2.566, 0.1);
    near_ms(&trial, "after", POLLS, DRIVER, 1.576, 0.1);
    near_ms(&trial, "after", POLLS, SERVER, 2.244, 0.1);
    size_t figures = trial.experiment.measured_count;
    CHECK(tap, figures == 4, "%zu measured figures beside them", figures);
    /* A sleeping client's trip: two iterations, two wake-ups, of 4, 4, 6.5 and 12.5 us. */
    near_ms(&trial, "before", SLEEPS, "mean", 0.322 + 2005 * 0.027 + 2002 * 0.001084, 0.02);
    arena_destroy(trial.arena);
    tap_end(tap, "2002 entries, without a walk");
}

static void check_walk(struct tap *tap)
{
    struct trial trial;
    run_trial(tap, "p9_readdir_nsquare.yaml", &trial);
    near_ms(&trial, "before", POLLS, "mean", 55.654, 0.1);
    near_ms(&trial, "after", POLLS, "mean", 9.806, 0.1);
    double hidden = figure_ms(&trial, "before", POLLS, "mean") -
                    figure_ms(&trial, "before_no_walk", POLLS, "mean");
    double shown = figure_ms(&trial, "before", SLEEPS, "mean") -
                   figure_ms(&trial, "before_no_walk", SLEEPS, "mean");
    const double walk = 2005003 * 4e-6;
    CHECK(tap, fabs(hidden) < walk / 4, "polling, a walk of %.3g ms costs %.3g ms", walk, hidden);
    CHECK(tap, fabs(shown - walk) < 0.05 * walk, "sleeping, a walk of %.3g ms costs %.3g ms", walk,
          shown);
    arena_destroy(trial.arena);
    tap_end(tap, "2002 entries, with a walk for each");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    check_measured(&tap);
    check_walk(&tap);
    return tap_exit(&tap);
}
