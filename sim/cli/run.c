/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail run: simulates experiments and prints the report of each. */
#include "sim/run/run.h"

#include <stdio.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/report/text_report.h"
#include "sim/run/figure.h"

enum { FILES_MAX = 64, SETS_MAX = 256, QUICK_DIVISOR = 10, QUICK_REPEATS = 2 };

enum option_index { SET, SEED, REPEATS, THREADS, QUICK, HELP };

static const struct option options[] = {
    [SET] = { "set", 0, "PATH=VALUE", "change a parameter, as in `queue.hz=1000`" },
    [SEED] = { "seed", 0, "N", "instead of the file's" },
    [REPEATS] = { "repeats", 0, "N", "instead of the file's" },
    [THREADS] = { "threads", 'j', "N", "runs at a time; as many as there are processors" },
    [QUICK] = { "quick", 0, NULL, "a tenth of warm-up and measure, 2 repeats: for a first look" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct run_line {
    const char *files[FILES_MAX];
    size_t file_count;
    const char *sets[SETS_MAX];
    size_t set_count;
    int64_t seed;    /* -1: the file's */
    int64_t repeats; /* 0: the file's */
    int64_t threads;
    bool quick;
    bool help;
};

static bool take(struct run_line *line, int index, const char *value, struct error *err)
{
    switch (index) {
    case OPTIONS_OPERAND:
        if (line->file_count == FILES_MAX) {
            return error_user(err, NULL, "more than %d files", FILES_MAX);
        }
        line->files[line->file_count++] = value;
        return true;
    case SET:
        if (line->set_count == SETS_MAX) {
            return error_user(err, NULL, "more than %d options --set", SETS_MAX);
        }
        line->sets[line->set_count++] = value;
        return true;
    case SEED:
        return options_count("--seed", value, 0, INT64_MAX, &line->seed, err);
    case REPEATS:
        return options_count("--repeats", value, 1, EXPERIMENT_REPEATS_MAX, &line->repeats, err);
    case THREADS:
        return options_count("--threads", value, 1, RUN_THREADS_MAX, &line->threads, err);
    case QUICK:
        line->quick = true;
        return true;
    case HELP:
        line->help = true;
        return true;
    default:
        return false;
    }
}

static bool read_words(char **words, struct run_line *line, struct error *err)
{
    struct options reader = { options, sizeof(options) / sizeof(options[0]), words, false };
    const char *value;
    int index;
    while ((index = options_next(&reader, &value, err)) != OPTIONS_END) {
        if (!take(line, index, value, err)) {
            return false;
        }
    }
    if (line->file_count == 0 && !line->help) {
        error_user(err, NULL, "no experiment to run");
        return error_hint(err, "ringtail run FILE; `ringtail help run` lists the options");
    }
    return true;
}

static void shorten(sim_time *time)
{
    *time = *time > QUICK_DIVISOR ? *time / QUICK_DIVISOR : *time;
}

static void apply(const struct run_line *line, struct experiment *experiment)
{
    if (line->quick) {
        shorten(&experiment->span.warmup);
        shorten(&experiment->span.measure);
        experiment->repeats =
            experiment->repeats < QUICK_REPEATS ? experiment->repeats : QUICK_REPEATS;
    }
    if (line->seed >= 0) {
        experiment->seed = (uint64_t)line->seed;
    }
    if (line->repeats > 0) {
        experiment->repeats = line->repeats;
    }
}

/* ---- While it runs. ---- */

struct progress {
    struct interrupt interrupt;
    bool shown; /* stderr is a terminal */
};

static bool should_stop(void *context)
{
    return interrupt_is_pending(&((struct progress *)context)->interrupt);
}

static void on_run(void *context, const struct result *result)
{
    if (((struct progress *)context)->shown) {
        fprintf(stderr, "\r%zu of %zu runs ", result->finished, result->run_count);
    }
}

static void clear_progress(const struct progress *progress)
{
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
    }
}

/* Whether a variant that is compared has completed no request at some point. */
static bool has_empty_side(const struct result *result)
{
    const struct experiment *experiment = result->experiment;
    for (size_t i = 0; experiment->compare_from >= 0 && i < result->run_count; i++) {
        const struct run_result *run = result->runs[i];
        int variant = (int)(i % experiment->variant_count);
        bool compared = variant == experiment->compare_from || variant == experiment->compare_to;
        for (size_t load = 0; run != NULL && compared && load < run->load_count; load++) {
            if (run->loads[load].completed == 0) {
                return true;
            }
        }
    }
    return false;
}

static enum exit_status run_file(const struct run_line *line, const struct experiment *experiment)
{
    struct arena *arena = arena_create();
    struct progress progress = { .shown = isatty(STDERR_FILENO) == 1 };
    const struct run_watch watch = { should_stop, on_run, &progress };
    struct result result;
    struct error error = { 0 };
    interrupt_block(&progress.interrupt);
    bool done = run_experiment(arena, experiment, (int)line->threads, &watch, &result, &error);
    bool interrupted = interrupt_is_pending(&progress.interrupt);
    clear_progress(&progress);
    interrupt_release(&progress.interrupt);
    enum exit_status status = EXIT_STATUS_DONE;
    if (done) {
        text_report_write(&result, line->quick, stdout);
        status = has_empty_side(&result) ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
        status = command_worse(status, interrupted ? EXIT_STATUS_INTERRUPTED : EXIT_STATUS_DONE);
    } else {
        status = command_fail(&error);
    }
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
                            &error)) {
            apply(line, &experiments[i]);
        } else {
            status = command_worse(status, command_fail(&error));
        }
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
    struct run_line line = { .seed = -1, .threads = run_threads_default() };
    if (!read_words(words, &line, &error)) {
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
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
