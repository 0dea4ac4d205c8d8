/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/experiment_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "sim/base/time.h"
#include "sim/config/values.h"
#include "sim/config/yaml_text.h"

static bool is_kept(const char *key)
{
    return strcmp(key, "measured") != 0 && strcmp(key, "extends") != 0;
}

const char *experiment_text(struct arena *arena, const struct experiment *experiment)
{
    const struct node *root = experiment->root;
    struct node kept = *root;
    struct node_entry *entries = arena_array(arena, root->count, sizeof(*entries));
    kept.count = 0;
    for (size_t i = 0; i < root->count; i++) {
        if (is_kept(root->entries[i].key->text)) {
            entries[kept.count++] = root->entries[i];
        }
    }
    kept.entries = entries;
    return yaml_text(arena, &kept);
}

static const char *sets_text(struct arena *arena, const struct assignments *sets)
{
    const char *text = "";
    for (size_t i = 0; i < sets->count; i++) {
        text = arena_printf(arena, "%s%s=%s\n", text, sets->items[i].path,
                            yaml_text(arena, sets->items[i].value));
    }
    return text;
}

/* Runs depend on what is in the files of values, wherever these are. */
static const char *values_text(struct arena *arena, const struct values *values)
{
    const char *text = "";
    for (size_t i = 0; values != NULL && i < values->count; i++) {
        const struct value_list *list = &values->files[i];
        XXH64_hash_t hash = XXH3_64bits(list->times, list->count * sizeof(*list->times));
        text = arena_printf(arena, "%svalues: %zu %016" PRIx64 "\n", text, list->count,
                            (uint64_t)hash);
    }
    return text;
}

void experiment_hash(const struct experiment *experiment, char hash[EXPERIMENT_HASH_BYTES])
{
    static const char *const keys[] = { "cpus", "stack", "variants", "sweep" };
    struct arena *arena = arena_create();
    const char *text = sets_text(arena, &experiment->sets);
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
        const struct node *node = node_find(experiment->root, keys[i]);
        text = arena_printf(arena, "%s%s: %s\n", text, keys[i],
                            node == NULL ? "" : yaml_text(arena, node));
    }
    const struct engine_span *span = &experiment->span;
    text = arena_printf(arena,
                        "%s%sseed: %" PRIu64 "\nwarmup: %" PRId64 "\nmeasure: %" PRId64
                        "\ndrain: %" PRId64 "\nrequests: %" PRIu64 "\n",
                        text, values_text(arena, experiment->values), experiment->seed,
                        span->warmup, span->measure, span->drain, span->requests);
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(&digest, XXH3_128bits(text, strlen(text)));
    for (size_t i = 0; i < sizeof(digest.digest); i++) {
        snprintf(hash + 2 * i, 3, "%02x", digest.digest[i]);
    }
    arena_destroy(arena);
}
