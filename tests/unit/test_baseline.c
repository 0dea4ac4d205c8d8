/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/run/baseline_differences.h"
#include "sim/run/baseline_json.h"
#include "sim/run/baseline_judge.h"
#include "sim/run/figure.h"
#include "sim/run/run.h"
#include "sim/run/spool.h"

static struct arena *arena;
static struct error error;
static char *folder;

static void set_up(void)
{
    arena = arena_create();
    error = (struct error){ 0 };
    folder = arena_strdup(arena, "/tmp/ringtail-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void)
{
    char command[256];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    cr_expect_eq(system(command), 0);
    arena_destroy(arena);
}

TestSuite(baseline, .init = set_up, .fini = tear_down);

static const char *in_folder(const char *name)
{
    return arena_printf(arena, "%s/%s", folder, name);
}

static struct experiment load(const char *name, const char *set)
{
    struct experiment experiment;
    const char *file = arena_printf(arena, RINGTAIL_SOURCE_DIR "/tests/golden/%s", name);
    cr_assert(experiment_load(arena, file, &set, set != NULL, &experiment, &error), "%s",
              error.message);
    return experiment;
}

static struct baseline of(const struct experiment *experiment)
{
    struct result result;
    struct baseline baseline;
    const struct run_watch watch = { 0 };
    cr_assert(run_experiment(arena, experiment, 1, &watch, &result, &error), "%s", error.message);
    cr_assert(baseline_of_points(arena, &result, &baseline, &error));
    return baseline;
}

static char *bytes_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    char *bytes = arena_alloc(arena, 1 << 20);
    fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static struct findings judge(const struct baseline *before, const struct baseline *after)
{
    struct findings findings;
    struct baseline_judge all;
    findings_init(&findings, arena);
    baseline_judge_init(&all, arena);
    baseline_judge_add(&all, before, after, BASELINE_TOLERANCE);
    baseline_judge_decide(&all);
    baseline_judge_find(&all, 0, &findings);
    return findings;
}

Test(baseline, stands_beside_its_experiment)
{
    cr_expect_str_eq(baseline_path(arena, "a.b/mm1.yaml"), "a.b/mm1.baseline.json");
    cr_expect_str_eq(baseline_path(arena, "a.b/mm1"), "a.b/mm1.baseline.json");
    cr_expect_str_eq(baseline_path(arena, ".hidden"), ".hidden.baseline.json");
}

/* The numbers are those that reports print: metrics of single runs. */
Test(baseline, holds_a_figure_a_repeat)
{
    struct experiment experiment = load("two_loads.yaml", NULL);
    struct result result;
    const struct run_watch watch = { 0 };
    cr_assert(run_experiment(arena, &experiment, 1, &watch, &result, &error));
    struct baseline baseline;
    cr_assert(baseline_of_points(arena, &result, &baseline, &error));
    const struct baseline_key keys[] = { { "", "run", "flood" }, { "", "run", "poll" } };
    static const char *const metrics[] = { "rate", "mean", "p50", "max", "unfinished" };
    for (size_t k = 0; k < 2; k++) {
        for (size_t m = 0; m < ARRAY_LENGTH(metrics); m++) {
            struct metric metric;
            const char *text = arena_printf(arena, "%s.%s", keys[k].load, metrics[m]);
            cr_assert(metric_parse(arena, text, &(struct place){ 0 }, &metric, &error));
            const struct baseline_row *row = baseline_find(&baseline, &keys[k], &metric);
            cr_assert_not_null(row, "%s", text);
            for (size_t repeat = 0; repeat < 3; repeat++) {
                double value;
                size_t place = result_place(&experiment, (struct run_key){ 0, 0, repeat });
                cr_assert(figure_of_run(result.runs[place], &metric, &value));
                cr_expect_float_eq(row->values[repeat], value, 0.500001, "%s", text);
            }
        }
    }
    /* Of 15,000 requests ten and more are above p99.9, but not above p99.99. */
    struct metric percentile = { .kind = METRIC_PERCENTILE, .quantile = { 999, 1000 } };
    cr_expect_not_null(baseline_find(&baseline, &keys[0], &percentile));
    percentile.quantile = (struct quantile){ 9999, 10000 };
    cr_expect_null(baseline_find(&baseline, &keys[0], &percentile));
    /* The mean time in all phases is the mean. */
    struct metric mean = { .kind = METRIC_MEAN };
    const struct baseline_phases *phases = baseline_find_phases(&baseline, &keys[0], METRIC_LAT);
    const struct baseline_row *row = baseline_find(&baseline, &keys[0], &mean);
    double sum = 0;
    double tail = 0;
    for (size_t i = 0; i < phases->count; i++) {
        sum += phases->items[i].mean;
        tail += phases->items[i].tail;
    }
    cr_expect_float_eq(sum, (row->values[0] + row->values[1] + row->values[2]) / 3, 10);
    cr_expect_gt(tail, sum);
    /* 11k/s at a server of 10k/s. */
    cr_expect_eq(row->note, BASELINE_GROWING);
}

Test(baseline, written_and_read_back_is_equal)
{
    static const char *const names[] = { "virtio_fs.yaml", "two_loads.yaml", "empty.yaml" };
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        struct experiment experiment = load(names[i], NULL);
        struct baseline made = of(&experiment);
        struct baseline read;
        const char *path = in_folder("a.baseline.json");
        const char *again = in_folder("b.baseline.json");
        cr_assert(baseline_json_write(&made, path, &error), "%s", error.message);
        cr_assert(baseline_open(arena, path, &read, &error), "%s:%d %s", names[i], error.line,
                  error.message);
        cr_assert(baseline_json_write(&read, again, &error));
        cr_expect_str_eq(bytes_of(path), bytes_of(again));
        cr_expect_eq(baseline_differences(arena, &made, &read).count, 0);
        struct findings findings = judge(&read, &made);
        cr_expect_gt(findings.count, 0);
        enum outcome expected = i == 2 ? FINDING_FAILED : FINDING_PASSED; /* an empty side */
        cr_expect_eq(findings_outcome(&findings), expected, "%s", names[i]);
        for (size_t j = 0; j < findings.count && i < 2; j++) {
            cr_expect(strstr(findings.items[j].detail, "every repeat is equal") != NULL);
        }
    }
}

static bool append(void *context, const struct run_result *run, struct error *err)
{
    return result_store_append(context, run, err);
}

/* "What changed since last week": the result says as much as the baseline made of it. */
Test(baseline, of_a_result)
{
    struct experiment experiment = load("virtio_fs.yaml", "queue.hz=100");
    const char *path = in_folder("result");
    struct spool spool;
    cr_assert(spool_begin(arena, &experiment, path, false, &spool, &error), "%s", error.message);
    const struct run_watch watch = { NULL, append, spool.store };
    size_t places[64];
    for (size_t i = 0; i < spool.store->place_count; i++) {
        places[i] = i;
    }
    cr_assert(run_places(&experiment, places, spool.store->place_count, 2, &watch, &error));
    cr_assert(spool_finish(&spool, &error), "%s", error.message);
    spool_end(&spool);
    struct baseline kept;
    cr_assert(baseline_open(arena, path, &kept, &error), "%s", error.message);
    struct baseline made = of(&experiment);
    const char *files[] = { in_folder("kept"), in_folder("made") };
    cr_assert(baseline_json_write(&kept, files[0], &error));
    cr_assert(baseline_json_write(&made, files[1], &error));
    cr_expect_str_eq(bytes_of(files[0]), bytes_of(files[1]));
}

Test(baseline, what_was_changed_is_named)
{
    struct experiment experiment = load("virtio_fs.yaml", NULL);
    struct baseline before = of(&experiment);
    experiment = load("virtio_fs.yaml", "queue.hz=100");
    struct baseline after = of(&experiment);
    struct differences found = baseline_differences(arena, &before, &after);
    cr_assert_eq(found.count, 1);
    cr_expect_str_eq(found.texts[0], "queue.hz 250 -> 100");
    experiment = load("virtio_fs.yaml", "queue.policy=timer_retry");
    experiment.seed = 5;
    after = of(&experiment);
    found = baseline_differences(arena, &before, &after);
    cr_assert_eq(found.count, 4);
    cr_expect_str_eq(found.texts[0], "seed 1 -> 5");
    cr_expect_str_eq(found.texts[1], "queue.policy pending_list -> timer_retry");
    cr_expect_str_eq(found.texts[2], "after: queue.policy pending_list -> (not there)");
}

/* A slower disk is found at every point, and named. */
Test(baseline, a_regression_is_found_and_where)
{
    struct experiment experiment = load("virtio_fs.yaml", NULL);
    struct baseline before = of(&experiment);
    experiment = load("virtio_fs.yaml", "disk.delay=80us");
    struct baseline after = of(&experiment);
    struct findings findings = judge(&before, &after);
    int found = 0;
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.items[i];
        if (strcmp(finding->name, "mean of after, fio.depth = 8") == 0) {
            cr_expect_eq(finding->outcome, FINDING_FAILED, "%s", finding->detail);
            cr_expect_eq(strncmp(finding->where, "disk: ", 6), 0, "%s", finding->where);
            found++;
        }
    }
    cr_expect_eq(found, 1);
}

