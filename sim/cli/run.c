/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail run: simulates experiments, prints the report of each and keeps the result of one. */
#include "sim/run/run.h"

#include <stdio.h>

#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/output_name.h"
#include "sim/cli/progress.h"
#include "sim/cli/run_line.h"
#include "sim/run/spool.h"

/* Runs under way. */
struct under_way {
    struct interrupt interrupt;
    struct progress progress;
    struct result_store *store;
};

static bool should_stop(void *context)
{
    return interrupt_is_pending(&((struct under_way *)context)->interrupt);
}

static bool on_run(void *context, const struct run_result *run, struct error *err)
{
    struct under_way *under_way = context;
    if (!result_store_append(under_way->store, run, err)) {
        return false;
    }
    progress_step(&under_way->progress);
    return true;
}

/* The runs of the point and the shard that there is no record of. Repeats of one variant at one
 * point go to different shards, so that all shards take about as long. */
static size_t list_places(const struct run_line *line, const struct experiment *experiment,
                          const struct result_store *store, size_t *places)
{
    size_t count = 0;
    for (size_t place = 0; place < store->place_count; place++) {
        struct run_key key = result_key(experiment, place);
        if (line->point > 0 && key.point != (size_t)line->point - 1) {
            continue;
        }
        size_t row = key.point * experiment->variant_count + key.variant;
        size_t index = row * (size_t)experiment->repeats + key.repeat;
        if (index % (size_t)line->shard_count == (size_t)line->shard - 1 &&
            !result_store_has(store, key)) {
            places[count++] = place;
        }
    }
    return count;
}

/* Makes the runs that are missing; `*interrupted` when some still are. */
static bool make_runs(struct arena *arena, const struct run_line *line,
                      const struct experiment *experiment, struct result_store *store,
                      bool *interrupted, struct error *err)
{
    struct under_way under_way = { .store = store };
    const struct run_watch watch = { should_stop, on_run, &under_way };
    size_t *places = arena_array(arena, store->place_count, sizeof(*places));
    size_t count = list_places(line, experiment, store, places);
    interrupt_block(&under_way.interrupt);
    progress_start(&under_way.progress, count);
    bool done = run_places(experiment, places, count, (int)line->threads, &watch, err);
    progress_clear(&under_way.progress);
    interrupt_release(&under_way.interrupt);
    *interrupted = done && under_way.progress.done < count;
    return done;
}

static enum exit_status report(const struct run_line *line, struct arena *arena,
                               struct result_store *store)
{
    struct error error = { 0 };
    struct result result = result_of_store(arena, store);
    if (!line->writer->write(&result, stdout, &error)) {
        return command_fail(&error);
    }
    return result.totals.has_empty_side ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

static enum exit_status run_file(const struct run_line *line, const struct experiment *experiment)
{
    struct arena *arena = arena_create();
    struct spool spool;
    struct error error = { 0 };
    bool interrupted = false;
    enum exit_status status;
    const char *output = output_name(arena, line, experiment);
    if (!spool_begin(arena, experiment, output, line->resume, &spool, &error)) {
        arena_destroy(arena);
        return command_fail(&error);
    }
    if (!make_runs(arena, line, experiment, spool.store, &interrupted, &error) ||
        (!interrupted && !spool_finish(&spool, &error))) {
        status = command_fail(&error);
    } else {
        if (output != line->output && !interrupted) {
            fprintf(stderr, "the result is in %s\n", output);
        }
        status = report(line, arena, spool.store);
        status = command_worse(status, interrupted ? EXIT_STATUS_INTERRUPTED : EXIT_STATUS_DONE);
    }
    spool_end(&spool);
    arena_destroy(arena);
    return status;
}

/* All files are read before the first is run, so that a mistake does not show after an hour. */
static enum exit_status load_files(struct arena *arena, const struct run_line *line,
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

static enum exit_status run_files(const struct run_line *line)
{
    struct arena *arena = arena_create();
    struct experiment *experiments = arena_array(arena, line->file_count, sizeof(*experiments));
    enum exit_status status = load_files(arena, line, experiments);
    bool good = status == EXIT_STATUS_DONE;
    for (size_t i = 0; good && i < line->file_count && status != EXIT_STATUS_INTERRUPTED; i++) {
        if (i > 0) {
            printf("\n\n");
        }
        status = command_worse(status, run_file(line, &experiments[i]));
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
