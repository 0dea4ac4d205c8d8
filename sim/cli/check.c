/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail check: runs experiments and judges what they expect. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/units.h"
#include "sim/cli/run_file.h"
#include "sim/report/check_report.h"
#include "sim/run/baseline_differences.h"
#include "sim/run/baseline_json.h"
#include "sim/run/baseline_judge.h"
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
    BASELINE,
    UPDATE,
    TOLERANCE,
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
    [BASELINE] = { "baseline", 0, "PATH", "a baseline, a result, or a folder of baselines" },
    [UPDATE] = { "update", 0, NULL, "accept what the experiments give as their baselines" },
    [TOLERANCE] = { "tolerance", 0, "N%", "a regression is worse by more; 3%" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct check {
    struct run_line line;
    const char *junit;
    const char *benchmark;
    const char *summary;
    enum exit_status inconclusive;
    const char *baseline; /* NULL: the file beside each experiment, where there is one */
    bool update;
    double tolerance;
    struct arena *arena;
    struct check_section *sections;
    size_t section_count;
    struct baseline_judge judge;
    struct baseline *before; /* of each section; without a title: none */
    struct baseline *after;
    json_t *figures; /* for the benchmark file */
};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

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

static bool take_tolerance(struct check *check, const char *value, struct error *err)
{
    double tolerance = 0;
    if (units_parse_real(UNITS_PERCENT, value, &tolerance) != UNITS_OK || tolerance > 10) {
        error_user(err, NULL, "`--tolerance %.40s` is not a percentage up to 1000%%", value);
        return error_hint(err, "write --tolerance=3%%");
    }
    check->tolerance = tolerance;
    return true;
}

/* What `run` knows too is read as it reads it. */
static bool take(void *context, int index, const char *value, struct error *err)
{
    struct check *check = context;
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
    case BASELINE:
        check->baseline = value;
        return true;
    case UPDATE:
        check->update = true;
        return true;
    case TOLERANCE:
        return take_tolerance(check, value, err);
    default:
        return run_line_take(&check->line, index == OPTIONS_OPERAND ? NULL : options[index].name,
                             value, err);
    }
}

/* What is accepted is what the file says, not what was tried. */
static bool check_update(const struct check *check, struct error *err)
{
    const struct run_line *line = &check->line;
    if (check->update &&
        (line->set_count > 0 || line->quick || line->repeats > 0 || line->seed >= 0)) {
        error_user(err, NULL, "`--update` with `--set`, `--quick`, `--repeats` or `--seed`");
        return error_hint(err, "a baseline is of the file as it is: change the file, or leave "
                               "`--update` out");
    }
    if (check->update && check->baseline != NULL && !is_folder(check->baseline) &&
        line->file_count > 1) {
        error_user(err, NULL, "one baseline for %zu experiments", line->file_count);
        return error_hint(err, "name a folder");
    }
    return true;
}

