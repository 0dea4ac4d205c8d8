/* SPDX-License-Identifier: Apache-2.0 */
/* ringtail plan: what there is to run, point by point, for those who spread it over machines. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/config/experiment.h"
#include "sim/config/yaml_text.h"

enum { SETS_MAX = 256 };

enum option_index { SET, COUNT, FORMAT, HELP };

static const struct option options[] = {
    [SET] = { "set", 0, "PATH=VALUE", "change a parameter, as `run` does" },
    [COUNT] = { "count", 0, NULL, "the number of points and nothing else" },
    [FORMAT] = { "format", 0, "NAME", "text or json" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

struct plan_line {
    const char *file;
    const char *sets[SETS_MAX];
    size_t set_count;
    bool count;
    bool json;
    bool help;
};

static bool take_format(const char *value, bool *json, struct error *err)
{
    *json = strcmp(value, "json") == 0;
    if (!*json && strcmp(value, "text") != 0) {
        error_user(err, NULL, "unknown format `%.40s`", value);
        return error_hint(err, "text or json");
    }
    return true;
}

static bool take(void *context, int index, const char *value, struct error *err)
{
    struct plan_line *line = context;
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
    case COUNT:
        line->count = true;
        return true;
    case FORMAT:
        return take_format(value, &line->json, err);
    case HELP:
        line->help = true;
        return true;
    default:
        return false;
    }
}

static bool read_words(char **words, struct plan_line *line, struct error *err)
{
    if (!options_read(options, ARRAY_LENGTH(options), words, take, line, err)) {
        return false;
    }
    if (line->file == NULL && !line->help) {
        error_user(err, NULL, "no experiment to plan");
        return error_hint(err, "ringtail plan FILE");
    }
    return true;
}

/* ---- What is printed. ---- */

static void print_text(const struct experiment *experiment, size_t runs)
{
    char total[24];
    int width = snprintf(total, sizeof(total), "%zu", experiment->point_count);
    width = width < 5 ? 5 : width;
    printf("%*s  %5s  %s\n", width, "point", "runs", "parameters");
    for (size_t i = 0; i < experiment->point_count; i++) {
        const char *label = experiment->points[i].label;
        printf("%*zu  %5zu  %s\n", width, i + 1, runs, label[0] == '\0' ? "as written" : label);
    }
    printf("\n%zu point%s x %zu variant%s x %" PRId64 " repeat%s = %zu runs\n",
           experiment->point_count, experiment->point_count == 1 ? "" : "s",
           experiment->variant_count, experiment->variant_count == 1 ? "" : "s",
           experiment->repeats, experiment->repeats == 1 ? "" : "s",
           runs * experiment->point_count);
}

static void print_json(struct arena *arena, const struct experiment *experiment, size_t runs)
{
    for (size_t i = 0; i < experiment->point_count; i++) {
        const struct assignments *values = &experiment->points[i].values;
        json_t *parameters = json_object();
        for (size_t k = 0; k < values->count; k++) {
            json_object_set_new(parameters, values->items[k].path,
                                json_string(yaml_text(arena, values->items[k].value)));
        }
        json_t *json = json_pack("{s:I, s:I, s:o}", "point", (json_int_t)i + 1, "runs",
                                 (json_int_t)runs, "parameters", parameters);
        fputs(i == 0 ? "[\n" : ",\n", stdout);
        json_dumpf(json, stdout, JSON_COMPACT);
        json_decref(json);
    }
    puts("\n]");
}

static void print(const struct plan_line *line, struct arena *arena,
                  const struct experiment *experiment)
{
    size_t runs = experiment->variant_count * (size_t)experiment->repeats;
    if (line->count) {
        printf("%zu\n", experiment->point_count);
    } else if (line->json) {
        print_json(arena, experiment, runs);
    } else {
        print_text(experiment, runs);
    }
}

static enum exit_status run(char **words)
{
    struct error error = { 0 };
    struct plan_line line = { 0 };
    if (!read_words(words, &line, &error)) {
        return command_fail(&error);
    }
    if (line.help) {
        command_print_usage(&plan_command);
        return EXIT_STATUS_DONE;
    }
    struct arena *arena = arena_create();
    struct experiment experiment;
    bool good = experiment_load(arena, line.file, line.sets, line.set_count, &experiment, &error);
    if (good) {
        print(&line, arena, &experiment);
    }
    arena_destroy(arena);
    return good ? EXIT_STATUS_DONE : command_fail(&error);
}

const struct command plan_command = {
    .name = "plan",
    .operands = "FILE [OPTION]...",
    .summary = "Lists the points of the sweep, for `run --point K` and array jobs.",
    .options = options,
    .option_count = ARRAY_LENGTH(options),
    .run = run,
};
