/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/explanation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "sim/cli/param_text.h"
#include "sim/config/assignment.h"
#include "sim/config/extends.h"
#include "sim/config/parameters.h"
#include "sim/config/until.h"
#include "sim/config/yaml_text.h"
#include "sim/engine/cpu.h"

enum { COMMENT_COLUMN = 48 };

/* ---- Lines. ---- */

/* `key: value   # comment`, either of the last two may be empty. */
static void put(int indent, const char *key, const char *value, const char *comment)
{
    int width = printf("%*s%s:%s%s", indent, "", key, value[0] == '\0' ? "" : " ", value);
    if (comment[0] != '\0') {
        printf("%*s# %s", width < COMMENT_COLUMN ? COMMENT_COLUMN - width : 3, "", comment);
    }
    printf("\n");
}

/* What has no value that could be written. */
static void put_remark(int indent, const char *key, const char *text)
{
    int width = printf("%*s# %s: %s", indent, "", key, text);
    printf("%*s# default\n", width < COMMENT_COLUMN ? COMMENT_COLUMN - width : 3, "");
}

static const struct node *text_node(struct arena *arena, const char *text)
{
    struct node *node = arena_alloc(arena, sizeof(*node));
    *node = (struct node){ .kind = NODE_SCALAR, .nodes = 1, .count = strlen(text), .text = text };
    return node;
}

static const char *quoted(struct arena *arena, const char *text)
{
    return yaml_text(arena, text_node(arena, text));
}

/* "line 7", with the file where it is another one. */
static const char *origin(const struct explanation *explanation, const struct place *place)
{
    struct arena *arena = explanation->arena;
    if (place->file == NULL || strcmp(place->file, explanation->experiment->file) == 0) {
        return arena_printf(arena, "line %d", place->line);
    }
    char *file = arena_strdup(arena, place->file);
    for (char *c = file; *c != '\0'; c++) {
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    }
    return arena_printf(arena, "%s:%d", file, place->line);
}

/* ---- Paths of files. ---- */

static const struct node *whole_path(struct arena *arena, const struct node *file)
{
    const char *path = extends_path(arena, file->place.file, file->text);
    char folder[4096];
    if (path[0] != '/' && getcwd(folder, sizeof(folder)) != NULL) {
        path = arena_printf(arena, "%s/%s", folder, path);
    }
    return text_node(arena, path);
}

static bool names_file(const char *key, const struct node *value)
{
    return value->kind == NODE_SCALAR &&
           (strcmp(key, "file") == 0 || strcmp(key, "empirical") == 0 ||
            strcmp(key, "sequence") == 0);
}

/* The node with whole paths in the places where a file is named. */
static const struct node *with_paths(struct arena *arena, const struct node *node)
{
    struct node *copy = arena_alloc(arena, sizeof(*copy));
    *copy = *node;
    if (node->kind == NODE_MAPPING) {
        struct node_entry *entries = arena_array(arena, node->count, sizeof(*entries));
        for (size_t i = 0; i < node->count; i++) {
            const struct node_entry *entry = &node->entries[i];
            entries[i].key = entry->key;
            entries[i].value = names_file(entry->key->text, entry->value)
                                   ? whole_path(arena, entry->value)
                                   : with_paths(arena, entry->value);
        }
        copy->entries = entries;
    } else if (node->kind == NODE_SEQUENCE) {
        const struct node **items = arena_array(arena, node->count, sizeof(*items));
        for (size_t i = 0; i < node->count; i++) {
            items[i] = with_paths(arena, node->items[i]);
        }
        copy->items = items;
    }
    return copy;
}

static const char *value_text(const struct explanation *explanation, const struct node *value)
{
    return yaml_text(explanation->arena, with_paths(explanation->arena, value));
}

/* ---- Parameters. ---- */