static bool read_words(char **words, struct check *check, struct error *err)
{
    run_line_init(&check->line);
    if (!options_read(options, ARRAY_LENGTH(options), words, take, check, err)) {
        return false;
    }
    return run_line_check(&check->line, err) && check_update(check, err);
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

/* ---- The baseline. ---- */

/* Where an experiment's baseline is. */
static const char *path_of(const struct check *check, const char *experiment)
{
    const char *beside = baseline_path(check->arena, experiment);
    if (check->baseline == NULL) {
        return beside;
    }
    if (!is_folder(check->baseline)) {
        return check->baseline;
    }
    const char *slash = strrchr(beside, '/');
    return arena_printf(check->arena, "%s/%s", check->baseline, slash == NULL ? beside : slash + 1);
}

/* Reads what the experiment has to live up to, before it is run. There may be none beside it. */
static bool open_baseline(struct check *check, const char *experiment, struct baseline *baseline,
                          struct error *err)
{
    const char *path = path_of(check, experiment);
    struct stat status;
    if (check->update || (check->baseline == NULL && stat(path, &status) != 0)) {
        return true;
    }
    return baseline_open(check->arena, path, baseline, err);
}

static bool compare_with_baseline(struct check *check, size_t i, struct result *result,
                                  struct error *err)
{
    struct check_section *section = &check->sections[i];
    struct baseline *before = &check->before[i];
    if (!check->update && before->title == NULL) {
        return true;
    }
    if (!baseline_of_points(check->arena, result, &check->after[i], err)) {
        return false;
    }
    if (check->update) {
        return true;
    }
    struct differences differences = baseline_differences(check->arena, before, &check->after[i]);
    section->notes = differences.texts;
    section->note_count = differences.count;
    baseline_judge_add(&check->judge, before, &check->after[i], check->tolerance);
    return true;
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
    size_t index = check->section_count++;
    struct check_section *section = &check->sections[index];
    struct error error = { 0 };
    section->file = experiment->file;
    section->title = experiment->title;
    findings_init(&section->findings, check->arena);
    if (result->finished < result->run_count) {
        return EXIT_STATUS_DONE; /* interrupted: the caller says so */
    }
    if (!judge_all(experiment, result, &section->findings, &error) ||
        !compare_with_baseline(check, index, result, &error) ||
        (check->benchmark != NULL && !check_report_benchmark(result, check->figures, &error))) {
        return command_fail(&error);
    }
    return result->totals.has_empty_side ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

/* All experiments have been run: the comparisons with baselines are decided together. */
static enum exit_status report_all(struct check *check)
{
    enum exit_status status = EXIT_STATUS_DONE;
    baseline_judge_decide(&check->judge);
    size_t judged = 0;
    for (size_t i = 0; i < check->section_count; i++) {
        struct check_section *section = &check->sections[i];
        if (!check->update && check->before[i].title != NULL) {
            baseline_judge_find(&check->judge, judged++, &section->findings);
        }
        if (i > 0) {
            printf("\n");
        }
        check_report_text(section, stdout);
        status = command_worse(status, status_of(check, &section->findings));
    }
    return status;
}

/* An experiment that fails what it expects is not what one accepts. */
static enum exit_status update_all(struct check *check, enum exit_status status)
{
    struct error error = { 0 };
    if (status == EXIT_STATUS_FAILED) {
        fprintf(stderr, "an expectation failed: no baseline is updated\n");
        return status;
    }
    for (size_t i = 0; i < check->section_count; i++) {
        const char *path = path_of(check, check->sections[i].file);
        if (!baseline_json_write(&check->after[i], path, &error)) {
            return command_fail(&error);
        }
        fprintf(stderr, "the baseline is in %s\n", path);
    }
    return status;
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
    check->before = arena_array(check->arena, line->file_count, sizeof(*check->before));
    check->after = arena_array(check->arena, line->file_count, sizeof(*check->after));
    baseline_judge_init(&check->judge, check->arena);
    enum exit_status status = run_file_load(check->arena, line, experiments);
    for (size_t i = 0; i < line->file_count; i++) {
        struct error error = { 0 };
        if (status == EXIT_STATUS_DONE &&
            !open_baseline(check, line->files[i], &check->before[i], &error)) {
            status = command_fail(&error);
        }
    }
    bool good = status == EXIT_STATUS_DONE;
    for (size_t i = 0; good && i < line->file_count && status != EXIT_STATUS_INTERRUPTED; i++) {
        status = command_worse(status, run_file(line, &experiments[i], judge, check));
    }
    if (good && check->section_count == line->file_count && status != EXIT_STATUS_INTERRUPTED) {
        status = command_worse(status, report_all(check));
        status = check->update ? update_all(check, status) : status;
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
    struct check check = { .inconclusive = EXIT_STATUS_INCONCLUSIVE,
                           .tolerance = BASELINE_TOLERANCE };
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
