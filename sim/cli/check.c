/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail check: runs experiments and judges what they expect. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/run_file.h"
#include "sim/report/check_report.h"
#include "sim/run/judge.h"
#include "sim/run/output.h"
#include "sim/run/run.h"

enum option_index {
    SET,
    SEED,
    REPEATS,
    THREADS,
    QUICK,
    OUTPUT,
    JUNIT,
    BENCHMARK,
    SUMMARY,
    INCONCLUSIVE,
    HELP,
};

static const struct option options[] = {
    [SET] = { "set", 0, "PATH=VALUE", "change a parameter, as in `queue.hz=1000`" },
    [SEED] = { "seed", 0, "N", "instead of the file's" },
    [REPEATS] = { "repeats", 0, "N", "instead of the file's" },
    [THREADS] = { "threads", 'j', "N", "runs at a time; as many as there are processors" },
    [QUICK] = { "quick", 0, NULL, "a tenth of warm-up and measure, 2 repeats: for a first look" },
    [OUTPUT] = { "output", 'o', "FILE", "keep the result" },
    [JUNIT] = { "junit", 0, "FILE", "write the verdicts as JUnit XML" },
    [BENCHMARK] = { "benchmark", 0, "FILE", "write the latencies as customSmallerIsBetter JSON" },
    [SUMMARY] = { "summary", 0, "FILE", "write the verdicts as Markdown" },
    [INCONCLUSIVE] = { "inconclusive", 0, "pass|fail", "what to make of it, instead of status 3" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct check {
    struct run_line line;
    const char *junit;
    const char *benchmark;
    const char *summary;
    enum exit_status inconclusive;
    struct arena *arena;
    struct check_section *sections;
    size_t section_count;
    json_t *figures; /* for the benchmark file */
};

/* ---- The command line. ---- */

static bool take_inconclusive(struct check *check, const char *value, struct error *err)
{
    if (strcmp(value, "pass") == 0) {
        check->inconclusive = EXIT_STATUS_DONE;
    } else if (strcmp(value, "fail") == 0) {
        check->inconclusive = EXIT_STATUS_FAILED;
    } else {
        error_user(err, NULL, "`--inconclusive %.40s` is neither pass nor fail", value);
        return error_hint(err, "write --inconclusive=pass or --inconclusive=fail");
    }
    return true;
}

/* What `run` knows too is read as it reads it. */
static bool take(struct check *check, int index, const char *value, struct error *err)
{
    switch (index) {
    case JUNIT:
        check->junit = value;
        return true;
    case BENCHMARK:
        check->benchmark = value;
        return true;
    case SUMMARY:
        check->summary = value;
        return true;
    case INCONCLUSIVE:
        return take_inconclusive(check, value, err);
    default:
        return run_line_take(&check->line, index == OPTIONS_OPERAND ? NULL : options[index].name,
                             value, err);
    }
}

static bool read_words(char **words, struct check *check, struct error *err)
{
    struct options reader = { options, ARRAY_LENGTH(options), words, false };
    const char *value;
    int index;
    run_line_init(&check->line);
    while ((index = options_next(&reader, &value, err)) != OPTIONS_END) {
        if (index == OPTIONS_ERROR || !take(check, index, value, err)) {
            return false;
        }
    }
    return run_line_check(&check->line, err);
}

/* ---- Verdicts. ---- */

static enum exit_status status_of(const struct check *check, const struct findings *findings)
{
    switch (findings_outcome(findings)) {
    case FINDING_FAILED:
        return EXIT_STATUS_FAILED;
    case FINDING_INCONCLUSIVE:
        return check->inconclusive;
    default:
        return EXIT_STATUS_DONE;
    }
}

static bool judge_all(const struct experiment *experiment, struct result *result,
                      struct findings *findings, struct error *err)
{
    bool good = true;
    for (size_t point = 0; good && point < experiment->point_count; point++) {
        good = result_open_point(result, point, err);
        if (good) {
            judge_point(experiment, result, point, findings);
        }
    }
    result_close_point(result);
    return good;
}

static enum exit_status judge(void *context, const struct experiment *experiment,
                              struct result *result)
{
    struct check *check = context;
    struct check_section *section = &check->sections[check->section_count++];
    struct error error = { 0 };
    section->file = experiment->file;
    section->title = experiment->title;
    findings_init(&section->findings, check->arena);
    if (result->finished < result->run_count) {
        return EXIT_STATUS_DONE; /* interrupted: the caller says so */
    }
    if (!judge_all(experiment, result, &section->findings, &error) ||
        (check->benchmark != NULL && !check_report_benchmark(result, check->figures, &error))) {
        return command_fail(&error);
    }
    if (check->section_count > 1) {
        printf("\n");
    }
    check_report_text(section, stdout);
    fflush(stdout);
    enum exit_status status = status_of(check, &section->findings);
    return result->totals.has_empty_side ? command_worse(status, EXIT_STATUS_FAILED) : status;
}

/* ---- Files. ---- */

enum form { FORM_JUNIT, FORM_BENCHMARK, FORM_SUMMARY };

static enum exit_status write_file(struct check *check, const char *path, enum form form)
{
    struct error error = { 0 };
    struct output output;
    if (path == NULL) {
        return EXIT_STATUS_DONE;
    }
    if (!output_open(check->arena, path, &output, &error)) {
        return command_fail(&error);
    }
    switch (form) {
    case FORM_JUNIT:
        check_report_junit(check->sections, check->section_count,
                           check->inconclusive == EXIT_STATUS_DONE, output.stream);
        break;
    case FORM_BENCHMARK:
        json_dumpf(check->figures, output.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        fputc('\n', output.stream);
        break;
    case FORM_SUMMARY:
        check_report_markdown(check->sections, check->section_count, output.stream);
        break;
    }
    return output_commit(&output, &error) ? EXIT_STATUS_DONE : command_fail(&error);
}

static enum exit_status check_files(struct check *check)
{
    struct run_line *line = &check->line;
    struct experiment *experiments =
        arena_array(check->arena, line->file_count, sizeof(*experiments));
    check->sections = arena_array(check->arena, line->file_count, sizeof(*check->sections));
    check->figures = json_array();
    enum exit_status status = run_file_load(check->arena, line, experiments);
    bool good = status == EXIT_STATUS_DONE;
    for (size_t i = 0; good && i < line->file_count && status != EXIT_STATUS_INTERRUPTED; i++) {
        status = command_worse(status, run_file(line, &experiments[i], judge, check));
    }
    if (good && status != EXIT_STATUS_INTERRUPTED) {
        status = command_worse(status, write_file(check, check->junit, FORM_JUNIT));
        status = command_worse(status, write_file(check, check->benchmark, FORM_BENCHMARK));
        status = command_worse(status, write_file(check, check->summary, FORM_SUMMARY));
    }
    json_decref(check->figures);
    return status;
}

static enum exit_status run(char **words)
{
    struct error error = { 0 };
    struct check check = { .inconclusive = EXIT_STATUS_INCONCLUSIVE };
    if (!read_words(words, &check, &error)) {
        return command_fail(&error);
    }
    if (check.line.help) {
        command_print_usage(&check_command);
        return EXIT_STATUS_DONE;
    }
    check.arena = arena_create();
    enum exit_status status = check_files(&check);
    arena_destroy(check.arena);
    return status;
}

const struct command check_command = {
    .name = "check",
    .operands = "FILE... [OPTION]...",
    .summary = "Simulates experiments and judges what they expect: 0 passed, 1 failed, "
               "3 inconclusive.",
    .options = options,
    .option_count = ARRAY_LENGTH(options),
    .run = run,
};
