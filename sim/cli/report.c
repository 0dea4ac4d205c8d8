/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail report: prints the report of a result, as the run did. */
#include <stdio.h>

#include "sim/cli/command.h"
#include "sim/report/writer.h"
#include "sim/run/result_store.h"

enum option_index { FORMAT, HELP };

static const struct option options[] = {
    [FORMAT] = { "format", 0, "NAME", "text, csv or json" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct report_line {
    const char *path;
    const struct writer *writer;
    bool help;
};

static bool take(void *context, int index, const char *value, struct error *err)
{
    struct report_line *line = context;
    switch (index) {
    case OPTIONS_OPERAND:
        if (line->path != NULL) {
            error_user(err, NULL, "unexpected `%.200s`", value);
            return error_hint(err, "one result at a time; `ringtail merge` joins several");
        }
        line->path = value;
        return true;
    case FORMAT:
        line->writer = writer_find(value, err);
        return line->writer != NULL;
    case HELP:
        line->help = true;
        return true;
    default:
        return false;
    }
}

static bool read_words(char **words, struct report_line *line, struct error *err)
{
    if (!options_read(options, ARRAY_LENGTH(options), words, take, line, err)) {
        return false;
    }
    if (line->path == NULL && !line->help) {
        error_user(err, NULL, "no result to report");
        return error_hint(err, "ringtail report RESULT, a file that `ringtail run -o` wrote");
    }
    return true;
}

static enum exit_status report(char **words)
{
    struct error error = { 0 };
    struct report_line line = { .writer = writers[0] };
    if (!read_words(words, &line, &error)) {
        return command_fail(&error);
    }
    if (line.help) {
        command_print_usage(&report_command);
        return EXIT_STATUS_DONE;
    }
    struct result_store *store = result_store_open(line.path, &error);
    if (store == NULL) {
        return command_fail(&error);
    }
    struct arena *arena = arena_create();
    struct result result = result_of_store(arena, store);
    bool good = line.writer->write(&result, stdout, &error);
    arena_destroy(arena);
    result_store_destroy(store);
    if (!good) {
        return command_fail(&error);
    }
    return result.totals.has_empty_side ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

const struct command report_command = {
    .name = "report",
    .operands = "RESULT [OPTION]...",
    .summary = "Prints the report of a result again.",
    .options = options,
    .option_count = ARRAY_LENGTH(options),
    .run = report,
};
