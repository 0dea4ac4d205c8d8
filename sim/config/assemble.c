/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/assemble.h"

#include <stdio.h>
#include <string.h>

#include "sim/config/assignment.h"
#include "sim/config/bind.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"

/* What is being built. */
struct assembly {
    const struct experiment *experiment;
    const struct variant *variant;
    const struct point *point;
    struct binding binding;
    struct engine *engine;
    struct error *err;
};

/* ---- Parameters. ---- */

/* Binds the assignments of OWNER.PARAM; `*given` tells whether there was one. */
static bool bind_layer(const struct assembly *assembly, const struct assignments *layer,
                       const char *owner, const struct param *param, void *state, bool *given)
{
    size_t length = strlen(owner);
    for (size_t i = 0; i < layer->count; i++) {
        const char *path = layer->items[i].path;
        if (strncmp(path, owner, length) == 0 && path[length] == '.' &&
            strcmp(path + length + 1, param->name) == 0) {
            *given = true;
            if (!bind_param(&assembly->binding, param, layer->items[i].value, state,
                            assembly->err)) {
                return false;
            }
        }
    }
    return true;
}

/* Every layer is bound, so that a mistake is found in a value that a later one replaces, too. */
static bool bind_params(const struct assembly *assembly, const struct node_entry *owner,
                        const struct param *params, size_t count, void *state)
{
    const char *name = owner->key->text;
    const struct node *mapping = read_mapping(owner->value, name, assembly->err);
    for (size_t i = 0; i < count; i++) {
        const struct param *param = &params[i];
        const struct node *value = node_find(mapping, param->name);
        bool given = value != NULL;
        if (given && !bind_param(&assembly->binding, param, value, state, assembly->err)) {
            return false;
        }
        if (!bind_layer(assembly, &assembly->point->values, name, param, state, &given) ||
            !bind_layer(assembly, &assembly->variant->changes, name, param, state, &given) ||
            !bind_layer(assembly, &assembly->experiment->sets, name, param, state, &given)) {
            return false;
        }
        if (param->required && !given) {
            error_user(assembly->err, &owner->key->place, "`%s` does not say its `%s`", name,
                       param->name);
            return error_hint(assembly->err, "`%s` is %s: %s", param->name,
                              param_kind_noun(param->kind), param->doc);
        }
    }
    return true;
}

static bool add_cpu(const struct assembly *assembly, const struct node_entry *entry)
{
    struct cpu_config config = { 0 };
    param_set_presets(cpu_params, cpu_param_count, &config);
    if (!bind_params(assembly, entry, cpu_params, cpu_param_count, &config)) {
        return false;
    }
    if (config.loop >= 0 && config.threads != 1) {
        error_user(assembly->err, &entry->key->place, "`%s`: an event loop has one thread",
                   entry->key->text);
        return error_hint(assembly->err, "remove `loop` or `threads`");
    }
    stack_add_cpu(assembly->engine, entry->key->text, &config);
    return true;
}

static bool add_stage(const struct assembly *assembly, const struct node_entry *entry)
{
    const struct model *model = assignment_model(entry->value);
    struct stage *stage = stack_add_stage(assembly->engine, entry->key->text, model);
    return bind_params(assembly, entry, model->params, model->param_count, stage->state);
}

/* ---- Routes. ---- */

static bool find_stage(const struct assembly *assembly, const struct node *name, bool load,
                       struct stage **stage)
{
    struct error *err = assembly->err;
    const char *text = read_text(name, "a stage's name", err);
    if (text == NULL) {
        return false;
    }
    if (!load && strcmp(text, "none") == 0) {
        *stage = NULL;
        return true;
    }
    struct suggest suggest;
    suggest_start(&suggest, text);
    const struct engine *engine = assembly->engine;
    for (unsigned i = 0; i < engine->stage_count; i++) {
        if (!load || engine->stages[i]->model->load) {
            suggest_offer(&suggest, engine->stages[i]->name);
        }
    }
    struct stage *found = stack_find_stage(engine, text);
    if (found == NULL || (load && !found->model->load)) {
        error_user(err, &name->place, "no %s is called `%.60s`", load ? "load" : "stage", text);
        return suggest_hint(&suggest, load ? "loads" : "stages", err);
    }
    *stage = found;
    return true;
}

