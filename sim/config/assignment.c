/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/assignment.h"

#include <assert.h>
#include <string.h>

#include "models/registry.h"
#include "sim/config/bind.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"

static const struct node *section(const struct node *root, const char *name)
{
    const struct node *node = node_find(root, name);
    return node != NULL && node->kind == NODE_MAPPING ? node : NULL;
}

static const struct node *find_owner(const struct node *root, const char *section_name,
                                     const char *name, size_t length)
{
    const struct node *owners = section(root, section_name);
    for (size_t i = 0; owners != NULL && i < owners->count; i++) {
        const struct node *key = owners->entries[i].key;
        if (key->count == length && memcmp(key->text, name, length) == 0) {
            return owners->entries[i].value;
        }
    }
    return NULL;
}

const struct model *assignment_model(const struct node *stage)
{
    const struct node *name = stage->kind == NODE_MAPPING ? node_find(stage, "model") : NULL;
    return name != NULL && name->kind == NODE_SCALAR ? model_find(name->text) : NULL;
}

static bool error_owner(const struct node *root, const char *owner, const struct place *where,
                        struct error *err)
{
    static const char *const sections[] = { "stack", "cpus" };
    struct suggest suggest;
    suggest_start(&suggest, owner);
    for (size_t s = 0; s < ARRAY_LENGTH(sections); s++) {
        const struct node *owners = section(root, sections[s]);
        for (size_t i = 0; owners != NULL && i < owners->count; i++) {
            suggest_offer(&suggest, owners->entries[i].key->text);
        }
    }
    error_user(err, where, "no stage or cpu is called `%.60s`", owner);
    return suggest_hint(&suggest, "stages and cpus", err);
}

static bool error_param(const struct param *params, size_t count, const char *path,
                        const char *name, const struct place *where, struct error *err)
{
    if (strcmp(name, "model") == 0 || strcmp(name, "over") == 0) {
        error_user(err, where, "`%.60s` cannot be changed by a path", path);
        return error_hint(err, "change it in `stack:`, or write a second file that `extends:` "
                               "this one");
    }
    struct suggest suggest;
    suggest_start(&suggest, name);
    for (size_t i = 0; i < count; i++) {
        suggest_offer(&suggest, params[i].name);
    }
    error_user(err, where, "`%.60s`: there is no parameter `%.60s`", path, name);
    return suggest_hint(&suggest, "parameters", err);
}

bool assignment_resolve(const struct node *root, const char *path, const struct place *where,
                        struct target *target, struct error *err)
{
    const char *dot = strchr(path, '.');
    if (dot == NULL || dot == path || dot[1] == '\0') {
        error_user(err, where, "`%.60s` is not the path of a parameter", path);
        return error_hint(err, "write STAGE.PARAMETER or CPU.PARAMETER, for example `fio.depth`");
    }
    size_t length = (size_t)(dot - path);
    const struct param *params = cpu_params;
    size_t count = cpu_param_count;
    const struct node *owner = find_owner(root, "cpus", path, length);
    if (owner == NULL) {
        owner = find_owner(root, "stack", path, length);
        const struct model *model = owner == NULL ? NULL : assignment_model(owner);
        if (model == NULL) {
            char name[64];
            size_t shown = length < sizeof(name) ? length : sizeof(name) - 1;
            memcpy(name, path, shown);
            name[shown] = '\0';
            return error_owner(root, name, where, err);
        }
        params = model->params;
        count = model->param_count;
    }
    const struct param *param = param_find(params, count, dot + 1);
    if (param == NULL) {
        return error_param(params, count, path, dot + 1, where, err);
    }
    *target = (struct target){ owner, param };
    return true;
}

bool assignment_read(struct arena *arena, const struct node *root, const struct node *mapping,
                     struct assignments *assignments, struct error *err)
{
    struct assignment *items = arena_array(arena, mapping->count, sizeof(*items));
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *key = mapping->entries[i].key;
        struct target target;
        if (!assignment_resolve(root, key->text, &key->place, &target, err)) {
            return false;
        }
        items[i] = (struct assignment){ key->text, mapping->entries[i].value, key->place };
    }
    *assignments = (struct assignments){ items, mapping->count };
    return true;
}

