/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A YAML document as a tree that knows where everything stood. Scalars are texts: what they mean is
 * up to the parameter table, never to YAML. One document; no tags; keys are scalars.
 *
 * Aliases share the node that they name, so expansion costs no memory, and a node counts the nodes
 * it stands for, so a document that expands to more than YAML_NODES_MAX is refused when the alias
 * is met. `<<` merges a mapping or a list of mappings: its keys take its place in the order; a key
 * that is written out wins over a merged one, an earlier mapping of the list over a later one, and
 * a key met twice stands where it was met first.
 */
#ifndef RINGTAIL_SIM_CONFIG_YAML_H
#define RINGTAIL_SIM_CONFIG_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

#define YAML_BYTES_MAX ((size_t)16 << 20)
#define YAML_NODES_MAX 1000000
#define YAML_DEPTH_MAX 64 /* collections within each other, through aliases too */
#define YAML_KEY_BYTES_MAX 1024
#define YAML_ANCHORS_MAX 256 /* names */

enum node_kind {
    NODE_SCALAR,
    NODE_SEQUENCE,
    NODE_MAPPING,
};

struct node_entry {
    const struct node *key; /* a scalar, not empty, unique in its mapping */
    const struct node *value;
};

struct node {
    enum node_kind kind;
    bool quoted;   /* or a block scalar; a value that is left out is "" and not quoted */
    int height;    /* collections from here down: 0 for a scalar */
    int64_t nodes; /* this one and all below it, aliases expanded */
    struct place place;
    size_t count; /* bytes of the text, items or entries */
    union {
        const char *text; /* zero-terminated, no zero inside */
        const struct node *const *items;
        const struct node_entry *entries;
    };
};

/* Reads and parses a file; the tree lives in the arena. NULL and the error on failure. */
const struct node *yaml_load(struct arena *arena, const char *path, struct error *err);

/* The same for bytes in memory, which are not kept. `name` stands for the file in places. */
const struct node *yaml_parse(struct arena *arena, const char *name, const char *bytes, size_t size,
                              struct error *err);

/* The value of a key, NULL where there is none. */
const struct node *node_find(const struct node *mapping, const char *key);

#endif