static bool route(const struct assembly *assembly, struct stage *upper, const struct node *over)
{
    struct stage *lower = NULL;
    if (over->kind != NODE_MAPPING) {
        if (!find_stage(assembly, over, false, &lower)) {
            return false;
        }
        stack_route(assembly->engine, upper, NULL, lower);
        return true;
    }
    for (size_t i = 0; i < over->count; i++) {
        struct stage *load = NULL;
        if (!find_stage(assembly, over->entries[i].key, true, &load) ||
            !find_stage(assembly, over->entries[i].value, false, &lower)) {
            return false;
        }
        stack_route(assembly->engine, upper, load, lower);
    }
    return true;
}

static bool route_all(const struct assembly *assembly, const struct node *stack)
{
    for (size_t i = 0; i < stack->count; i++) {
        const struct node *over = node_find(stack->entries[i].value, "over");
        if (over != NULL && !route(assembly, assembly->engine->stages[i], over)) {
            return false;
        }
    }
    return true;
}

/* ---- The stack as a whole. ---- */

/* The engine knows no places, but its messages name the stage that is wrong first, in `quotes`. */
static struct place place_of_message(const struct node *stack, const char *message)
{
    const char *open = strchr(message, '`');
    for (size_t i = 0; open != NULL && i < stack->count; i++) {
        const struct node *key = stack->entries[i].key;
        if (strncmp(open + 1, key->text, key->count) == 0 && open[1 + key->count] == '`') {
            return key->place;
        }
    }
    return stack->place;
}

/* Says where it went wrong: the stage and, where there are several, the variant and the point. */
static bool error_of_stack(const struct assembly *assembly, const struct node *stack,
                           const struct error *found)
{
    const struct experiment *experiment = assembly->experiment;
    const struct place where = place_of_message(stack, found->message);
    char run[192] = "";
    bool variants = experiment->variant_count > 1;
    bool points = experiment->point_count > 1;
    if (variants || points) {
        snprintf(run, sizeof(run), " (%s%.60s%s%.100s)", variants ? "variant " : "",
                 variants ? assembly->variant->name : "", variants && points ? ", " : "",
                 points ? assembly->point->label : "");
    }
    error_user(assembly->err, &where, "%.300s%s", found->message, run);
    return error_hint(assembly->err, "%s",
                      found->hint[0] != '\0' ? found->hint : "look at `over:` of the stages");
}

struct engine *assemble_stack(const struct experiment *experiment, size_t variant, size_t point,
                              uint64_t repeat, struct arena *arena, struct error *err)
{
    struct engine *engine = stack_create(arena, experiment->seed, repeat);
    const struct assembly assembly = {
        .experiment = experiment,
        .variant = &experiment->variants[variant],
        .point = &experiment->points[point],
        .binding = { arena, engine, experiment->values },
        .engine = engine,
        .err = err,
    };
    const struct node *cpus = node_find(experiment->root, "cpus");
    const struct node *stack = node_find(experiment->root, "stack");
    for (size_t i = 0; cpus != NULL && cpus->kind == NODE_MAPPING && i < cpus->count; i++) {
        if (!add_cpu(&assembly, &cpus->entries[i])) {
            return NULL;
        }
    }
    for (size_t i = 0; i < stack->count; i++) {
        if (!add_stage(&assembly, &stack->entries[i])) {
            return NULL;
        }
    }
    if (!route_all(&assembly, stack)) {
        return NULL;
    }
    struct error found = { 0 };
    if (!stack_build(assembly.engine, &found)) {
        error_of_stack(&assembly, stack, &found);
        return NULL;
    }
    return assembly.engine;
}
