/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/report/text_report.h"
#include "sim/run/merge.h"
#include "sim/run/record_json.h"
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

TestSuite(result_store, .init = set_up, .fini = tear_down);

static struct experiment load(const char *name)
{
    struct experiment experiment;
    const char *file = arena_printf(arena, RINGTAIL_SOURCE_DIR "/tests/golden/%s", name);
    cr_assert(experiment_load(arena, file, NULL, 0, &experiment, &error), "%s", error.message);
    return experiment;
}

static const char *in_folder(const char *name)
{
    return arena_printf(arena, "%s/%s", folder, name);
}

static const char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    char *bytes = arena_alloc(arena, 1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
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

static bool append(void *context, const struct run_result *run, struct error *err)
{
    return result_store_append(context, run, err);
}

/* The result of the experiment as a file. */
static const char *make(const struct experiment *experiment, const char *name)
{
    const char *path = in_folder(name);
    struct spool spool;
    cr_assert(spool_begin(arena, experiment, path, false, &spool, &error), "%s", error.message);
    const struct run_watch watch = { NULL, append, spool.store };
    size_t places[64];
    for (size_t i = 0; i < spool.store->place_count; i++) {
        places[i] = spool.store->place_count - 1 - i; /* as they may end: in no order */
    }
    cr_assert(run_places(experiment, places, spool.store->place_count, 2, &watch, &error));
    cr_assert(spool_finish(&spool, &error), "%s", error.message);
    spool_end(&spool);
    return path;
}

static char *report_of(struct result *result)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    cr_assert(text_report_write(result, file, &error), "%s", error.message);
    fclose(file);
    return text;
}

Test(result_store, the_report_from_memory_and_from_a_file_are_equal)
{
    const char *const names[] = { "two_loads.yaml", "empty.yaml" };
    for (size_t i = 0; i < 2; i++) {
        struct experiment experiment = load(names[i]);
        struct result memory;
        const struct run_watch watch = { 0 };
        cr_assert(run_experiment(arena, &experiment, 1, &watch, &memory, &error));
        struct result_store *store = result_store_open(make(&experiment, names[i]), &error);
        cr_assert_not_null(store, "%s", error.message);
        struct result kept = result_of_store(arena, store);
        char *texts[] = { report_of(&memory), report_of(&kept) };
        cr_expect_str_eq(texts[0], texts[1]);
        free(texts[0]);
        free(texts[1]);
        result_store_destroy(store);
    }
}

Test(result_store, the_header_is_the_experiment)
{
    struct experiment experiment = load("virtio_fs.yaml");
    struct result_source source;
    cr_assert(result_source_create(NULL, &experiment, &source, &error));
    const struct experiment *back = source.header.experiment;
    cr_expect_str_eq(back->title, experiment.title);
    cr_expect(back->seed == experiment.seed && back->repeats == experiment.repeats);
    cr_expect(memcmp(&back->span, &experiment.span, sizeof(back->span)) == 0);
    cr_assert_eq(back->point_count, experiment.point_count);
    for (size_t i = 0; i < back->point_count; i++) {
        cr_expect_str_eq(back->points[i].label, experiment.points[i].label);
    }
    cr_assert_eq(back->measured_count, experiment.measured_count);
    for (size_t i = 0; i < back->measured_count; i++) {
        cr_expect_eq(back->measured[i].value, experiment.measured[i].value);
        cr_expect(metric_equals(&back->measured[i].metric, &experiment.measured[i].metric));
    }
    char hash[EXPERIMENT_HASH_BYTES];
    experiment_hash(&experiment, hash);
    cr_expect_str_eq(source.header.hash, hash);
    result_source_close(&source);
}

static void expect_hash_changes(const struct experiment *a, const struct experiment *b,
                                bool changes)
{
    char hashes[2][EXPERIMENT_HASH_BYTES];
    experiment_hash(a, hashes[0]);
    experiment_hash(b, hashes[1]);
    cr_expect_eq(strcmp(hashes[0], hashes[1]) != 0, changes);
}