/* ---- Files that are none. ---- */

static void expect_error(const char *bytes, size_t size, int line, const char *message)
{
    const char *path = in_folder("wrong.baseline.json");
    struct baseline unread;
    write_bytes(path, bytes, size);
    error = (struct error){ 0 };
    cr_assert_not(baseline_open(arena, path, &unread, &error), "%s", message);
    cr_expect_eq(error.kind, ERROR_USER);
    cr_expect_eq(error.line, line, "%d, not %d: %s", error.line, line, error.message);
    cr_expect(strstr(error.message, message) != NULL, "%s: %s", message, error.message);
    cr_expect_neq(error.hint[0], '\0');
}

static int line_at(const char *bytes, const char *place)
{
    int line = 1;
    for (; bytes < place; bytes++) {
        line += *bytes == '\n';
    }
    return line;
}

/* Replaces the first `from` behind the first `behind`; says the line. */
static void expect_edit(const char *bytes, const char *behind, const char *from, const char *to,
                        const char *message)
{
    const char *place = strstr(bytes, behind);
    place = place == NULL ? NULL : strstr(place, from);
    cr_assert_not_null(place, "%s", from);
    const char *edited =
        arena_printf(arena, "%.*s%s%s", (int)(place - bytes), bytes, to, place + strlen(from));
    expect_error(edited, strlen(edited), line_at(bytes, place), message);
}

