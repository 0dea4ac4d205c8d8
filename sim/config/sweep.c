/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/sweep.h"

#include <assert.h>
#include <string.h>

#include "sim/config/assignment.h"
#include "sim/config/bind.h"
#include "sim/config/read.h"
#include "sim/config/yaml_text.h"

/* One key, or all keys of a zip: `width` paths that take their `count` values together. Value i of
 * path p is values[p][i]. */
struct axis {
    size_t width;
    size_t count;
    const struct node *const *paths;
    const struct node *const *const *values;
};

static bool error_too_many(const struct place *where, struct error *err)
{
    error_user(err, where, "the sweep has more than %d points", EXPERIMENT_POINTS_MAX);
    return error_hint(err, "sweep fewer values");
}

/* ---- Ranges. ---- */

struct range {
    enum units_quantity quantity;
    int64_t from;
    int64_t to;
    int64_t step; /* 0: by factor */
    double factor;
};

static bool read_range(const struct node *node, const struct param *param, struct range *range,
                       struct error *err)
{
    static const char *const keys[] = { "from", "to", "times", "step", NULL };
    if (!read_keys(node, keys, "a range", err)) {
        return false;
    }
    if (!bind_quantity(param, &range->quantity)) {
        error_user(err, &node->place, "`%s` has no range: it is %s", param->name,
                   param_kind_noun(param->kind));
        return error_hint(err, "list its values: `[one, two]`");
    }
    const struct node *from = read_required(node, "from", "a range", err);
    const struct node *to = from == NULL ? NULL : read_required(node, "to", "a range", err);
    const struct node *times = node_find(node, "times");
    const struct node *step = node_find(node, "step");
    if (to == NULL ||
        !read_quantity(from, range->quantity, param->min, param->max, &range->from, err) ||
        !read_quantity(to, range->quantity, param->min, param->max, &range->to, err)) {
        return false;
    }
    if (range->from > range->to) {
        error_user(err, &node->place, "the range ends before it begins");
        return error_hint(err, "write the smaller value at `from:`");
    }
    if ((times == NULL) == (step == NULL)) {
        error_user(err, &node->place, "a range takes either `times:` or `step:`");
        return error_hint(err, "write for example `{from: 1, to: 64, times: 2}`");
    }
    return times != NULL ? read_number(times, true, 1, 1e9, &range->factor, err)
                         : read_quantity(step, range->quantity, 1, INT64_MAX, &range->step, err);
}

/* The next value, beyond `to` at the end. A factor rounds to the nearest value. */
static int64_t next_value(const struct range *range, int64_t value)
{
    if (range->step > 0) {
        return range->step > range->to - value ? INT64_MAX : value + range->step;
    }
    double next = (double)value * range->factor + 0.5;
    return next >= 0x1p62 ? INT64_MAX : (int64_t)next;
}

static bool count_range(const struct range *range, const struct node *node, size_t *count,
                        struct error *err)
{
    int64_t value = range->from;
    for (*count = 1;; ++*count) {
        int64_t next = next_value(range, value);
        if (next <= value) {
            error_user(err, &node->place, "the range does not move from where it begins");
            return error_hint(err, "begin above 0, or multiply by more");
        }
        if (next > range->to) {
            return true;
        }
        if (*count >= EXPERIMENT_POINTS_MAX) {
            return error_too_many(&node->place, err);
        }
        value = next;
    }
}

static const struct node *quantity_node(struct arena *arena, const struct range *range,
                                        int64_t value, const struct node *origin)
{
    char text[UNITS_TEXT_BYTES];
    units_format_exact(range->quantity, value, text, sizeof(text));
    struct node *node = arena_alloc(arena, sizeof(*node));
    *node = (struct node){
        .kind = NODE_SCALAR,
        .nodes = 1,
        .place = origin->place,
        .count = strlen(text),
        .text = arena_strdup(arena, text),
    };
    return node;
}

/* ---- Values of one path. ---- */

static bool expand_range(struct arena *arena, const struct param *param, const struct node *node,
                         const struct node *const **values, size_t *count, struct error *err)
{
    struct range range = { 0 };
    if (!read_range(node, param, &range, err) || !count_range(&range, node, count, err)) {
        return false;
    }
    const struct node **items = arena_array(arena, *count, sizeof(*items));
    int64_t value = range.from;
    for (size_t i = 0; i < *count; i++) {
        items[i] = quantity_node(arena, &range, value, node);
        value = next_value(&range, value);
    }
    *values = items;
    return true;
}

static bool check_distinct(struct arena *arena, const struct node *list, struct error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct node *a = list->items[i];
            const struct node *b = list->items[k];
            bool scalars = a->kind == NODE_SCALAR && b->kind == NODE_SCALAR;
            if (scalars && strcmp(a->text, b->text) == 0) {
                error_user(err, &a->place, "`%.60s` is swept twice", yaml_text(arena, a));
                return error_hint(err, "remove one");
            }
        }
    }
    return true;
}

static bool read_values(struct arena *arena, const struct param *param, const struct node *node,
                        const struct node *const **values, size_t *count, struct error *err)
{
    if (node->kind == NODE_MAPPING) {
        return expand_range(arena, param, node, values, count, err);
    }
    if (node->kind == NODE_SCALAR) {
        error_user(err, &node->place, "a sweep takes a list or a range");
        return error_hint(err, "write `[16, 32]`, or `{from: 1, to: 64, times: 2}`");
    }
    if (node->count == 0) {
        error_user(err, &node->place, "the sweep has no points: this list is empty");
        return error_hint(err, "list a value, or remove the key");
    }
    *values = node->items;
    *count = node->count;
    return node->count <= EXPERIMENT_POINTS_MAX || error_too_many(&node->place, err);
}

