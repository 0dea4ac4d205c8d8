/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libyaml's events, one at a time, into a tree. Nothing recurses: open collections are frames of a
 * fixed array, and their children wait on one growing stack until the collection closes and takes
 * its share into the arena. Depth and the number of nodes are checked before anything is made, so a
 * hostile file costs no more than its own reading.
 *
 *   bytes -> text_check -> libyaml -> events -> frames and children -> nodes
 */
#include "sim/config/yaml.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "sim/config/suggest.h"
#include "sim/config/text.h"
#include "sim/config/yaml_error.h"
#include "sim/config/yaml_mapping.h"

/* What libyaml makes of `!!`. */
#define YAML_STANDARD_TAG "tag:yaml.org,2002:"

/* A collection that is open. */
struct frame {
    struct node *node;
    bool flow;            /* written with brackets */
    size_t first;         /* of its children on the stack; a mapping's are key, value, key, ... */
    int64_t nodes_before; /* what the builder had counted when it opened */
    int child_height;     /* of its highest child, -1 without any */
};

struct anchor {
    const char *name;
    const struct node *node; /* its `nodes` is 0 while it is open */
};

struct builder {
    struct arena *arena;   /* the tree's */
    struct arena *scratch; /* gone when parsing ends */
    const char *name;
    struct error *err;
    int documents;
    const struct node *root;
    int64_t nodes; /* so far, aliases expanded */
    struct frame frames[YAML_DEPTH_MAX];
    int depth; /* open frames */
    const struct node **children;
    size_t child_count;
    size_t child_capacity;
    struct anchor anchors[YAML_ANCHORS_MAX];
    size_t anchor_count;
    struct yaml_progress progress; /* its open collection is set when it is asked for */
};

/* ---- Nodes and frames. ---- */

static bool count_nodes(struct builder *builder, int64_t nodes, const struct place *where)
{
    if (nodes > YAML_NODES_MAX - builder->nodes) {
        error_user(builder->err, where, "the document expands to more than %d values",
                   YAML_NODES_MAX);
        return error_hint(builder->err, "write fewer; aliases of aliases multiply");
    }
    builder->nodes += nodes;
    return true;
}

static struct frame *top(struct builder *builder)
{
    return builder->depth > 0 ? &builder->frames[builder->depth - 1] : NULL;
}

/* A key has to be a scalar with something in it. */
static bool check_key(struct builder *builder, const struct node *node, const struct place *where)
{
    const struct frame *frame = top(builder);
    if (frame == NULL || frame->node->kind != NODE_MAPPING ||
        (builder->child_count - frame->first) % 2 != 0) {
        return true;
    }
    if (node->kind != NODE_SCALAR) {
        error_user(builder->err, where, "a key cannot be a %s",
                   node->kind == NODE_MAPPING ? "mapping" : "list");
        return error_hint(builder->err, "write one word before the `:`; put text with brackets in "
                                        "quotes");
    }
    if (node->count == 0) {
        error_user(builder->err, where, "a key is missing");
        return error_hint(builder->err, "write `key: value`");
    }
    if (node->count > YAML_KEY_BYTES_MAX) {
        error_user(builder->err, where, "a key of more than %d bytes", YAML_KEY_BYTES_MAX);
        return error_hint(builder->err, "is a `:` missing, or a quote left open?");
    }
    return true;
}

static void add_child(struct builder *builder, const struct node *node)
{
    struct frame *frame = top(builder);
    if (frame == NULL) {
        builder->root = node;
        return;
    }
    if (builder->child_count == builder->child_capacity) {
        builder->child_capacity = 2 * builder->child_capacity + 64;
        const struct node **larger =
            arena_array(builder->scratch, builder->child_capacity, sizeof(*larger));
        if (builder->child_count > 0) {
            memcpy(larger, builder->children, builder->child_count * sizeof(*larger));
        }
        builder->children = larger;
    }
    builder->children[builder->child_count++] = node;
    frame->child_height = node->height > frame->child_height ? node->height : frame->child_height;
}

static bool check_depth(const struct builder *builder, int height, const struct place *where)
{
    if (builder->depth + height > YAML_DEPTH_MAX) {
        error_user(builder->err, where, "lists and mappings are nested more than %d deep",
                   YAML_DEPTH_MAX);
        return error_hint(builder->err, "is a bracket left open?");
    }
    return true;
}

