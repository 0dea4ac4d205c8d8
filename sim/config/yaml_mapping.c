/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every entry, written out or merged, is a candidate in the order of the text, `<<` replaced by
 * what it merges. Sorting them brings equal keys together: two that are written out are an error,
 * otherwise the first place keeps the value that wins. Sorting rather than looking up keeps a
 * mapping of a million keys cheap.
 */
#include "sim/config/yaml_mapping.h"

#include <stdlib.h>
#include <string.h>

/* A mapping's entry while merges are resolved. */
struct candidate {
    struct node_entry entry;
    size_t order;
    bool merged;
    bool dropped; /* an earlier one of the same key stands for it */
};

static bool is_merge(const struct node *key)
{
    return !key->quoted && strcmp(key->text, "<<") == 0;
}

/* The mappings that a `<<` merges: `*count` of them from the returned one on. */
static const struct node *const *merge_sources(const struct node *const *value, size_t *count)
{
    *count = 1;
    if ((*value)->kind == NODE_SEQUENCE) {
        *count = (*value)->count;
        return (*value)->items;
    }
    return value;
}

static bool check_merge(const struct node *const *value, size_t *entries, struct error *err)
{
    size_t count = 0;
    const struct node *const *sources = merge_sources(value, &count);
    for (size_t i = 0; i < count; i++) {
        if (sources[i]->kind != NODE_MAPPING) {
            error_user(err, &sources[i]->place, "`<<` can only merge mappings");
            return error_hint(err, "write `<<: *name` or `<<: [*one, *two]`, where "
                                   "`&name` marks a mapping above");
        }
        *entries += sources[i]->count;
    }
    return true;
}

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = *(struct candidate *const *)left;
    const struct candidate *b = *(struct candidate *const *)right;
    int order = strcmp(a->entry.key->text, b->entry.key->text);
    return order != 0 ? order : a->order < b->order ? -1 : a->order > b->order;
}

static bool error_duplicate(const struct node *first, const struct node *second, struct error *err)
{
    error_user(err, &second->place, "duplicate key `%.60s`; the first is at line %d, column %d",
               second->text, first->place.line, first->place.column);
    return error_hint(err, is_merge(second) ? "merge a list instead: `<<: [*one, *two]`"
                                            : "remove one of them, or rename it");
}

/* One group of equal keys, in order: the first place takes the value that wins. False where two of
 * them are written out. */
static bool resolve_group(struct candidate **group, size_t count, struct error *err)
{
    const struct candidate *explicit = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!group[i]->merged) {
            if (explicit != NULL) {
                return error_duplicate(explicit->entry.key, group[i]->entry.key, err);
            }
            explicit = group[i];
        }
    }
    if (explicit != NULL) {
        group[0]->entry = explicit->entry;
    }
    for (size_t i = 1; i < count; i++) {
        group[i]->dropped = true;
    }
    return true;
}

static bool resolve_candidates(struct arena *scratch, struct candidate *candidates, size_t count,
                               struct error *err)
{
    struct candidate **sorted = arena_array(scratch, count, sizeof(struct candidate *));
    for (size_t i = 0; i < count; i++) {
        candidates[i].order = i;
        sorted[i] = &candidates[i];
    }
    qsort(sorted, count, sizeof(struct candidate *), compare_candidates);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count &&
               strcmp(sorted[i]->entry.key->text, sorted[end]->entry.key->text) == 0) {
            end++;
        }
        if (!resolve_group(sorted + i, end - i, err)) {
            return false;
        }
        i = end;
    }
    return true;
}

/* Entries in the order of the text, each `<<` replaced by what it merges. */
static size_t expand(const struct node *const *pairs, size_t pair_count,
                     struct candidate *candidates)
{
    size_t used = 0;
    for (size_t i = 0; i < pair_count; i++) {
        const struct node *key = pairs[2 * i];
        if (!is_merge(key)) {
            candidates[used++].entry = (struct node_entry){ key, pairs[2 * i + 1] };
            continue;
        }
        size_t count = 0;
        const struct node *const *sources = merge_sources(&pairs[2 * i + 1], &count);
        for (size_t s = 0; s < count; s++) {
            for (size_t e = 0; e < sources[s]->count; e++) {
                candidates[used].merged = true;
                candidates[used++].entry = sources[s]->entries[e];
            }
        }
    }
    return used;
}

bool yaml_mapping_fill(struct arena *arena, struct arena *scratch, struct node *node,
                       const struct node *const *pairs, size_t pair_count, struct error *err)
{
    size_t count = 0;
    const struct node *merge = NULL;
    for (size_t i = 0; i < pair_count; i++) {
        const struct node *key = pairs[2 * i];
        if (!is_merge(key)) {
            count++;
            continue;
        }
        if (merge != NULL) {
            return error_duplicate(merge, key, err);
        }
        merge = key;
        if (!check_merge(&pairs[2 * i + 1], &count, err)) {
            return false;
        }
    }
    struct candidate *candidates = arena_array(scratch, count, sizeof(*candidates));
    expand(pairs, pair_count, candidates);
    if (!resolve_candidates(scratch, candidates, count, err)) {
        return false;
    }
    struct node_entry *entries = arena_array(arena, count, sizeof(*entries));
    for (size_t i = 0; i < count; i++) {
        if (!candidates[i].dropped) {
            entries[node->count++] = candidates[i].entry;
        }
    }
    node->entries = entries;
    return true;
}