Test(result_store, the_hash_is_of_what_runs_depend_on)
{
    struct experiment experiment = load("two_loads.yaml");
    struct experiment other = experiment;
    other.repeats++;
    other.title = "another";
    other.measured_count = 0;
    expect_hash_changes(&experiment, &other, false);
    other = experiment;
    other.seed++;
    expect_hash_changes(&experiment, &other, true);
    sim_time *const times[] = { &other.span.warmup, &other.span.measure, &other.span.drain };
    for (size_t i = 0; i < 3; i++) {
        other = experiment;
        ++*times[i];
        expect_hash_changes(&experiment, &other, true);
    }
    other = experiment;
    other.span.requests = 7;
    expect_hash_changes(&experiment, &other, true);
    other = experiment;
    const char *const set = "flood.rate=1k/s";
    cr_assert(experiment_load(arena, experiment.file, &set, 1, &other, &error));
    expect_hash_changes(&experiment, &other, true);
}

/* A file that is cut anywhere: an error, or as FILE.part only its last line is lost. */
Test(result_store, cut_at_every_byte)
{
    struct experiment experiment = load("empty.yaml");
    size_t size;
    const char *bytes = bytes_of(make(&experiment, "whole"), &size);
    const char *path = in_folder("cut");
    const char *part = in_folder("cut.part");
    size_t finished = 0;
    size_t lines = 0;
    for (size_t cut = 0; cut < size; cut++) {
        write_bytes(path, bytes, cut);
        write_bytes(part, bytes, cut);
        error = (struct error){ 0 };
        struct result_store *store = result_store_open(path, &error);
        bool at_end = cut > 0 && bytes[cut - 1] == '\n';
        lines += at_end;
        cr_assert_eq(store != NULL, at_end, "at byte %zu", cut);
        cr_assert(at_end || (error.kind == ERROR_USER && error.line > 0 && error.hint[0] != '\0'));
        result_store_destroy(store);
        store = result_store_open(part, &error);
        cr_assert_eq(store != NULL, lines > 0, "at byte %zu", cut);
        finished = store == NULL ? 0 : store->finished;
        cr_assert_eq(finished, lines == 0 ? 0 : lines - 1);
        result_store_destroy(store);
    }
}

Test(result_store, merge_tells_unequal_records_and_experiments_apart)
{
    struct experiment experiment = load("empty.yaml");
    const char *whole = make(&experiment, "whole");
    experiment.seed++;
    const char *other = make(&experiment, "other");
    const char *same[] = { whole, whole };
    struct result_store *store = merge_open(same, 2, &error);
    cr_assert_not_null(store);
    cr_expect_eq(store->finished, store->place_count);
    result_store_destroy(store);
    const char *different[] = { whole, other };
    cr_expect_null(merge_open(different, 2, &error));
    cr_expect(strstr(error.message, "another experiment") != NULL);
    size_t size;
    const char *original = bytes_of(whole, &size);
    char *bytes = arena_strndup(arena, original, size);
    char *cut = strstr(bytes, "\"cut\":");
    cr_assert_not_null(cut);
    cut[6] = cut[6] == '9' ? '8' : (char)(cut[6] + 1);
    const char *edited = in_folder("edited");
    write_bytes(edited, bytes, size);
    const char *unequal[] = { whole, edited };
    error = (struct error){ 0 };
    cr_expect_null(merge_open(unequal, 2, &error));
    cr_expect(strstr(error.message, "differs from") != NULL, "%s", error.message);
}

/* Every integer of a record that an identity covers. */
Test(result_store, a_changed_count_is_an_error)
{
    struct experiment experiment = load("two_loads.yaml");
    size_t size;
    const char *bytes = bytes_of(make(&experiment, "whole"), &size);
    const char *const keys[] = { "\"arrivals\":", "\"completed\":", "\"unfinished\":",
                                 "\"count\":",    "\"sum\":",       "\"max\":" };
    const char *path = in_folder("edited");
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
        char *edited = arena_strndup(arena, bytes, size);
        char *digit = strstr(edited, keys[i]) + strlen(keys[i]);
        digit += *digit == '"';
        *digit = *digit == '9' ? '8' : (char)(*digit + 1);
        write_bytes(path, edited, size);
        error = (struct error){ 0 };
        cr_expect_null(result_store_open(path, &error), "%s", keys[i]);
        cr_expect(error.kind == ERROR_USER && error.line == 2 &&
                      strstr(error.message, "damaged") != NULL,
                  "%s: %s", keys[i], error.message);
    }
}