/* The path is overwritten with blanks before YAML reads the value, so that columns count from the
 * text's beginning. */
static bool parse_set(struct arena *arena, const struct node *root, const char *set,
                      struct assignment *assignment, struct error *err)
{
    const char *name = arena_printf(arena, "--set %s", set);
    const struct place where = { .file = name };
    const char *equals = strchr(set, '=');
    if (equals == NULL) {
        error_user(err, &where, "there is no `=` in it");
        return error_hint(err, "write PATH=VALUE, for example `--set fio.depth=32`");
    }
    size_t length = (size_t)(equals - set);
    char *bytes = arena_strdup(arena, set);
    const char *path = arena_strndup(arena, set, length);
    struct target target;
    if (!assignment_resolve(root, path, &where, &target, err)) {
        return false;
    }
    memset(bytes, ' ', length + 1);
    const struct node *value = yaml_parse(arena, name, bytes, strlen(bytes), err);
    if (value == NULL) {
        return false;
    }
    *assignment = (struct assignment){ path, value, where };
    return true;
}

bool assignment_parse(struct arena *arena, const struct node *root, const char *const *sets,
                      size_t set_count, struct assignments *assignments, struct error *err)
{
    struct assignment *items = arena_array(arena, set_count, sizeof(*items));
    for (size_t i = 0; i < set_count; i++) {
        if (!parse_set(arena, root, sets[i], &items[i], err)) {
            return false;
        }
    }
    *assignments = (struct assignments){ items, set_count };
    return true;
}

const struct assignment *assignment_find(const struct assignments *assignments, const char *path)
{
    for (size_t i = assignments->count; i-- > 0;) {
        if (strcmp(assignments->items[i].path, path) == 0) {
            return &assignments->items[i];
        }
    }
    return NULL;
}

const struct node *assignment_value(const struct experiment *experiment, size_t variant,
                                    size_t point, const char *path)
{
    const struct assignments *layers[] = {
        &experiment->sets,
        &experiment->variants[variant].changes,
        &experiment->points[point].values,
    };
    for (size_t i = 0; i < ARRAY_LENGTH(layers); i++) {
        const struct assignment *found = assignment_find(layers[i], path);
        if (found != NULL) {
            return found->value;
        }
    }
    struct target target;
    struct error unused = { 0 };
    bool known = assignment_resolve(experiment->root, path, NULL, &target, &unused);
    assert(known);
    return target.owner->kind == NODE_MAPPING ? node_find(target.owner, target.param->name) : NULL;
}

static bool check_layer(const struct assignments *swept, const struct assignments *layer,
                        const char *who, struct error *err)
{
    for (size_t i = 0; i < layer->count; i++) {
        const struct assignment *change = &layer->items[i];
        const struct assignment *sweep = assignment_find(swept, change->path);
        if (sweep != NULL) {
            error_user(err, &change->place, "`%.60s` is swept, and %s changes it too", change->path,
                       who);
            return error_hint(err, "remove one of them; the sweep is at line %d, column %d",
                              sweep->place.line, sweep->place.column);
        }
    }
    return true;
}

bool assignment_equals(const struct param *param, const struct node *value, const char *text)
{
    enum units_quantity quantity;
    int64_t a = 0;
    int64_t b = 0;
    if (value == NULL || value->kind != NODE_SCALAR) {
        return false;
    }
    return strcmp(value->text, text) == 0 ||
           (bind_quantity(param, &quantity) &&
            units_parse(quantity, value->text, 0, INT64_MAX, &a) == UNITS_OK &&
            units_parse(quantity, text, 0, INT64_MAX, &b) == UNITS_OK && a == b);
}

/* Every point sets the same paths. */
bool assignment_check_swept(const struct experiment *experiment, struct error *err)
{
    const struct assignments *swept = &experiment->points[0].values;
    for (size_t i = 0; i < experiment->variant_count; i++) {
        const struct variant *variant = &experiment->variants[i];
        if (!check_layer(swept, &variant->changes, "a variant", err)) {
            return false;
        }
    }
    return check_layer(swept, &experiment->sets, "`--set`", err);
}
