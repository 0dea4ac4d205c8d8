/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ringtail help and models: what there is, printed from the tables that parse it.
 */
#include <stdio.h>
#include <string.h>

#include "models/registry.h"
#include "sim/cli/command.h"
#include "sim/cli/help_markdown.h"
#include "sim/cli/help_topics.h"
#include "sim/cli/param_text.h"
#include "sim/config/suggest.h"
#include "sim/engine/cpu.h"
#include "sim/engine/model.h"

enum option_index { MARKDOWN, HELP };

static const struct option options[] = {
    [MARKDOWN] = { "markdown", 0, NULL, "all models and their parameters, as in docs/models.md" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

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
        char range[PARAM_TEXT_BYTES];
        char preset[PARAM_TEXT_BYTES];
        param_text_range(param, range);
        param_text_default(param, preset);
        printf("  %-14s  %s%s%s", param->name, param_text_kind(param), range[0] != '\0' ? ", " : "",
               range);
        if (param->required) {
            printf(", required");
        } else if (param->kind != PARAM_KIND_CPU) {
            printf(", default %s", preset);
        }
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
    struct report report;
    param_text_counters(model, &report);
    for (size_t i = 0; i < report.count; i++) {
        printf("%s%s", i > 0 ? ", " : "\nwhat is counted\n  ", report.entries[i].name);
    }
    printf("%s", report.count > 0 ? "\n" : "");
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
    printf("\ntopics: cpu");
    for (size_t i = 0; help_topics[i].name != NULL; i++) {
        printf(", %s", help_topics[i].name);
    }
    printf(
        "\n\nexit status: 0 done, 1 a side completed no request, 2 a mistake in the command line\n"
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
    for (size_t i = 0; help_topics[i].name != NULL; i++) {
        suggest_offer(&suggest, help_topics[i].name);
    }
    for (size_t i = 0; commands[i] != NULL; i++) {
        suggest_offer(&suggest, commands[i]->name);
    }
    error_user(&error, NULL, "there is no model, command or topic `%s`", word);
    suggest_hint(&suggest, "names", &error);
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
    } else if (!help_topic_print(word)) {
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
    struct options reader = { options, ARRAY_LENGTH(options), words, false };
    struct error error = { 0 };
    const char *word = NULL;
    const char *value;
    int index;
    while ((index = options_next(&reader, &value, &error)) != OPTIONS_END) {
        switch (index) {
        case MARKDOWN:
            help_markdown_print();
            return EXIT_STATUS_DONE;
        case HELP:
            command_print_usage(&help_command);
            return EXIT_STATUS_DONE;
        case OPTIONS_OPERAND:
            if (word != NULL) {
                return fail_operand(value);
            }
            word = value;
            break;
        default:
            return command_fail(&error);
        }
    }
    if (word == NULL) {
        print_commands();
        return EXIT_STATUS_DONE;
    }
    return help_of(word);
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
    .operands = "[COMMAND|MODEL|TOPIC]",
    .summary = "Explains a command, a model and its parameters, or a topic.",
    .options = options,
    .option_count = ARRAY_LENGTH(options),
    .run = help,
};

const struct command models_command = {
    .name = "models",
    .operands = "",
    .summary = "Lists the models that a stack can be made of.",
    .run = list_models,
};
