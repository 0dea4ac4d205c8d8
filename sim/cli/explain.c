/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail explain: what an experiment says, and what it does not. */
#include <string.h>

#include "sim/base/time.h"
#include "sim/cli/command.h"
#include "sim/cli/explanation.h"
#include "sim/cli/point.h"
#include "sim/config/variant.h"

enum { SETS_MAX = 256 };

enum option_index { SET, VARIANT, POINT, HELP };

static const struct option options[] = {
    [SET] = { "set", 0, "PATH=VALUE", "change a parameter, as `run` does" },
    [VARIANT] = { "variant", 0, "NAME", "as this variant has it" },
    [POINT] = { "point", 0, "K", "as the sweep has it at its point K, counted from 1" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct explain_line {
    const char *file;
    const char *sets[SETS_MAX];
    size_t set_count;
    const char *variant;
    int64_t point; /* 0: all */
    bool help;
};

static bool take(void *context, int index, const char *value, struct error *err)
{
    struct explain_line *line = context;
    switch (index) {
    case OPTIONS_OPERAND:
        if (line->file != NULL) {
            return error_user(err, NULL, "unexpected `%s`", value);
        }
        line->file = value;
        return true;
    case SET:
        if (line->set_count == SETS_MAX) {
            return error_user(err, NULL, "more than %d options --set", SETS_MAX);
        }
        line->sets[line->set_count++] = value;
        return true;
    case VARIANT:
        line->variant = value;
        return true;
    case POINT:
        return options_count("--point", value, 1, EXPERIMENT_POINTS_MAX, &line->point, err);
    case HELP:
        line->help = true;
        return true;
    default:
        return false;
    }
}

static bool read_words(char **words, struct explain_line *line, struct error *err)
{
    if (!options_read(options, ARRAY_LENGTH(options), words, take, line, err)) {
        return false;
    }
    if (line->file == NULL && !line->help) {
        error_user(err, NULL, "no experiment to explain");
        return error_hint(err, "ringtail explain FILE; `ringtail help explain` lists the options");
    }
    return true;
}

static bool choose(const struct explain_line *line, struct explanation *explanation,
                   struct error *err)
{
    const struct experiment *experiment = explanation->experiment;
    if (line->variant != NULL) {
        const struct node name = {
            .kind = NODE_SCALAR,
            .place = { .file = "--variant" },
            .count = strlen(line->variant),
            .text = line->variant,
        };
        size_t index = 0;
        if (!variant_find(experiment, &name, &index, err)) {
            return false;
        }
        explanation->variant = (int)index;
    }
    if (!point_check(line->point, experiment, err)) {
        return false;
    }
    explanation->point = line->point > 0 ? (int)line->point - 1 : EXPLANATION_ALL;
    return true;
}

static enum exit_status run(char **words)
{
    struct error error = { 0 };
    struct explain_line line = { 0 };
    if (!read_words(words, &line, &error)) {
        return command_fail(&error);
    }
    if (line.help) {
        command_print_usage(&explain_command);
        return EXIT_STATUS_DONE;
    }
    struct arena *arena = arena_create();
    struct experiment experiment;
    struct explanation explanation = { &experiment, arena, EXPLANATION_ALL, EXPLANATION_ALL };
    bool good = experiment_load(arena, line.file, line.sets, line.set_count, &experiment, &error) &&
                choose(&line, &explanation, &error);
    if (good) {
        explanation_print(&explanation);
    }
    arena_destroy(arena);
    return good ? EXIT_STATUS_DONE : command_fail(&error);
}

const struct command explain_command = {
    .name = "explain",
    .operands = "FILE [OPTION]...",
    .summary = "Shows every value of an experiment and where it comes from.",
    .options = options,
    .option_count = ARRAY_LENGTH(options),
    .run = run,
};
