/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail merge: joins results of one experiment. */
#include "sim/run/merge.h"

#include <stdio.h>

#include "sim/cli/command.h"

enum { MISSING_SHOWN = 5 };

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

static bool take(struct merge_line *line, int index, const char *value, struct error *err)
{
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
    struct options reader = { options, ARRAY_LENGTH(options), words, false };
    const char *value;
    int index;
    while ((index = options_next(&reader, &value, err)) != OPTIONS_END) {
        if (!take(line, index, value, err)) {
            return false;
        }
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

/* The first few of the runs that no file has. */
static void tell_missing(const struct result_store *store)
{
    const struct experiment *experiment = store->experiment;
    size_t missing = store->place_count - store->finished;
    if (missing == 0) {
        return;
    }
    fprintf(stderr, "%zu of %zu runs are missing:\n", missing, store->place_count);
    size_t shown = 0;
    for (size_t i = 0; i < store->place_count && shown < MISSING_SHOWN; i++) {
        size_t row = i / (size_t)experiment->repeats;
        const struct point *point = &experiment->points[row / experiment->variant_count];
        if (store->places[i].source == 0) {
            fprintf(stderr, "  %s%s%s, repeat %zu\n",
                    experiment->variants[row % experiment->variant_count].name,
                    point->label[0] == '\0' ? "" : ", ", point->label,
                    i % (size_t)experiment->repeats);
            shown++;
        }
    }
    if (shown < missing) {
        fprintf(stderr, "  ...\n");
    }
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
