/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail merge: joins results of one experiment. */
#include "sim/run/merge.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/cli/command.h"

enum { MISSING_SHOWN = 16 };

enum option_index { OUTPUT, HELP };

static const struct option options[] = {
    [OUTPUT] = { "output", 'o', "FILE", "the result of all, required" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct merge_line {
    const char *paths[RESULT_SOURCES_MAX];
    size_t path_count;
    const char *output;
    bool help;
};

static bool take(void *context, int index, const char *value, struct error *err)
{
    struct merge_line *line = context;
    switch (index) {
    case OPTIONS_OPERAND:
        if (line->path_count == RESULT_SOURCES_MAX) {
            error_user(err, NULL, "more than %d results at once", RESULT_SOURCES_MAX);
            return error_hint(err, "merge some of them first");
        }
        line->paths[line->path_count++] = value;
        return true;
    case OUTPUT:
        line->output = value;
        return true;
    case HELP:
        line->help = true;
        return true;
    default:
        return false;
    }
}

static bool read_words(char **words, struct merge_line *line, struct error *err)
{
    if (!options_read(options, ARRAY_LENGTH(options), words, take, line, err)) {
        return false;
    }
    if (line->help) {
        return true;
    }
    if (line->path_count == 0 || line->output == NULL || line->output[0] == '\0') {
        error_user(err, NULL, line->path_count == 0 ? "no results to merge" : "no `-o FILE`");
        return error_hint(err, "ringtail merge FILE... -o OUT");
    }
    return true;
}

/* The next repeats in a row that no file has, from `repeat` on, counted from 1; false if none. */
static bool next_gap(const struct result_store *store, size_t row, size_t *from, size_t *to)
{
    size_t repeats = (size_t)store->experiment->repeats;
    const struct record_place *places = store->places + row * repeats;
    size_t at = *to;
    while (at < repeats && places[at].source > 0) {
        at++;
    }
    *from = at + 1;
    while (at < repeats && places[at].source == 0) {
        at++;
    }
    *to = at;
    return *from <= at;
}

/* `1-3, 7` of the repeats; empty where none is missing. */
static const char *gaps_text(struct arena *arena, const struct result_store *store, size_t row)
{
    const char *text = "";
    for (size_t from = 0, to = 0; next_gap(store, row, &from, &to);) {
        const char *separator = text[0] == '\0' ? "" : ", ";
        text = from == to ? arena_printf(arena, "%s%s%zu", text, separator, from)
                          : arena_printf(arena, "%s%s%zu-%zu", text, separator, from, to);
    }
    return text;
}

/* What no file has, the first few variants and points by name. Points and repeats count from 1. */
static void tell_missing(const struct result_store *store)
{
    const struct experiment *experiment = store->experiment;
    size_t missing = store->place_count - store->finished;
    if (missing == 0) {
        return;
    }
    fprintf(stderr, "%zu of %zu runs are missing:\n", missing, store->place_count);
    struct arena *arena = arena_create();
    size_t rows = experiment->point_count * experiment->variant_count;
    size_t shown = 0;
    size_t more = 0;
    for (size_t row = 0; row < rows; row++) {
        size_t point = row / experiment->variant_count;
        const char *label = experiment->points[point].label;
        const char *gaps = gaps_text(arena, store, row);
        if (gaps[0] != '\0' && shown == MISSING_SHOWN) {
            more++;
        } else if (gaps[0] != '\0') {
            fprintf(stderr, "  point %zu%s%s%s, %s: repeats %s of %" PRId64 "\n", point + 1,
                    label[0] == '\0' ? "" : " (", label, label[0] == '\0' ? "" : ")",
                    experiment->variants[row % experiment->variant_count].name, gaps,
                    experiment->repeats);
            shown++;
        }
    }
    if (more > 0) {
        fprintf(stderr, "  and of %zu more variants at points\n", more);
    }
    arena_destroy(arena);
}

static enum exit_status merge(char **words)
{
    struct error error = { 0 };
    struct merge_line line = { .path_count = 0 };
    if (!read_words(words, &line, &error)) {
        return command_fail(&error);
    }
    if (line.help) {
        command_print_usage(&merge_command);
        return EXIT_STATUS_DONE;
    }
    struct result_store *store = merge_open(line.paths, line.path_count, &error);
    if (store == NULL) {
        return command_fail(&error);
    }
    bool good = result_store_write(store, line.output, &error);
    if (good) {
        tell_missing(store);
    }
    result_store_destroy(store);
    return good ? EXIT_STATUS_DONE : command_fail(&error);
}

const struct command merge_command = {
    .name = "merge",
    .operands = "FILE... -o OUT",
    .summary = "Joins results of one experiment: shards, and repeats added later.",
    .options = options,
    .option_count = ARRAY_LENGTH(options),
    .run = merge,
};
