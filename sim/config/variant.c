/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/variant.h"

#include <string.h>

#include "sim/config/assignment.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"

static bool check_variant(const struct node *key, struct error *err)
{
    if (strcmp(key->text, "measured") == 0 || strcmp(key->text, "baseline") == 0) {
        error_user(err, &key->place, "`%s` is a word of its own and cannot name a variant",
                   key->text);
        return error_hint(err, "choose another name");
    }
    if (key->count > 40) {
        error_user(err, &key->place, "the variant's name is longer than 40 bytes");
        return error_hint(err, "choose a shorter one");
    }
    return read_check_printable(key, "the variant's name", err);
}

bool variant_read(struct arena *arena, struct experiment *experiment, struct error *err)
{
    const struct node *node = node_find(experiment->root, "variants");
    const struct node *mapping = node == NULL ? NULL : read_mapping(node, "`variants`", err);
    if (node != NULL && mapping == NULL) {
        return false;
    }
    size_t count = mapping == NULL || mapping->count == 0 ? 1 : mapping->count;
    if (count > EXPERIMENT_VARIANTS_MAX) {
        error_user(err, &mapping->entries[EXPERIMENT_VARIANTS_MAX].key->place,
                   "more than %d variants", EXPERIMENT_VARIANTS_MAX);
        return error_hint(err, "sweep what they differ in");
    }
    struct variant *variants = arena_array(arena, count, sizeof(*variants));
    variants[0].name = "run";
    for (size_t i = 0; mapping != NULL && i < mapping->count; i++) {
        const struct node *key = mapping->entries[i].key;
        const struct node *changes = read_mapping(mapping->entries[i].value, "a variant", err);
        variants[i].name = key->text;
        if (changes == NULL || !check_variant(key, err) ||
            !assignment_read(arena, experiment->root, changes, &variants[i].changes, err)) {
            return false;
        }
    }
    experiment->variants = variants;
    experiment->variant_count = count;
    return true;
}

bool variant_find(const struct experiment *experiment, const struct node *name, size_t *variant,
                  struct error *err)
{
    const char *text = read_text(name, "a variant's name", err);
    if (text == NULL) {
        return false;
    }
    struct suggest suggest;
    suggest_start(&suggest, text);
    for (size_t i = 0; i < experiment->variant_count; i++) {
        if (strcmp(experiment->variants[i].name, text) == 0) {
            *variant = i;
            return true;
        }
        suggest_offer(&suggest, experiment->variants[i].name);
    }
    error_user(err, &name->place, "no variant is called `%.60s`", text);
    return suggest_hint(&suggest, "variants", err);
}

bool variant_read_compare(struct experiment *experiment, struct error *err)
{
    const struct node *node = node_find(experiment->root, "compare");
    size_t first = 0;
    size_t second = 0;
    static const char *const keys[] = { "from", "to", NULL };
    bool two = experiment->variant_count == 2;
    experiment->compare_from = two ? 0 : -1;
    experiment->compare_to = two ? 1 : -1;
    if (node == NULL) {
        return true;
    }
    const struct node *mapping = read_mapping(node, "`compare`", err);
    if (mapping == NULL || !read_keys(mapping, keys, "`compare`", err)) {
        return false;
    }
    const struct node *from = read_required(mapping, "from", "`compare`", err);
    const struct node *to = from == NULL ? NULL : read_required(mapping, "to", "`compare`", err);
    if (to == NULL || !variant_find(experiment, from, &first, err) ||
        !variant_find(experiment, to, &second, err)) {
        return false;
    }
    if (first == second) {
        error_user(err, &to->place, "`compare` names the same variant twice");
        return error_hint(err, "name two different ones");
    }
    experiment->compare_from = (int)first;
    experiment->compare_to = (int)second;
    return true;
}
