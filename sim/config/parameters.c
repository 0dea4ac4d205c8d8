/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/config/assignment.h"
#include "sim/config/bind.h"
#include "sim/config/yaml_text.h"
#include "sim/engine/model.h"

enum { PRESET_BYTES = 128 };

bool parameter_preset(const struct param *param, size_t size, char *text)
{
    enum units_quantity quantity;
    if (param->required) {
        return false;
    }
    switch (param->kind) {
    case PARAM_KIND_CPU:
        snprintf(text, size, "none");
        return true;
    case PARAM_KIND_BOOL:
        snprintf(text, size, "%s", param->preset != 0 ? "true" : "false");
        return true;
    case PARAM_KIND_CHOICE:
    case PARAM_KIND_POLICY:
        snprintf(text, size, "%s", param_name_at(param, (size_t)param->preset));
        return true;
    default:
        if (!bind_quantity(param, &quantity)) {
            return false;
        }
        units_format_exact(quantity, param->preset, text, size);
        return param->preset >= param->min && param->preset <= param->max;
    }
}

struct list {
    struct arena *arena;
    const struct experiment *experiment;
    struct parameter *items;
    size_t count;
    size_t capacity;
};

static void add(struct list *list, const char *variant, const char *path, const char *text)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        struct parameter *larger = arena_array(list->arena, list->capacity, sizeof(*larger));
        if (list->count > 0) {
            memcpy(larger, list->items, list->count * sizeof(*larger));
        }
        list->items = larger;
    }
    list->items[list->count++] = (struct parameter){
        .variant = arena_strdup(list->arena, variant),
        .path = arena_strdup(list->arena, path),
        .text = arena_strdup(list->arena, text),
    };
}

/* The last of these that says something holds: the preset, the stack, --set. */
static void add_param(struct list *list, const struct node_entry *owner, const struct param *param)
{
    const struct experiment *experiment = list->experiment;
    const char *path = arena_printf(list->arena, "%s.%s", owner->key->text, param->name);
    if (assignment_find(&experiment->points[0].values, path) != NULL) {
        return;
    }
    const struct assignment *set = assignment_find(&experiment->sets, path);
    const struct node *value =
        owner->value->kind == NODE_MAPPING ? node_find(owner->value, param->name) : NULL;
    value = set != NULL ? set->value : value;
    char preset[PRESET_BYTES] = "";
    if (value != NULL) {
        add(list, "", path, yaml_text(list->arena, value));
    } else if (parameter_preset(param, sizeof(preset), preset)) {
        add(list, "", path, arena_strdup(list->arena, preset));
    } else if (param->preset_doc != NULL) {
        add(list, "", path, param->preset_doc);
    }
}

static void add_owner(struct list *list, const struct node_entry *owner)
{
    const struct model *model = assignment_model(owner->value);
    const struct param *params = model == NULL ? cpu_params : model->params;
    size_t count = model == NULL ? cpu_param_count : model->param_count;
    static const char *const keys[] = { "model", "over" };
    for (size_t i = 0; i < ARRAY_LENGTH(keys) && model != NULL; i++) {
        const struct node *value = node_find(owner->value, keys[i]);
        if (value != NULL) {
            add(list, "", arena_printf(list->arena, "%s.%s", owner->key->text, keys[i]),
                yaml_text(list->arena, value));
        }
    }
    for (size_t i = 0; i < count; i++) {
        add_param(list, owner, &params[i]);
    }
}

static const struct node *section(const struct node *root, const char *name)
{
    const struct node *node = root->kind == NODE_MAPPING ? node_find(root, name) : NULL;
    return node != NULL && node->kind == NODE_MAPPING ? node : NULL;
}

/* What a variant changes, unless --set does. */
static void add_variants(struct list *list)
{
    const struct node *variants = section(list->experiment->root, "variants");
    for (size_t i = 0; variants != NULL && i < variants->count; i++) {
        const struct node *changes = variants->entries[i].value;
        for (size_t j = 0; changes->kind == NODE_MAPPING && j < changes->count; j++) {
            const char *path = changes->entries[j].key->text;
            if (assignment_find(&list->experiment->sets, path) == NULL) {
                add(list, variants->entries[i].key->text, path,
                    yaml_text(list->arena, changes->entries[j].value));
            }
        }
    }
}

int parameter_order(const struct parameter *a, const struct parameter *b)
{
    int variants = strcmp(a->variant, b->variant);
    return variants != 0 ? variants : strcmp(a->path, b->path);
}

static int order(const void *a, const void *b)
{
    return parameter_order(a, b);
}

struct parameters parameters_of(struct arena *arena, const struct experiment *experiment)
{
    struct list list = { .arena = arena, .experiment = experiment };
    static const char *const sections[] = { "cpus", "stack" };
    for (size_t i = 0; i < ARRAY_LENGTH(sections); i++) {
        const struct node *owners = section(experiment->root, sections[i]);
        for (size_t j = 0; owners != NULL && j < owners->count; j++) {
            add_owner(&list, &owners->entries[j]);
        }
    }
    add_variants(&list);
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof(*list.items), order);
    }
    return (struct parameters){ list.items, list.count };
}
