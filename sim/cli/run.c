/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail run: simulates experiments, prints the report of each and keeps the result of one. */
#include <stdio.h>

#include "sim/cli/command.h"
#include "sim/cli/make_runs.h"
#include "sim/cli/output_name.h"
#include "sim/cli/run_file.h"

static enum exit_status report(void *context, const struct experiment *experiment,
                               struct result *result)
{
    (void)experiment;
    const struct run_line *line = context;
    struct error error = { 0 };
    if (!line->writer->write(result, stdout, &error)) {
        return command_fail(&error);
    }
    return result->totals.has_empty_side ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

enum exit_status run_file(const struct run_line *line, const struct experiment *experiment,
                          run_file_ended *ended, void *context)
{
    struct arena *arena = arena_create();
    const char *output = output_name(arena, line, experiment);
    struct spool spool;
    struct error error = { 0 };
    bool interrupted = false;
    if (!make_runs(arena, line, experiment, output, &spool, &interrupted, &error)) {
        arena_destroy(arena);
        return command_fail(&error);
    }
    enum exit_status status;
    if (!interrupted && !spool_finish(&spool, &error)) {
        status = command_fail(&error);
    } else {
        if (output != line->output && !interrupted) {
            fprintf(stderr, "the result is in %s\n", output);
        }
        struct result result = result_of_store(arena, spool.store);
        status = ended(context, experiment, &result);
        status = command_worse(status, interrupted ? EXIT_STATUS_INTERRUPTED : EXIT_STATUS_DONE);
    }
    spool_end(&spool);
    arena_destroy(arena);
    return status;
}

enum exit_status run_file_load(struct arena *arena, const struct run_line *line,
                               struct experiment *experiments)
{
    enum exit_status status = EXIT_STATUS_DONE;
    for (size_t i = 0; i < line->file_count; i++) {
        struct error error = { 0 };
        if (experiment_load(arena, line->files[i], line->sets, line->set_count, &experiments[i],
                            &error) &&
            run_line_apply(line, &experiments[i], &error)) {
            continue;
        }
        status = command_worse(status, command_fail(&error));
    }
    return status;
}

static enum exit_status run_files(struct run_line *line)
{
    struct arena *arena = arena_create();
    struct experiment *experiments = arena_array(arena, line->file_count, sizeof(*experiments));
    enum exit_status status = run_file_load(arena, line, experiments);
    bool good = status == EXIT_STATUS_DONE;
    for (size_t i = 0; good && i < line->file_count && status != EXIT_STATUS_INTERRUPTED; i++) {
        if (i > 0) {
            printf("\n\n");
        }
        status = command_worse(status, run_file(line, &experiments[i], report, line));
    }
    arena_destroy(arena);
    return status;
}

static enum exit_status run(char **words)
{
    struct error error = { 0 };
    struct run_line line;
    if (!run_line_read(words, &line, &error)) {
        return command_fail(&error);
    }
    if (line.help) {
        command_print_usage(&run_command);
        return EXIT_STATUS_DONE;
    }
    return run_files(&line);
}

const struct command run_command = {
    .name = "run",
    .operands = "FILE... [OPTION]...",
    .summary = "Simulates each experiment and prints its report.",
    .options = run_options,
    .option_count = RUN_OPTION_COUNT,
    .run = run,
};
