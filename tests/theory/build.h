/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a stack in a test: parameters are set by name, and what cannot be set or built ends the
 * program. In the header alone, for the plain programs and the Criterion ones.
 */
#ifndef RINGTAIL_TESTS_THEORY_BUILD_H
#define RINGTAIL_TESTS_THEORY_BUILD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/registry.h"
#include "sim/engine/model.h"
#include "sim/engine/stack.h"

static inline void require(bool good, const char *what, const char *name)
{
    if (!good) {
        fprintf(stderr, "%s: %s\n", what, name);
        abort();
    }
}

static inline const struct param *find_param(const struct stage *stage, const char *name)
{
    const struct param *param = param_find(stage->model->params, stage->model->param_count, name);
    require(param != NULL, stage->model->name, name);
    return param;
}

static inline void set_distribution(struct stage *stage, const char *name,
                                    struct distribution value)
{
    struct error err = { 0 };
    bool good = param_set_distribution(find_param(stage, name), stage->state, value, NULL, &err);
    require(good, name, err.message);
}

/* A count, a bool, a size, a rate in thousandths, a time, or a constant distribution. */
static inline void set_value(struct stage *stage, const char *name, int64_t value)
{
    const struct param *param = find_param(stage, name);
    struct error err = { 0 };
    if (param->kind == PARAM_KIND_DISTRIBUTION) {
        set_distribution(stage, name, distribution_constant(value));
    } else {
        require(param_set_integer(param, stage->state, value, NULL, &err), name, err.message);
    }
}

/* A choice or a policy. */
static inline void set_name(struct stage *stage, const char *name, const char *value)
{
    struct error err = { 0 };
    bool good = param_set_name(find_param(stage, name), stage->state, value, NULL, &err);
    require(good, name, err.message);
}

static inline void set_cpu(struct stage *stage, const char *name, struct cpu *cpu)
{
    struct error err = { 0 };
    bool good = param_set_cpu(find_param(stage, name), stage->state, cpu, NULL, &err);
    require(good, name, err.message);
}

/* A stage of the model of that name. */
static inline struct stage *add_stage(struct engine *engine, const char *name, const char *model)
{
    require(model_find(model) != NULL, "no model", model);
    return stack_add_stage(engine, name, model_find(model));
}

/* A cpu of so many threads that wakes up in `wake`. */
static inline struct cpu *add_cpu(struct engine *engine, const char *name, int64_t threads,
                                  struct distribution wake)
{
    return stack_add_cpu(engine, name,
                         &(struct cpu_config){ .threads = threads, .wake = wake, .loop = -1 });
}

static inline void build(struct engine *engine)
{
    struct error err = { 0 };
    require(stack_build(engine, &err), "not built", err.message);
}

/* Runs all events up to and including `until`, in as many slices as it takes. */
static inline void advance_to(struct engine *engine, sim_time until)
{
    uint64_t events;
    bool open;
    bool closed;
    do {
        events = engine->event_count;
        open = engine->window_open;
        closed = engine->window_closed;
    } while (engine_advance(engine, until) &&
             (engine->event_count != events || engine->window_open != open ||
              engine->window_closed != closed));
}

/* What a stage or cpu reported, in the window. */
static inline int64_t reported(const struct report *report, const char *owner, const char *name)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *entry = &report->entries[i];
        if (strcmp(entry->owner, owner) == 0 && strcmp(entry->name, name) == 0) {
            return entry->value;
        }
    }
    require(false, owner, name);
    return 0;
}

#endif
