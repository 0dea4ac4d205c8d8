/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two passes over the tree, one that counts and one that writes: a sink without a buffer only
 * counts. Depth is bounded by YAML_DEPTH_MAX.
 */
#include "sim/config/yaml_text.h"

#include <stdio.h>
#include <string.h>

struct sink {
    char *bytes; /* NULL: count only */
    size_t used;
};

static void put(struct sink *sink, const char *text, size_t size)
{
    if (sink->bytes != NULL) {
        memcpy(sink->bytes + sink->used, text, size);
    }
    sink->used += size;
}

/* Words that no reader of YAML takes for anything but a text. */
static bool is_plain(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && strchr("-?", text[0]) == NULL && text[length - 1] != ' ' &&
           text[0] != ' ' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_.+-/% ") == length;
}

static void put_quoted(struct sink *sink, const char *text)
{
    put(sink, "\"", 1);
    for (const char *c = text; *c != '\0'; c++) {
        char escaped[8];
        if (*c == '"' || *c == '\\') {
            snprintf(escaped, sizeof(escaped), "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned)*c);
        } else {
            snprintf(escaped, sizeof(escaped), "%c", *c);
        }
        put(sink, escaped, strlen(escaped));
    }
    put(sink, "\"", 1);
}

static void put_scalar(struct sink *sink, const struct node *node)
{
    if (is_plain(node->text)) {
        put(sink, node->text, node->count);
    } else {
        put_quoted(sink, node->text);
    }
}

static void put_node(struct sink *sink, const struct node *node)
{
    if (node->kind == NODE_SCALAR) {
        put_scalar(sink, node);
        return;
    }
    bool mapping = node->kind == NODE_MAPPING;
    put(sink, mapping ? "{" : "[", 1);
    for (size_t i = 0; i < node->count; i++) {
        put(sink, ", ", i > 0 ? 2 : 0);
        if (mapping) {
            put_scalar(sink, node->entries[i].key);
            put(sink, ": ", 2);
        }
        put_node(sink, mapping ? node->entries[i].value : node->items[i]);
    }
    put(sink, mapping ? "}" : "]", 1);
}

const char *yaml_text(struct arena *arena, const struct node *node)
{
    struct sink sink = { 0 };
    put_node(&sink, node);
    char *bytes = arena_alloc(arena, sink.used + 1);
    sink = (struct sink){ .bytes = bytes };
    put_node(&sink, node);
    return bytes;
}