/* The last of these that says something holds. */
static const struct node *find_value(const struct explanation *explanation,
                                     const struct node *written, const char *path,
                                     const char **from)
{
    const struct experiment *experiment = explanation->experiment;
    struct arena *arena = explanation->arena;
    const struct node *value = written;
    *from = written == NULL ? "default" : origin(explanation, &written->place);
    if (explanation->point != EXPLANATION_ALL) {
        const struct assignment *swept =
            assignment_find(&experiment->points[explanation->point].values, path);
        if (swept != NULL) {
            value = swept->value;
            *from = arena_printf(arena, "sweep, %s", origin(explanation, &value->place));
        }
    }
    if (explanation->variant != EXPLANATION_ALL) {
        const struct variant *variant = &experiment->variants[explanation->variant];
        const struct assignment *change = assignment_find(&variant->changes, path);
        if (change != NULL) {
            value = change->value;
            *from = arena_printf(arena, "variant %s, %s", variant->name,
                                 origin(explanation, &value->place));
        }
    }
    const struct assignment *set = assignment_find(&experiment->sets, path);
    if (set != NULL) {
        value = set->value;
        *from = "--set";
    }
    return value;
}

/* "; swept", "; changed by before, after". */
static const char *changes_of(const struct explanation *explanation, const char *path)
{
    const struct experiment *experiment = explanation->experiment;
    bool is_set = assignment_find(&experiment->sets, path) != NULL;
    bool is_swept = assignment_find(&experiment->points[0].values, path) != NULL;
    const char *text = explanation->point == EXPLANATION_ALL && is_swept ? "; swept" : "";
    const char *separator = "; changed by ";
    for (size_t i = 0; i < experiment->variant_count && !is_set; i++) {
        if (explanation->variant == EXPLANATION_ALL &&
            assignment_find(&experiment->variants[i].changes, path) != NULL) {
            text = arena_printf(explanation->arena, "%s%s%s", text, separator,
                                experiment->variants[i].name);
            separator = ", ";
        }
    }
    return text;
}

static void put_param(const struct explanation *explanation, const char *owner,
                      const struct node *mapping, const struct param *param)
{
    struct arena *arena = explanation->arena;
    const char *path = arena_printf(arena, "%s.%s", owner, param->name);
    const struct node *written =
        mapping->kind == NODE_MAPPING ? node_find(mapping, param->name) : NULL;
    const char *from;
    const struct node *value = find_value(explanation, written, path, &from);
    const char *changes = changes_of(explanation, path);
    char preset[PARAM_TEXT_BYTES] = "";
    if (value != NULL) {
        put(4, param->name, value_text(explanation, value),
            arena_printf(arena, "%s%s", from, changes));
    } else if (param->required) {
        printf("    # %s:%s\n", param->name, changes + 1);
    } else if (!parameter_preset(param, sizeof(preset), preset)) {
        put_remark(4, param->name, param->preset_doc != NULL ? param->preset_doc : preset);
    } else {
        put(4, param->name, preset,
            arena_printf(arena, "default%s%s%s", param->preset_doc != NULL ? ": " : "",
                         param->preset_doc != NULL ? param->preset_doc : "", changes));
    }
}

static void put_params(const struct explanation *explanation, const struct node_entry *owner,
                       const struct param *params, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_param(explanation, owner->key->text, owner->value, &params[i]);
    }
}

/* ---- Cpus and stack. ---- */

static void put_cpus(const struct explanation *explanation)
{
    const struct node *cpus = node_find(explanation->experiment->root, "cpus");
    if (cpus == NULL || cpus->kind != NODE_MAPPING || cpus->count == 0) {
        return;
    }
    printf("\ncpus:\n");
    for (size_t i = 0; i < cpus->count; i++) {
        put(2, cpus->entries[i].key->text, "", "");
        put_params(explanation, &cpus->entries[i], cpu_params, cpu_param_count);
    }
}

