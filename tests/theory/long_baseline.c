/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a baseline finds, and how often it cries wolf. M/M/1 at a load of 0.7 is compared with
 * itself of another seed, where every alarm is a false one; and of the same seed with a service
 * that is 2 % slower, by which the mean and every percentile grow by 1.02 x 0.3 / 0.286: 7.0 %.
 * Alarms are counted per check, with all its metrics.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/run/baseline_judge.h"
#include "sim/run/run.h"
#include "tests/conformance/tap.h"

enum {
    ALARM_TRIALS = 200,
    ALARMS_MAX = 10, /* 5 % */
    POWER_TRIALS = 100,
    FOUND_MIN = 95,
};

/* The experiment's baseline of a seed. */
static struct baseline of(struct arena *arena, uint64_t seed, const char *set)
{
    struct experiment experiment;
    struct result result;
    struct baseline baseline;
    struct error error = { 0 };
    const struct run_watch watch = { 0 };
    struct arena *scratch = arena_create();
    const char *file = RINGTAIL_SOURCE_DIR "/tests/theory/baseline.yaml";
    bool good = experiment_load(arena, file, &set, set != NULL, &experiment, &error);
    experiment.seed = seed;
    good = good &&
           run_experiment(scratch, &experiment, run_threads_default(), &watch, &result, &error) &&
           baseline_of_points(arena, &result, &baseline, &error);
    arena_destroy(scratch);
    if (!good) {
        fprintf(stderr, "%s\n%s\n", error.message, error.hint);
        abort();
    }
    return baseline;
}

static struct findings check(struct arena *arena, const struct baseline *before,
                             const struct baseline *after)
{
    struct findings findings;
    struct baseline_judge judge;
    findings_init(&findings, arena);
    baseline_judge_init(&judge, arena);
    baseline_judge_add(&judge, before, after, BASELINE_TOLERANCE);
    baseline_judge_decide(&judge);
    baseline_judge_find(&judge, 0, &findings);
    return findings;
}

/* Only the server has a phase that can grow. */
static void check_where(struct tap *tap, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const char *where = findings->items[i].where;
        CHECK(tap, where == NULL || strncmp(where, "server: ", strlen("server: ")) == 0, "%s",
              where);
    }
}

/* How many of the seeds fail, each against itself and a change, or against the next. */
static int failures(struct tap *tap, int trials, const char *change)
{
    int failed = 0;
    for (int i = 0; i < trials; i++) {
        struct arena *arena = arena_create();
        uint64_t seed = 1 + 2 * (uint64_t)i;
        struct baseline before = of(arena, seed, NULL);
        struct baseline after = of(arena, change == NULL ? seed + 1 : seed, change);
        struct findings findings = check(arena, &before, &after);
        failed += findings_outcome(&findings) == FINDING_FAILED;
        check_where(tap, &findings);
        arena_destroy(arena);
    }
    printf("# %d of %d fail\n", failed, trials);
    return failed;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    int alarms = failures(&tap, ALARM_TRIALS, NULL);
    CHECK(&tap, alarms <= ALARMS_MAX, "%d alarms", alarms);
    tap_end(&tap, "an unchanged model of another seed seldom alarms");
    int found = failures(&tap, POWER_TRIALS, "server.service={exponential: 102us}");
    CHECK(&tap, found >= FOUND_MIN, "%d found", found);
    tap_end(&tap, "a service that is 2 % slower is found");
    return tap_exit(&tap);
}
