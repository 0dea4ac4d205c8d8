/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/extends.h"

#include <string.h>

#include "sim/base/time.h"
#include "sim/config/read.h"

/* The files that are being loaded, from the last one back. */
struct chain {
    const struct chain *before;
    const char *file;
    int length;
};

const char *extends_path(struct arena *arena, const char *from, const char *path)
{
    bool typed = from != NULL && strncmp(from, "--", 2) == 0;
    const char *slash = from == NULL || typed ? NULL : strrchr(from, '/');
    if (path[0] == '/' || slash == NULL) {
        return path;
    }
    return arena_printf(arena, "%.*s%s", (int)(slash + 1 - from), from, path);
}

/* How deep two values of a key at the top are merged: 1 is by key, 2 by name and key. */
static int merge_depth(const char *key)
{
    static const struct {
        const char *key;
        int depth;
    } depths[] = {
        { "stack", 2 }, { "cpus", 2 }, { "variants", 2 },
        { "sweep", 1 }, { "run", 1 },  { "compare", 1 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(depths); i++) {
        if (strcmp(depths[i].key, key) == 0) {
            return depths[i].depth;
        }
    }
    return 0;
}

static const struct node *merge(struct arena *arena, const struct node *base,
                                const struct node *over, int depth);

static size_t find_entry(const struct node_entry *entries, size_t count, const char *key)
{
    size_t i = 0;
    while (i < count && strcmp(entries[i].key->text, key) != 0) {
        i++;
    }
    return i;
}

/* The entries of `over` laid over those of `base`; a negative depth: the document itself. */
static const struct node *merge_mappings(struct arena *arena, const struct node *base,
                                         const struct node *over, int depth)
{
    struct node_entry *entries = arena_array(arena, base->count + over->count, sizeof(*entries));
    size_t count = base->count;
    for (size_t i = 0; i < count; i++) {
        entries[i] = base->entries[i];
    }
    for (size_t i = 0; i < over->count; i++) {
        struct node_entry entry = over->entries[i];
        size_t e = find_entry(entries, count, entry.key->text);
        if (e == count) {
            entries[count++] = entry;
            continue;
        }
        int below = depth < 0 ? merge_depth(entry.key->text) : depth - 1;
        entries[e] = (struct node_entry){
            entry.key,
            merge(arena, entries[e].value, entry.value, below),
        };
    }
    struct node *merged = arena_alloc(arena, sizeof(*merged));
    *merged = *over;
    merged->entries = entries;
    merged->count = count;
    return merged;
}

static const struct node *merge(struct arena *arena, const struct node *base,
                                const struct node *over, int depth)
{
    bool mappings = base->kind == NODE_MAPPING && over->kind == NODE_MAPPING;
    return depth != 0 && mappings ? merge_mappings(arena, base, over, depth) : over;
}

static bool check_chain(const struct chain *chain, const char *file, const struct place *where,
                        struct error *err)
{
    if (chain != NULL && chain->length >= EXTENDS_DEPTH_MAX) {
        error_user(err, where, "more than %d files extend each other", EXTENDS_DEPTH_MAX);
        return error_hint(err, "join some of them");
    }
    for (const struct chain *above = chain; above != NULL; above = above->before) {
        if (strcmp(above->file, file) == 0) {
            error_user(err, where, "`extends` goes round: `%.200s` extends itself", file);
            return error_hint(err, "remove one `extends:` of the circle");
        }
    }
    return true;
}

static const struct node *load(struct arena *arena, const char *file, const struct chain *chain,
                               const struct place *where, struct error *err)
{
    if (!check_chain(chain, file, where, err)) {
        return NULL;
    }
    const struct node *root = yaml_load(arena, file, err);
    if (root == NULL) {
        if (where != NULL) {
            read_blame(where, err);
        }
        return NULL;
    }
    root = read_mapping(root, "an experiment", err);
    const struct node *extends = root == NULL ? NULL : node_find(root, "extends");
    if (extends == NULL) {
        return root;
    }
    const char *name = read_text(extends, "`extends`", err);
    if (name == NULL) {
        return NULL;
    }
    const struct chain here = { chain, file, chain == NULL ? 1 : chain->length + 1 };
    const char *other = extends_path(arena, extends->place.file, name);
    const struct node *base = load(arena, other, &here, &extends->place, err);
    return base == NULL ? NULL : merge(arena, base, root, -1);
}

const struct node *extends_load(struct arena *arena, const char *file, struct error *err)
{
    return load(arena, file, NULL, NULL, err);
}
