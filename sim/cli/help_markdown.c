/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/help_markdown.h"

#include <stdio.h>

#include "models/registry.h"
#include "sim/cli/param_text.h"
#include "sim/config/bind.h"
#include "sim/engine/cpu.h"

/* In a cell of a table a bar would end it. */
static void print_cell(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        printf("%s%c", *c == '|' ? "\\" : "", *c);
    }
}

static void print_value(const struct param *param)
{
    char range[PARAM_TEXT_BYTES];
    param_text_range(param, range);
    if (param->kind == PARAM_KIND_CHOICE) {
        for (size_t i = 0; param_name_at(param, i) != NULL; i++) {
            printf("%s`%s`", i > 0 ? ", " : "", param_name_at(param, i));
        }
        return;
    }
    printf("%s%s%s", param_text_kind(param), range[0] != '\0' ? ", " : "", range);
}

static void print_default(const struct param *param)
{
    char text[PARAM_TEXT_BYTES];
    param_text_default(param, text);
    if (param->required) {
        printf("required");
    } else {
        printf(param->preset_doc != NULL ? "%s" : "`%s`", text);
    }
}

static void print_params(const struct param *params, size_t count)
{
    printf("\n| parameter | value | default | what it is |\n|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        printf("| `%s` | ", params[i].name);
        print_value(&params[i]);
        printf(" | ");
        print_default(&params[i]);
        printf(" | ");
        print_cell(params[i].doc);
        printf(" |\n");
    }
}

static void print_policies(const struct model *model)
{
    for (size_t p = 0; p < model->param_count; p++) {
        const struct param *param = &model->params[p];
        if (param->kind != PARAM_KIND_POLICY) {
            continue;
        }
        printf("\n| `%s` | what it does |\n|---|---|\n", param->name);
        for (size_t i = 0; param_name_at(param, i) != NULL; i++) {
            printf("| `%s` | ", param_name_at(param, i));
            print_cell(param_summary_at(param, i));
            printf(" |\n");
        }
    }
}

static void print_model(const struct model *model)
{
    printf("\n## %s\n\n%s", model->name, model->summary);
    printf("%s\n", model->load     ? " Stands at the top."
                   : model->bottom ? " Stands at the bottom."
                                   : "");
    if (model->param_count > 0) {
        print_params(model->params, model->param_count);
    }
    print_policies(model);
    printf("\nPhases of a request: ");
    for (size_t i = 0; i < model->phase_count; i++) {
        printf("%s%s", i > 0 ? ", " : "", model->phases[i].name);
    }
    struct report report;
    param_text_counters(model, &report);
    for (size_t i = 0; i < report.count; i++) {
        printf("%s%s", i > 0 ? ", " : ". Counted: ", report.entries[i].name);
    }
    printf(".\n");
}

void help_markdown_print(void)
{
    printf("<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
           "<!-- Made by `ringtail help --markdown`: docs/update.sh PROGRAM writes it anew. -->\n"
           "# Models\n\n"
           "What a stack is made of, and the parameters that an experiment sets. `ringtail help\n"
           "MODEL` prints the same; the drawing of each model, what it leaves out and its sources\n"
           "are at the head of `models/MODEL.c`.\n");
    for (size_t i = 0; i < model_count; i++) {
        print_model(models[i]);
    }
    printf("\n## cpu\n\nThreads that stages compete for, under `cpus:`.\n");
    print_params(cpu_params, cpu_param_count);
    printf("\n## Distributions\n\nWhat stands for a time, beside the time itself, `40us`:\n"
           "\n| form | draws |\n|---|---|\n");
    const struct bind_kind *kind;
    for (size_t i = 0; (kind = bind_distribution_kind(i)) != NULL; i++) {
        printf("| `%s` | %s |\n", kind->form, kind->doc);
    }
    printf("\nAny of them takes `plus: 8us` beside it. VALUES is a list of times, a file with one\n"
           "time a line, or `{file: FILE, column: NAME}` of a CSV table.\n");
}
