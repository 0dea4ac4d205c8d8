/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/declare.h"

#include <stdio.h>
#include <string.h>

#include "models/registry.h"
#include "sim/config/assignment.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"

/* Words that would make a path or a metric ambiguous. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = { "none",  "zip",     "lat",         "clat", "delivered",
                                         "phase", "counter", "utilisation", "rate", "mean",
                                         "max",   "drops",   "unfinished" };
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
        if (strcmp(words[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_name(const struct node *key, const char *what, struct error *err)
{
    static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                     "0123456789-";
    bool starts_well = strchr("0123456789-", key->text[0]) == NULL;
    if (!starts_well || strspn(key->text, characters) != key->count || key->count > 40) {
        error_user(err, &key->place, "`%.60s` cannot be the name of a %s", key->text, what);
        return error_hint(err, "write up to 40 letters, digits, `_` and `-`, a letter first");
    }
    if (is_reserved(key->text)) {
        error_user(err, &key->place, "`%s` is a word of its own and cannot name a %s", key->text,
                   what);
        return error_hint(err, "choose another name");
    }
    return true;
}

static bool check_count(const struct node *mapping, size_t max, const char *what, struct error *err)
{
    if (mapping->count > max) {
        error_user(err, &mapping->entries[max].key->place, "more than %zu %s", max, what);
        return error_hint(err, "remove some, or split the experiment");
    }
    return true;
}

/* Every key is a parameter of the table, or one of the two words of a stage. */
static bool check_params(const struct node *mapping, const struct param *params, size_t count,
                         const char *what, bool stage, struct error *err)
{
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *key = mapping->entries[i].key;
        bool word = stage && (strcmp(key->text, "model") == 0 || strcmp(key->text, "over") == 0);
        if (word || param_find(params, count, key->text) != NULL) {
            continue;
        }
        struct suggest suggest;
        suggest_start(&suggest, key->text);
        for (size_t p = 0; p < count; p++) {
            suggest_offer(&suggest, params[p].name);
        }
        if (stage) {
            suggest_offer(&suggest, "over");
        }
        error_user(err, &key->place, "unknown parameter `%.60s` of %s", key->text, what);
        return suggest_hint(&suggest, "parameters", err);
    }
    return true;
}

static bool check_cpus(const struct node *cpus, struct error *err)
{
    const struct node *mapping = read_mapping(cpus, "`cpus`", err);
    if (mapping == NULL || !check_count(mapping, ENGINE_CPUS_MAX, "cpus", err)) {
        return false;
    }
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node_entry *entry = &mapping->entries[i];
        char what[64];
        snprintf(what, sizeof(what), "cpu `%.40s`", entry->key->text);
        if (!check_name(entry->key, "cpu", err)) {
            return false;
        }
        const struct node *cpu = read_mapping(entry->value, what, err);
        if (cpu == NULL || !check_params(cpu, cpu_params, cpu_param_count, "a cpu", false, err)) {
            return false;
        }
    }
    return true;
}

static const struct model *find_model(const struct node_entry *entry, struct error *err)
{
    const struct node *node = node_find(entry->value, "model");
    if (node == NULL) {
        error_user(err, &entry->key->place, "stage `%s` does not say its `model:`",
                   entry->key->text);
        error_hint(err, "write `%s: {model: device, ...}`", entry->key->text);
        return NULL;
    }
    const char *name = read_text(node, "`model`", err);
    if (name == NULL) {
        return NULL;
    }
    const struct model *model = model_find(name);
    if (model == NULL) {
        struct suggest suggest;
        suggest_start(&suggest, name);
        for (size_t i = 0; i < model_count; i++) {
            suggest_offer(&suggest, models[i]->name);
        }
        error_user(err, &node->place, "unknown model `%.60s`", name);
        suggest_hint(&suggest, "models", err);
    }
    return model;
}

static bool check_stage(const struct node_entry *entry, const struct node *cpus,
                        unsigned *load_count, struct error *err)
{
    char what[64];
    snprintf(what, sizeof(what), "stage `%.40s`", entry->key->text);
    if (!check_name(entry->key, "stage", err) || read_mapping(entry->value, what, err) == NULL) {
        return false;
    }
    if (node_is_blank(entry->value)) {
        error_user(err, &entry->key->place, "stage `%s` is empty", entry->key->text);
        return error_hint(err, "write `%s: {model: device, ...}`", entry->key->text);
    }
    if (cpus != NULL && cpus->kind == NODE_MAPPING && node_find(cpus, entry->key->text) != NULL) {
        error_user(err, &entry->key->place, "a stage and a cpu are both called `%s`",
                   entry->key->text);
        return error_hint(err, "rename one: paths name both");
    }
    const struct model *model = find_model(entry, err);
    if (model == NULL) {
        return false;
    }
    *load_count += model->load;
    if (*load_count > ENGINE_LOADS_MAX) {
        error_user(err, &entry->key->place, "more than %d loads", ENGINE_LOADS_MAX);
        return error_hint(err, "let one load do the work of several");
    }
    return check_params(entry->value, model->params, model->param_count, model->name, true, err);
}

bool declare_check(const struct node *root, struct error *err)
{
    const struct node *cpus = node_find(root, "cpus");
    if (cpus != NULL && !check_cpus(cpus, err)) {
        return false;
    }
    const struct node *stack = read_required(root, "stack", "the experiment", err);
    if (stack == NULL) {
        return false;
    }
    const struct node *mapping = read_mapping(stack, "`stack`", err);
    if (mapping == NULL || !check_count(mapping, ENGINE_STAGES_MAX, "stages", err)) {
        return false;
    }
    if (mapping->count == 0) {
        error_user(err, &stack->place, "the stack is empty");
        return error_hint(err, "write its stages from the top down, a load first");
    }
    unsigned load_count = 0;
    for (size_t i = 0; i < mapping->count; i++) {
        if (!check_stage(&mapping->entries[i], cpus, &load_count, err)) {
            return false;
        }
    }
    return true;
}