static void put_over(const struct explanation *explanation, const struct node *stack, size_t i)
{
    const struct node *over = node_find(stack->entries[i].value, "over");
    if (over != NULL) {
        put(4, "over", value_text(explanation, over), origin(explanation, &over->place));
        return;
    }
    size_t next = i + 1;
    while (next < stack->count && assignment_model(stack->entries[next].value)->load) {
        next++;
    }
    put(4, "over", next < stack->count ? stack->entries[next].key->text : "none",
        next < stack->count ? "default: the next stage" : "default: it is the last");
}

static void put_stack(const struct explanation *explanation)
{
    const struct node *stack = node_find(explanation->experiment->root, "stack");
    printf("\nstack:\n");
    for (size_t i = 0; i < stack->count; i++) {
        const struct node_entry *entry = &stack->entries[i];
        const struct model *model = assignment_model(entry->value);
        put(2, entry->key->text, "", model->summary);
        put(4, "model", model->name, origin(explanation, &node_find(entry->value, "model")->place));
        put_params(explanation, entry, model->params, model->param_count);
        put_over(explanation, stack, i);
    }
}

/* ---- What there is more than one of. ---- */

/* The changes of a variant, without those that --set overrides. */
static const char *changes_text(const struct explanation *explanation,
                                const struct variant *variant)
{
    const struct experiment *experiment = explanation->experiment;
    struct arena *arena = explanation->arena;
    const char *text = "{";
    for (size_t i = 0; i < variant->changes.count; i++) {
        const struct assignment *change = &variant->changes.items[i];
        if (assignment_find(&experiment->sets, change->path) == NULL) {
            text = arena_printf(arena, "%s%s%s: %s", text, text[1] == '\0' ? "" : ", ",
                                change->path, value_text(explanation, change->value));
        }
    }
    return arena_printf(arena, "%s}", text);
}

static void put_variants(const struct explanation *explanation)
{
    const struct experiment *experiment = explanation->experiment;
    struct arena *arena = explanation->arena;
    const struct node *node = node_find(experiment->root, "variants");
    if (node == NULL || node->kind != NODE_MAPPING || node->count == 0) {
        return;
    }
    printf("\nvariants:\n");
    for (size_t i = 0; i < experiment->variant_count; i++) {
        const struct variant *variant = &experiment->variants[i];
        if (explanation->variant == EXPLANATION_ALL) {
            put(2, quoted(arena, variant->name), changes_text(explanation, variant),
                origin(explanation, &node->entries[i].key->place));
        } else if ((size_t)explanation->variant == i) {
            put(2, quoted(arena, variant->name), "{}", "its changes are in the stack");
        }
    }
    if (explanation->variant == EXPLANATION_ALL && experiment->compare_from >= 0) {
        const struct node *compare = node_find(experiment->root, "compare");
        const char *from = experiment->variants[experiment->compare_from].name;
        const char *to = experiment->variants[experiment->compare_to].name;
        put(0, "compare",
            arena_printf(arena, "{from: %s, to: %s}", quoted(arena, from), quoted(arena, to)),
            compare == NULL ? "default: the two, as written"
                            : origin(explanation, &compare->place));
    }
}

/* A point keeps its label: each path is swept, over one value. */
static void put_sweep(const struct explanation *explanation)
{
    const struct experiment *experiment = explanation->experiment;
    struct arena *arena = explanation->arena;
    const struct node *sweep = node_find(experiment->root, "sweep");
    if (sweep == NULL || sweep->kind != NODE_MAPPING || sweep->count == 0) {
        return;
    }
    printf("\nsweep:\n");
    for (size_t i = 0; explanation->point == EXPLANATION_ALL && i < sweep->count; i++) {
        const struct node_entry *entry = &sweep->entries[i];
        put(2, entry->key->text, value_text(explanation, entry->value),
            origin(explanation, &entry->key->place));
    }
    if (explanation->point != EXPLANATION_ALL) {
        const struct assignments *values = &experiment->points[explanation->point].values;
        for (size_t i = 0; i < values->count; i++) {
            const char *value = value_text(explanation, values->items[i].value);
            put(2, values->items[i].path, arena_printf(arena, "[%s]", value),
                arena_printf(arena, "%s, point %d of %zu",
                             origin(explanation, &values->items[i].place), explanation->point + 1,
                             experiment->point_count));
        }
    }
}