static bool add_anchor(struct builder *builder, const yaml_char_t *name, const struct node *node)
{
    if (name == NULL) {
        return true;
    }
    const char *text = (const char *)name;
    size_t i = 0;
    while (i < builder->anchor_count && strcmp(builder->anchors[i].name, text) != 0) {
        i++;
    }
    if (i == YAML_ANCHORS_MAX) {
        error_user(builder->err, &node->place, "more than %d anchors", YAML_ANCHORS_MAX);
        return error_hint(builder->err, "remove those that no alias names");
    }
    if (i == builder->anchor_count) {
        builder->anchor_count++;
    }
    builder->anchors[i] = (struct anchor){ arena_strdup(builder->scratch, text), node };
    return true;
}

/* What every node passes before it is made; `prototype` holds all but what its children decide. */
static struct node *create_node(struct builder *builder, const struct node *prototype,
                                const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (tag != NULL) {
        const char *text = (const char *)tag;
        size_t standard = strlen(YAML_STANDARD_TAG);
        bool is_standard = strncmp(text, YAML_STANDARD_TAG, standard) == 0;
        error_user(builder->err, &prototype->place, "the tag `%s%.60s` is not known here",
                   is_standard ? "!!" : "", is_standard ? text + standard : text);
        error_hint(builder->err, "remove it; put text that starts with `!` in quotes");
        return NULL;
    }
    if (!check_key(builder, prototype, &prototype->place) ||
        !count_nodes(builder, 1, &prototype->place)) {
        return NULL;
    }
    struct node *node = arena_alloc(builder->arena, sizeof(*node));
    *node = *prototype;
    return add_anchor(builder, anchor, node) ? node : NULL;
}

static bool open_collection(struct builder *builder, enum node_kind kind, bool flow,
                            yaml_mark_t start, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    struct node prototype = { .kind = kind, .place = yaml_error_place(builder->name, start) };
    int64_t nodes_before = builder->nodes;
    if (!check_depth(builder, 1, &prototype.place)) {
        return false;
    }
    struct node *node = create_node(builder, &prototype, anchor, tag);
    if (node == NULL) {
        return false;
    }
    builder->frames[builder->depth++] = (struct frame){
        .node = node,
        .flow = flow,
        .first = builder->child_count,
        .nodes_before = nodes_before,
        .child_height = -1,
    };
    return true;
}

static bool close_collection(struct builder *builder)
{
    struct frame frame = *top(builder);
    struct node *node = frame.node;
    size_t count = builder->child_count - frame.first;
    const struct node *const *children =
        count == 0 ? NULL : (const struct node *const *)builder->children + frame.first;
    if (node->kind == NODE_MAPPING) {
        if (!yaml_mapping_fill(builder->arena, builder->scratch, node, children, count / 2,
                               builder->err)) {
            return false;
        }
    } else {
        const struct node **items = arena_array(builder->arena, count, sizeof(*items));
        if (count > 0) {
            memcpy(items, children, count * sizeof(*items));
        }
        node->items = items;
        node->count = count;
    }
    node->height = frame.child_height + 1;
    node->nodes = builder->nodes - frame.nodes_before;
    builder->child_count = frame.first;
    builder->depth--;
    add_child(builder, node);
    return true;
}

/* ---- Events. ---- */

static bool on_scalar(struct builder *builder, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    yaml_scalar_style_t style = event->data.scalar.style;
    builder->progress = (struct yaml_progress){
        .quoted =
            style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE,
        .start = event->start_mark,
        .end = event->end_mark,
    };
    struct node prototype = {
        .kind = NODE_SCALAR,
        .quoted = style != YAML_PLAIN_SCALAR_STYLE,
        .nodes = 1,
        .place = yaml_error_place(builder->name, event->start_mark),
        .count = length,
        .text = text,
    };
    if (memchr(text, '\0', length) != NULL) {
        error_user(builder->err, &prototype.place, "a text with a zero byte");
        return error_hint(builder->err, "remove the `\\0`");
    }
    struct node *node =
        create_node(builder, &prototype, event->data.scalar.anchor, event->data.scalar.tag);
    if (node == NULL) {
        return false;
    }
    node->text = arena_strndup(builder->arena, text, length);
    add_child(builder, node);
    return true;
}

