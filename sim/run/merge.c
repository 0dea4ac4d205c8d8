/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/merge.h"

#include <assert.h>
#include <string.h>

/* Whether the header of `a` is the one to take, whichever comes first. */
static bool is_better(const struct result_source *a, const char *a_line,
                      const struct result_source *b, const char *b_line)
{
    int64_t repeats_a = a->header.experiment->repeats;
    int64_t repeats_b = b->header.experiment->repeats;
    return repeats_a > repeats_b || (repeats_a == repeats_b && strcmp(a_line, b_line) < 0);
}

static bool open_all(const char *const *paths, size_t count, struct result_source *sources,
                     struct arena *arena, size_t *best, struct error *err)
{
    const char *best_line = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!result_source_open_any(paths[i], &sources[i], err)) {
            return false;
        }
        const char *line = result_source_line(&sources[i], &sources[i].first, err);
        if (line == NULL) {
            return false;
        }
        if (best_line == NULL || is_better(&sources[i], line, &sources[*best], best_line)) {
            *best = i;
            best_line = arena_strdup(arena, line);
        }
    }
    return true;
}

/* In the order of the paths, so that an error names them as the user did. */
static struct result_store *join(struct result_source *sources, size_t count, size_t best,
                                 struct error *err)
{
    struct result_store *store = result_store_create(&sources[best]);
    for (size_t i = 0; i < count; i++) {
        if (i != best && !result_store_add(store, &sources[i], err)) {
            result_store_destroy(store);
            return NULL;
        }
    }
    if (!result_store_scan(store, err)) {
        result_store_destroy(store);
        return NULL;
    }
    return store;
}

struct result_store *merge_open(const char *const *paths, size_t count, struct error *err)
{
    assert(count >= 1);
    struct arena *arena = arena_create();
    struct result_source *sources = arena_array(arena, count, sizeof(*sources));
    size_t best = 0;
    struct result_store *store = NULL;
    if (open_all(paths, count, sources, arena, &best, err)) {
        store = join(sources, count, best, err);
    }
    for (size_t i = 0; i < count; i++) {
        result_source_close(&sources[i]);
    }
    arena_destroy(arena);
    return store;
}
