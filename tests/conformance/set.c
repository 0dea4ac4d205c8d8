/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/conformance/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool good, const char *what, const char *name)
{
    if (!good) {
        fprintf(stderr, "%s: %s\n", what, name);
        abort();
    }
}

static const struct param *find(const struct stage *stage, const char *name)
{
    const struct param *param = param_find(stage->model->params, stage->model->param_count, name);
    require(param != NULL, stage->model->name, name);
    return param;
}

bool has_param(const struct stage *stage, const char *name)
{
    return param_find(stage->model->params, stage->model->param_count, name) != NULL;
}

void set_value(struct stage *stage, const char *name, int64_t value)
{
    const struct param *param = find(stage, name);
    struct error err = { 0 };
    if (param->kind == PARAM_KIND_DISTRIBUTION) {
        set_distribution(stage, name, distribution_constant(value));
    } else {
        require(param_set_integer(param, stage->state, value, NULL, &err), name, err.message);
    }
}

void set_distribution(struct stage *stage, const char *name, struct distribution value)
{
    struct error err = { 0 };
    bool good = param_set_distribution(find(stage, name), stage->state, value, NULL, &err);
    require(good, name, err.message);
}

void set_name(struct stage *stage, const char *name, const char *value)
{
    struct error err = { 0 };
    require(param_set_name(find(stage, name), stage->state, value, NULL, &err), name, err.message);
}

void set_cpu(struct stage *stage, const char *name, struct cpu *cpu)
{
    struct error err = { 0 };
    require(param_set_cpu(find(stage, name), stage->state, cpu, NULL, &err), name, err.message);
}

void build(struct engine *engine)
{
    struct error err = { 0 };
    require(stack_build(engine, &err), "not built", err.message);
}

int64_t reported(const struct engine *engine, const char *owner, const char *name)
{
    for (size_t i = 0; i < engine->report.count; i++) {
        const struct report_entry *entry = &engine->report.entries[i];
        if (strcmp(entry->owner, owner) == 0 && strcmp(entry->name, name) == 0) {
            return entry->value;
        }
    }
    require(false, owner, name);
    return 0;
}