static bool on_alias(struct builder *builder, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    struct place where = yaml_error_place(builder->name, event->start_mark);
    struct suggest suggest;
    suggest_start(&suggest, name);
    const struct node *node = NULL;
    for (size_t i = 0; i < builder->anchor_count && node == NULL; i++) {
        if (strcmp(builder->anchors[i].name, name) == 0) {
            node = builder->anchors[i].node;
        }
    }
    if (node == NULL) {
        for (size_t i = 0; i < builder->anchor_count; i++) {
            suggest_offer(&suggest, builder->anchors[i].name);
        }
        error_user(builder->err, &where, "no anchor `&%.60s` above this alias", name);
        return suggest_hint(&suggest, "anchors above it", builder->err);
    }
    if (node->nodes == 0) {
        error_user(builder->err, &where, "the alias `*%.60s` stands inside what it names", name);
        return error_hint(builder->err, "`&%.60s` is at line %d, column %d", name, node->place.line,
                          node->place.column);
    }
    if (!check_key(builder, node, &where) || !check_depth(builder, node->height, &where) ||
        !count_nodes(builder, node->nodes, &where)) {
        return false;
    }
    add_child(builder, node);
    return true;
}

static bool on_document(struct builder *builder, const yaml_event_t *event)
{
    if (builder->documents++ > 0) {
        struct place where = yaml_error_place(builder->name, event->start_mark);
        error_user(builder->err, &where, "a second document starts here");
        return error_hint(builder->err, "write one document a file");
    }
    return true;
}

static bool on_event(struct builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return on_document(builder, event);
    case YAML_SCALAR_EVENT:
        return on_scalar(builder, event);
    case YAML_ALIAS_EVENT:
        return on_alias(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(
            builder, NODE_SEQUENCE, event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
            event->start_mark, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return open_collection(
            builder, NODE_MAPPING, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
            event->start_mark, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_collection(builder);
    default:
        return true;
    }
}

static void set_progress(struct builder *builder)
{
    const struct frame *frame = top(builder);
    if (frame != NULL && frame->flow) {
        builder->progress.flow = true;
        builder->progress.open = frame->node->place;
        builder->progress.bracket = frame->node->kind == NODE_MAPPING ? '{' : '[';
    }
}

static bool read_events(struct builder *builder, yaml_parser_t *parser, const struct text *text)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            set_progress(builder);
            yaml_error_set(parser, text, &builder->progress, builder->err);
            return false;
        }
        bool ok = on_event(builder, &event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (!ok) {
            return false;
        }
    }
    const struct node *root = builder->root;
    if (root == NULL || (root->kind == NODE_SCALAR && !root->quoted && root->text[0] == '\0')) {
        const struct place where = { text->name, 1, 1 };
        error_user(builder->err, &where, "there is nothing in it but blanks and comments");
        return error_hint(builder->err, "is it the file that you meant?");
    }
    return true;
}

const struct node *yaml_parse(struct arena *arena, const char *name, const char *bytes, size_t size,
                              struct error *err)
{
    struct text text = { arena_strdup(arena, name), bytes, size };
    text_skip_mark(&text);
    if (!text_check(&text, err)) {
        return NULL;
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        error_environment(err, NULL, "out of memory");
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const yaml_char_t *)text.bytes, text.size);
    struct arena *scratch = arena_create();
    struct builder *builder = arena_alloc(scratch, sizeof(*builder));
    *builder = (struct builder){
        .arena = arena,
        .scratch = scratch,
        .name = text.name,
        .err = err,
    };
    const struct node *root = read_events(builder, &parser, &text) ? builder->root : NULL;
    arena_destroy(scratch);
    yaml_parser_delete(&parser);
    return root;
}

const struct node *yaml_load(struct arena *arena, const char *path, struct error *err)
{
    struct arena *scratch = arena_create();
    struct text text = { 0 };
    const struct node *root = NULL;
    if (text_read(scratch, path, YAML_BYTES_MAX, &text, err)) {
        root = yaml_parse(arena, path, text.bytes, text.size, err);
    }
    arena_destroy(scratch);
    return root;
}

const struct node *node_find(const struct node *mapping, const char *key)
{
    assert(mapping->kind == NODE_MAPPING);
    for (size_t i = 0; i < mapping->count; i++) {
        if (strcmp(mapping->entries[i].key->text, key) == 0) {
            return mapping->entries[i].value;
        }
    }
    return NULL;
}