/* ---- Axes. ---- */

/* The paths of a mapping whose values go together: one entry of the sweep, or a zip. */
static bool read_axis(struct arena *arena, const struct node *root,
                      const struct node_entry *entries, size_t width, bool zip, struct axis *axis,
                      struct error *err)
{
    const struct node **paths = arena_array(arena, width, sizeof(*paths));
    const struct node *const **values = arena_array(arena, width, sizeof(*values));
    for (size_t i = 0; i < width; i++) {
        const struct node *path = entries[i].key;
        struct target target;
        size_t count = 0;
        if (!assignment_resolve(root, path->text, &path->place, &target, err) ||
            !read_values(arena, target.param, entries[i].value, &values[i], &count, err)) {
            return false;
        }
        if (!zip && entries[i].value->kind == NODE_SEQUENCE && count <= 1000 &&
            !check_distinct(arena, entries[i].value, err)) {
            return false;
        }
        if (i > 0 && count != axis->count) {
            error_user(err, &path->place, "`zip` pairs %zu values of `%.60s` with %zu of `%.60s`",
                       axis->count, paths[0]->text, count, path->text);
            return error_hint(err, "list as many of each");
        }
        paths[i] = path;
        axis->count = count;
    }
    axis->width = width;
    axis->paths = paths;
    axis->values = values;
    return true;
}

static bool check_paths(const struct axis *axes, size_t axis_count, const struct axis *last,
                        struct error *err)
{
    for (size_t a = 0; a < axis_count; a++) {
        for (size_t i = 0; i < axes[a].width; i++) {
            for (size_t k = 0; k < last->width; k++) {
                if (strcmp(axes[a].paths[i]->text, last->paths[k]->text) == 0) {
                    error_user(err, &last->paths[k]->place, "`%.60s` is swept twice",
                               last->paths[k]->text);
                    return error_hint(err, "write it in `zip:` or beside it");
                }
            }
        }
    }
    return true;
}

/* ---- Points. ---- */

static const char *label_of(struct arena *arena, const struct assignments *values)
{
    const char *label = "";
    for (size_t i = 0; i < values->count; i++) {
        label = arena_printf(arena, "%s%s%s = %s", label, i > 0 ? ", " : "", values->items[i].path,
                             yaml_text(arena, values->items[i].value));
    }
    return label;
}

static struct point make_point(struct arena *arena, const struct axis *axes, size_t axis_count,
                               size_t path_count, size_t index)
{
    struct assignment *items = arena_array(arena, path_count, sizeof(*items));
    size_t end = path_count;
    for (size_t a = axis_count; a-- > 0;) {
        const struct axis *axis = &axes[a];
        size_t value = index % axis->count;
        index /= axis->count;
        end -= axis->width;
        for (size_t i = 0; i < axis->width; i++) {
            items[end + i] = (struct assignment){
                axis->paths[i]->text,
                axis->values[i][value],
                axis->paths[i]->place,
            };
        }
    }
    assert(end == 0 && index == 0);
    struct assignments values = { items, path_count };
    return (struct point){ label_of(arena, &values), values };
}

static bool read_axes(struct arena *arena, const struct node *root, const struct node *mapping,
                      struct axis *axes, size_t *path_count, size_t *point_count, struct error *err)
{
    for (size_t a = 0; a < mapping->count; a++) {
        const struct node_entry *entry = &mapping->entries[a];
        const struct node *zip = NULL;
        if (strcmp(entry->key->text, "zip") == 0) {
            zip = read_mapping(entry->value, "`zip`", err);
            if (zip == NULL) {
                return false;
            }
            if (zip->count == 0) {
                error_user(err, &entry->key->place, "`zip` is empty");
                return error_hint(err, "write `zip: {PATH: [1, 2], PATH: [3, 4]}`");
            }
        }
        if (!read_axis(arena, root, zip != NULL ? zip->entries : entry,
                       zip != NULL ? zip->count : 1, zip != NULL, &axes[a], err) ||
            !check_paths(axes, a, &axes[a], err)) {
            return false;
        }
        *path_count += axes[a].width;
        *point_count *= axes[a].count;
        if (*point_count > EXPERIMENT_POINTS_MAX) {
            return error_too_many(&entry->key->place, err);
        }
    }
    return true;
}

bool sweep_read(struct arena *arena, const struct node *root, const struct node *sweep,
                const struct point **points, size_t *point_count, struct error *err)
{
    struct axis *axes = NULL;
    size_t axis_count = 0;
    size_t path_count = 0;
    size_t count = 1;
    if (sweep != NULL) {
        const struct node *mapping = read_mapping(sweep, "`sweep`", err);
        if (mapping == NULL) {
            return false;
        }
        axis_count = mapping->count;
        axes = arena_array(arena, axis_count, sizeof(*axes));
        if (!read_axes(arena, root, mapping, axes, &path_count, &count, err)) {
            return false;
        }
    }
    struct point *made = arena_array(arena, count, sizeof(*made));
    for (size_t i = 0; i < count; i++) {
        made[i] = make_point(arena, axes, axis_count, path_count, i);
    }
    *points = made;
    *point_count = count;
    return true;
}