/* A mapping of a list, a key a line. */
static void put_item(const struct explanation *explanation, const struct node *item)
{
    struct arena *arena = explanation->arena;
    const struct node *mapping = with_paths(arena, item);
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node_entry *entry = &mapping->entries[i];
        const char *key =
            arena_printf(arena, "%s %s", i == 0 ? "-" : " ", yaml_text(arena, entry->key));
        put(2, key, yaml_text(arena, entry->value),
            i == 0 ? origin(explanation, &item->place) : "");
    }
}

static void put_list(const struct explanation *explanation, const char *key)
{
    const struct node *list = node_find(explanation->experiment->root, key);
    if (list == NULL || list->count == 0) {
        return;
    }
    if (explanation->variant != EXPLANATION_ALL || explanation->point != EXPLANATION_ALL) {
        printf("\n# %s: left out, it is about the whole experiment\n", key);
        return;
    }
    printf("\n%s:\n", key);
    for (size_t i = 0; i < list->count; i++) {
        put_item(explanation, list->items[i]);
    }
}

/* ---- Head. ---- */

static void put_head_value(const struct explanation *explanation, int indent,
                           const struct node *mapping, const char *key, const char *value)
{
    const struct node *written =
        mapping != NULL && mapping->kind == NODE_MAPPING ? node_find(mapping, key) : NULL;
    put(indent, key, value, written == NULL ? "default" : origin(explanation, &written->place));
}

static const char *time_text(struct arena *arena, sim_time time)
{
    char text[UNITS_TEXT_BYTES];
    units_format_exact(UNITS_TIME, time, text, sizeof(text));
    return arena_strdup(arena, text);
}

static void put_run(const struct explanation *explanation)
{
    const struct experiment *experiment = explanation->experiment;
    const struct engine_span *span = &experiment->span;
    struct arena *arena = explanation->arena;
    const struct node *run = node_find(experiment->root, "run");
    printf("run:\n");
    put_head_value(explanation, 2, run, "warmup", time_text(arena, span->warmup));
    put_head_value(explanation, 2, run, "measure",
                   span->requests > 0 ? arena_printf(arena, "%" PRIu64 " requests", span->requests)
                                      : time_text(arena, span->measure));
    if (experiment->drains_fully) {
        put_remark(2, "drain", "until nothing is in flight");
    } else {
        put_head_value(explanation, 2, run, "drain", time_text(arena, span->drain));
    }
    put_head_value(explanation, 2, run, "repeats",
                   arena_printf(arena, "%" PRId64, experiment->repeats));
    if (experiment->until != NULL) {
        put_head_value(explanation, 2, run, "until", yaml_text(arena, node_find(run, "until")));
        put_head_value(explanation, 2, run, "at_most",
                       arena_printf(arena, "%" PRId64 " repeats", experiment->until->at_most));
    }
}

void explanation_print(const struct explanation *explanation)
{
    const struct experiment *experiment = explanation->experiment;
    struct arena *arena = explanation->arena;
    put_head_value(explanation, 0, experiment->root, "ringtail",
                   arena_printf(arena, "%d", EXPERIMENT_FORMAT));
    put_head_value(explanation, 0, experiment->root, "title", quoted(arena, experiment->title));
    put_head_value(explanation, 0, experiment->root, "seed",
                   arena_printf(arena, "%" PRIu64, experiment->seed));
    put_run(explanation);
    put_cpus(explanation);
    put_stack(explanation);
    put_variants(explanation);
    put_sweep(explanation);
    put_list(explanation, "measured");
    put_list(explanation, "expect");
}
