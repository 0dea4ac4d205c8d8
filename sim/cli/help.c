/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ringtail help and models: what there is, printed from the tables that parse it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/registry.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/config/suggest.h"
#include "sim/engine/cpu.h"
#include "sim/engine/model.h"

enum { RANGE_BYTES = 2 * UNITS_TEXT_BYTES + 16 };

/* How a kind is written, and the widest range that its parameters have: not worth printing. */
struct kind {
    const char *name;
    enum units_quantity quantity;
    int64_t max;
};

static const struct kind kinds[] = {
    [PARAM_KIND_COUNT] = { "count", UNITS_COUNT, INT64_C(1000000000) },
    [PARAM_KIND_BOOL] = { "true or false", UNITS_COUNT, 1 },
    [PARAM_KIND_TIME] = { "time", UNITS_TIME, SIM_DURATION_MAX },
    [PARAM_KIND_SIZE] = { "size", UNITS_SIZE, INT64_C(1) << 40 },
    [PARAM_KIND_RATE] = { "rate", UNITS_RATE, INT64_C(1000000000000000) },
    [PARAM_KIND_DISTRIBUTION] = { "time or distribution", UNITS_TIME, SIM_DURATION_MAX },
    [PARAM_KIND_CHOICE] = { "one of", UNITS_COUNT, 0 },
    [PARAM_KIND_POLICY] = { "policy", UNITS_COUNT, 0 },
    [PARAM_KIND_CPU] = { "cpu", UNITS_COUNT, 0 },
};

static void format_quantity(const struct param *param, int64_t value, char *text)
{
    units_format_exact(kinds[param->kind].quantity, value, text, UNITS_TEXT_BYTES);
}

/* ", 1 to 64", ", at least 1", or nothing. */
static void format_range(const struct param *param, char *text)
{
    char min[UNITS_TEXT_BYTES];
    char max[UNITS_TEXT_BYTES];
    text[0] = '\0';
    if (kinds[param->kind].max <= 1) {
        return;
    }
    format_quantity(param, param->min, min);
    format_quantity(param, param->max, max);
    if (param->max < kinds[param->kind].max) {
        snprintf(text, RANGE_BYTES, ", %s to %s", min, max);
    } else if (param->min > 0) {
        snprintf(text, RANGE_BYTES, ", at least %s", min);
    }
}

static void print_default(const struct param *param)
{
    char text[UNITS_TEXT_BYTES];
    if (param->required) {
        printf(", required");
    } else if (param->preset_doc != NULL) {
        printf(", default %s", param->preset_doc);
    } else if (param->kind == PARAM_KIND_CHOICE || param->kind == PARAM_KIND_POLICY) {
        printf(", default %s", param_name_at(param, (size_t)param->preset));
    } else if (param->kind == PARAM_KIND_BOOL) {
        printf(", default %s", param->preset != 0 ? "true" : "false");
    } else if (param->kind != PARAM_KIND_CPU) {
        format_quantity(param, param->preset, text);
        printf(", default %s", text);
    }
}

static void print_names(const struct param *param)
{
    const char *name;
    for (size_t i = 0; (name = param_name_at(param, i)) != NULL; i++) {
        const char *summary = param_summary_at(param, i);
        if (summary == NULL) {
            printf("%s%s", i == 0 ? "                  " : ", ", name);
        } else {
            printf("                  %-14s  %s\n", name, summary);
        }
    }
    if (param->kind == PARAM_KIND_CHOICE) {
        printf("\n");
    }
}

static void print_params(const struct param *params, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct param *param = &params[i];
        char range[RANGE_BYTES];
        format_range(param, range);
        printf("  %-14s  %s%s", param->name, kinds[param->kind].name, range);
        print_default(param);
        printf("\n                  %s\n", param->doc);
        if (param->kind == PARAM_KIND_CHOICE || param->kind == PARAM_KIND_POLICY) {
            print_names(param);
        }
    }
}

static void print_model(const struct model *model)
{
    printf("%s   %s\n", model->name, model->summary);
    if (model->param_count > 0) {
        printf("\nparameters\n");
        print_params(model->params, model->param_count);
    }
    printf("\nphases of a request\n  ");
    for (size_t i = 0; i < model->phase_count; i++) {
        printf("%s%s", i > 0 ? ", " : "", model->phases[i].name);
    }
    printf("\n");
}

static void print_commands(void)
{
    printf("ringtail " RINGTAIL_VERSION
           ": where the p99.9 of a paravirtual I/O queue goes, before and after a change\n\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        char usage[64];
        snprintf(usage, sizeof(usage), "ringtail %s %s", commands[i]->name, commands[i]->operands);
        printf("  %-36s  %s\n", usage, commands[i]->summary);
    }
    printf("\nexit status: 0 done, 1 a side completed no request, 2 a mistake in the command line\n"
           "or the experiment, 4 the system failed (disk, memory), 130 interrupted\n");
}

static enum exit_status fail_unknown(const char *word)
{
    struct error error = { 0 };
    struct suggest suggest;
    suggest_start(&suggest, word);
    for (size_t i = 0; i < model_count; i++) {
        suggest_offer(&suggest, models[i]->name);
    }
    suggest_offer(&suggest, "cpu");
    for (size_t i = 0; commands[i] != NULL; i++) {
        suggest_offer(&suggest, commands[i]->name);
    }
    error_user(&error, NULL, "there is no model or command `%s`", word);
    suggest_hint(&suggest, "models and commands", &error);
    return command_fail(&error);
}

static enum exit_status help_of(const char *word)
{
    const struct command *command = command_find(word);
    const struct model *model = model_find(word);
    if (command != NULL) {
        command_print_usage(command);
    } else if (model != NULL) {
        print_model(model);
    } else if (strcmp(word, "cpu") == 0) {
        printf("cpu   Threads that stages compete for, under `cpus:` in an experiment.\n"
               "\nparameters\n");
        print_params(cpu_params, cpu_param_count);
    } else {
        return fail_unknown(word);
    }
    return EXIT_STATUS_DONE;
}

static enum exit_status fail_operand(const char *word)
{
    struct error error = { 0 };
    error_user(&error, NULL, "unexpected `%s`", word);
    return command_fail(&error);
}

static enum exit_status help(char **words)
{
    if (words[0] == NULL) {
        print_commands();
        return EXIT_STATUS_DONE;
    }
    return words[1] != NULL ? fail_operand(words[1]) : help_of(words[0]);
}

static enum exit_status list_models(char **words)
{
    if (words[0] != NULL) {
        return fail_operand(words[0]);
    }
    for (size_t i = 0; i < model_count; i++) {
        printf("%-16s  %s\n", models[i]->name, models[i]->summary);
    }
    return EXIT_STATUS_DONE;
}

const struct command help_command = {
    .name = "help",
    .operands = "[COMMAND|MODEL|cpu]",
    .summary = "Explains a command, or a model and its parameters.",
    .run = help,
};

const struct command models_command = {
    .name = "models",
    .operands = "",
    .summary = "Lists the models that a stack can be made of.",
    .run = list_models,
};