static const char *some_baseline(void)
{
    struct experiment experiment = load("virtio_fs.yaml", NULL);
    struct baseline made = of(&experiment);
    const char *path = in_folder("whole.baseline.json");
    cr_assert(baseline_json_write(&made, path, &error));
    return bytes_of(path);
}

Test(baseline, a_file_that_is_edited_is_an_error)
{
    const char *bytes = some_baseline();
    expect_edit(bytes, "", "ringtail baseline", "another format", "not a baseline of ringtail");
    expect_edit(bytes, "", "\"version\": 1", "\"version\": 2", "newer than this program");
    expect_edit(bytes, "", "\"version\": 1", "\"version\": true", "`version` is not an integer");
    expect_edit(bytes, "", "\"measure\": ", "\"measure\": -", "`measure` is out of range");
    expect_edit(bytes, "", "\"repeats\": 4", "\"repeats\": 0", "`repeats` is out of range");
    expect_edit(bytes, "", "\"quick\": false", "\"quick\": 0", "`quick` is not true or false");
    expect_edit(bytes, "", "\"hash\": \"", "\"hash\": \"0", "`hash` is wrong");
    expect_edit(bytes, "queue.hz", "\"value\": ", "\"worth\": ", "`value` is missing");
    expect_edit(bytes, "", "queue.hz", "a.hz", "not in order");
    expect_edit(bytes, "\"p99\"", "\"values\": [", "\"values\": [1, ", "5 values of 4 repeats");
    expect_edit(bytes, "\"p99\"", "\"values\": [", "\"values\": [-", "no number of a figure");
    expect_edit(bytes, "\"p50\"", "\"p90\"", "\"p91\"", "baselines do not hold");
    expect_edit(bytes, "\"p50\"", "\"p90\"", "\"p50\"", "twice");
    expect_edit(bytes, "\"phases\"", "\"end\": \"lat\"", "\"end\": 7", "`end` is not a text");
    expect_edit(bytes, "", "\"figures\": [", "\"figures\": [ 7,", "`point` is missing");
    expect_edit(bytes, "", "\"figures\": [", "\"figures\": 7, \"x\": [", "not a list");
}

Test(baseline, a_missing_list_is_an_error)
{
    static const char *const lists[] = { "parameters", "figures", "phases" };
    const char *bytes = some_baseline();
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        char *edited = arena_strdup(arena, bytes);
        strstr(edited, lists[i])[0] = 'x';
        const char *message = arena_printf(arena, "`%s` is missing", lists[i]);
        expect_error(edited, strlen(edited), 1, message);
    }
}

Test(baseline, foreign_files_are_errors)
{
    expect_error("", 0, 1, "the file is empty");
    expect_error("\n", 1, 2, "damaged here");
    expect_error("ringtail: 1\n", 12, 1, "not a baseline");
    expect_error("{}", 2, 1, "not a baseline");
    expect_error("[1]", 3, 1, "not a baseline");
    expect_error("{\"format\": 5}", 13, 1, "not a baseline");
    const char *result = "{\"format\":\"ringtail result\",\"version\":99}\n";
    expect_error(result, strlen(result), 1, "result's format 99 is newer");
    struct baseline unread;
    error = (struct error){ 0 };
    cr_expect_not(baseline_open(arena, in_folder("nowhere"), &unread, &error));
    cr_expect_eq(error.kind, ERROR_USER);
    error = (struct error){ 0 };
    cr_expect_not(baseline_open(arena, folder, &unread, &error));
    cr_expect_eq(error.kind, ERROR_USER);
}

/* A file that is cut anywhere is an error but where only the last line's end is lost. */
Test(baseline, cut_anywhere)
{
    struct experiment experiment = load("empty.yaml", NULL);
    struct baseline made = of(&experiment);
    const char *path = in_folder("whole.baseline.json");
    cr_assert(baseline_json_write(&made, path, &error));
    const char *bytes = bytes_of(path);
    size_t size = strlen(bytes);
    const char *cut = in_folder("cut");
    for (size_t length = 0; length + 1 < size; length++) {
        struct baseline unread;
        write_bytes(cut, bytes, length);
        error = (struct error){ 0 };
        cr_assert_not(baseline_open(arena, cut, &unread, &error), "at byte %zu", length);
        cr_assert(error.kind == ERROR_USER && error.line > 0 && error.hint[0] != '\0');
    }
}
