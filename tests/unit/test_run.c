/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/text_report.h"
#include "sim/run/figure.h"
#include "sim/run/run.h"

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(run, .init = set_up, .fini = tear_down);

static struct experiment load(const char *name, const char *set)
{
    struct experiment experiment;
    struct error error = { 0 };
    const char *file = arena_printf(arena, RINGTAIL_SOURCE_DIR "/tests/golden/%s", name);
    cr_assert(experiment_load(arena, file, &set, set != NULL, &experiment, &error), "%s",
              error.message);
    return experiment;
}

static struct result run(const struct experiment *experiment, int threads)
{
    struct result result;
    struct error error = { 0 };
    const struct run_watch watch = { 0 };
    cr_assert(run_experiment(arena, experiment, threads, &watch, &result, &error), "%s",
              error.message);
    return result;
}

static char *report_of(struct result *result)
{
    struct error error = { 0 };
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    cr_assert(text_report_write(result, file, &error));
    fclose(file);
    return text;
}

Test(run, keys_and_places_are_inverse)
{
    struct experiment experiment = { .variant_count = 3, .point_count = 5, .repeats = 7 };
    for (size_t place = 0; place < 3 * 5 * 7; place++) {
        cr_assert_eq(result_place(&experiment, result_key(&experiment, place)), place);
    }
    struct run_key key = result_key(&experiment, 3 * 5);
    cr_expect(key.repeat == 1 && key.point == 0 && key.variant == 0);
}

Test(run, threads_do_not_matter)
{
    struct experiment experiment = load("two_loads.yaml", NULL);
    struct result one = run(&experiment, 1);
    struct result three = run(&experiment, 3);
    char *texts[] = { report_of(&one), report_of(&three) };
    cr_expect_str_eq(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

Test(run, repeats_differ_and_are_kept_whole)
{
    struct experiment experiment = load("two_loads.yaml", NULL);
    struct result result = run(&experiment, 2);
    cr_assert_eq(result.finished, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct run_result *one = result.runs[i];
        cr_assert(one->load_count == 2 && strcmp(one->loads[1].name, "flood") == 0);
        const struct load_result *flood = run_result_load(one, "flood");
        cr_expect_eq(flood->arrivals, flood->completed + flood->unfinished);
        cr_expect_eq(flood->ends[METRIC_LAT].count, flood->completed);
        cr_expect_eq(flood->slowest[0].latency, flood->ends[METRIC_LAT].max);
        sim_sum spent[WAY_PHASES_MAX] = { 0 };
        sparse_attribution_add_band(&flood->lat_phases, -1, SIM_NEVER, spent);
        sim_sum sum = 0;
        for (unsigned phase = 0; phase < flood->phase_count; phase++) {
            sum += spent[phase];
        }
        cr_expect(sum == flood->ends[METRIC_LAT].sum);
    }
    cr_expect_neq(result.runs[0]->loads[1].ends[METRIC_LAT].sum,
                  result.runs[1]->loads[1].ends[METRIC_LAT].sum);
}

Test(run, figures_of_a_known_run)
{
    struct experiment experiment = load("empty.yaml", NULL);
    struct result result = run(&experiment, 2);
    struct series after = series_of(arena, &result, 1, 0);
    cr_assert_eq(after.count, 2);
    /* Depth 2 over a server of 1 ms: 1000 in a second, 2 ms each but the first. */
    double value;
    cr_expect(figure_of_run(after.runs[0], &(struct metric){ .kind = METRIC_RATE }, &value));
    cr_expect(value > 990 && value <= 1000);
    struct metric median = { .kind = METRIC_PERCENTILE, .quantile = { 1, 2 } };
    cr_expect(figure_of_run(after.runs[0], &median, &value) && value == 2 * (double)SIM_MS);
    struct metric phases = { .kind = METRIC_PHASE, .names = { "disk:service" }, .name_count = 1 };
    cr_expect(figure_of_run(after.runs[0], &phases, &value) && value == (double)SIM_MS);
    struct metric counter = { .kind = METRIC_COUNTER,
                              .names = { "disk", "served" },
                              .name_count = 2 };
    cr_expect(figure_of_run(after.runs[0], &counter, &value) && value > 990 && value <= 1000);
    struct metric unknown = { .kind = METRIC_MEAN, .load = "nobody" };
    cr_expect_not(figure_of_run(after.runs[0], &unknown, &value));
}

Test(run, an_empty_side_has_no_numbers)
{
    struct experiment experiment = load("empty.yaml", NULL);
    struct result result = run(&experiment, 1);
    struct series before = series_of(arena, &result, 0, 0);
    struct metric mean = { .kind = METRIC_MEAN };
    cr_expect_not(figure_of_series(arena, &before, &mean).known);
    cr_expect_eq(figure_compare(arena, &result, 0, 0, 1, &mean).verdict, VERDICT_NONE);
}

Test(run, what_grows_is_named)
{
    struct experiment experiment = load("two_loads.yaml", NULL);
    struct result result = run(&experiment, 2);
    struct series series = series_of(arena, &result, 0, 0);
    cr_expect(figure_is_growing(arena, &series, "flood"));
    cr_expect_not(figure_is_growing(arena, &series, "poll"));
    experiment = load("two_loads.yaml", "flood.rate=5k/s");
    result = run(&experiment, 2);
    series = series_of(arena, &result, 0, 0);
    cr_expect_not(figure_is_growing(arena, &series, "flood"));
}

Test(run, a_stalled_run_is_an_error_that_names_it)
{
    struct experiment experiment = load("empty.yaml", "disk.service=0s");
    const struct run_watch watch = { 0 };
    struct error error = { 0 };
    struct result result = { .finished = 77 };
    cr_expect_not(run_experiment(arena, &experiment, 2, &watch, &result, &error));
    cr_expect(error.kind == ERROR_USER && strstr(error.message, "stands still") != NULL, "%s",
              error.message);
    cr_expect(error.hint[0] != '\0' && result.finished == 77);
}

static bool stop_after_two(void *context)
{
    return *(size_t *)context >= 2;
}

static bool count_run(void *context, const struct run_result *run, struct error *err)
{
    (void)run;
    (void)err;
    ++*(size_t *)context;
    return true;
}

Test(run, stopping_keeps_what_is_complete)
{
    struct experiment experiment = load("two_loads.yaml", NULL);
    size_t finished = 0;
    const struct run_watch watch = { stop_after_two, count_run, &finished };
    struct result result;
    struct error error = { 0 };
    cr_assert(run_experiment(arena, &experiment, 1, &watch, &result, &error));
    cr_expect(result.finished == 2 && result.runs[1] != NULL && result.runs[2] == NULL);
    char *text = report_of(&result);
    cr_expect(strstr(text, "partial: 2 of 3 runs have finished") != NULL);
    free(text);
}
