/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/expect.h"

#include <math.h>
#include <string.h>

#include "sim/config/assemble.h"
#include "sim/config/assignment.h"
#include "sim/config/metric_check.h"
#include "sim/config/read.h"
#include "sim/config/variant.h"

struct reader {
    struct arena *arena;
    const struct experiment *experiment;
    const struct engine *engine; /* any stack of the experiment, to look names up in */
};

/* ---- What is judged. ---- */

static bool read_metric(const struct reader *reader, const struct node *item,
                        struct expectation *expectation, enum units_quantity *quantity,
                        struct error *err)
{
    const struct node *node = read_required(item, "metric", "an expectation", err);
    const char *text = node == NULL ? NULL : read_text(node, "`metric`", err);
    return text != NULL &&
           metric_parse(reader->arena, text, &node->place, &expectation->metric, err) &&
           metric_check(reader->engine, &expectation->metric, &node->place, quantity, err);
}

static bool read_of(const struct reader *reader, const struct node *item,
                    struct expectation *expectation, struct error *err)
{
    const struct node *node = node_find(item, "of");
    if (node != NULL) {
        return variant_find(reader->experiment, node, &expectation->of, err);
    }
    if (reader->experiment->variant_count > 1) {
        error_user(err, &item->place, "an expectation of which variant?");
        return error_hint(err, "add `of: %.60s`", reader->experiment->variants[0].name);
    }
    return true;
}

static bool read_versus(const struct reader *reader, const struct node *item,
                        struct expectation *expectation, struct error *err)
{
    const struct node *node = node_find(item, "versus");
    if (node == NULL) {
        return true;
    }
    const char *text = read_text(node, "`versus`", err);
    if (text == NULL) {
        return false;
    }
    if (strcmp(text, "measured") == 0) {
        expectation->against = EXPECT_MEASURED;
        return true;
    }
    expectation->against = EXPECT_VARIANT;
    if (!variant_find(reader->experiment, node, &expectation->versus, err)) {
        return error_hint(err, "name a variant, or `measured`");
    }
    if (expectation->versus == expectation->of) {
        error_user(err, &node->place, "a variant is compared with itself");
        return error_hint(err, "name another one in `of:` or `versus:`");
    }
    return true;
}

/* ---- Where. ---- */

/* Marks the points at which a path has the value. */
static bool mark_points(const struct reader *reader, const struct target *target, const char *path,
                        const struct node *value, size_t variant, bool *marked, struct error *err)
{
    const struct experiment *experiment = reader->experiment;
    const char *text = read_text(value, "a value of `at`", err);
    if (text == NULL) {
        return false;
    }
    bool any = false;
    for (size_t point = 0; point < experiment->point_count; point++) {
        const struct node *own = assignment_value(experiment, variant, point, path);
        bool is = assignment_equals(target->param, own, text);
        marked[point] = marked[point] || is;
        any = any || is;
    }
    if (!any) {
        error_user(err, &value->place, "there is no point with `%.60s` = %.60s", path, text);
        return error_hint(err, "write a value that is swept or set in the file");
    }
    return true;
}

/* Takes the points off at which a path has none of the values: one, or a list. */
static bool keep_points(const struct reader *reader, const struct node_entry *entry, size_t variant,
                        bool *points, struct error *err)
{
    const char *path = entry->key->text;
    struct target target;
    if (!assignment_resolve(reader->experiment->root, path, &entry->key->place, &target, err)) {
        return false;
    }
    size_t count = reader->experiment->point_count;
    bool *marked = arena_array(reader->arena, count, sizeof(*marked));
    bool is_list = entry->value->kind == NODE_SEQUENCE;
    size_t values = is_list ? entry->value->count : 1;
    for (size_t i = 0; i < values; i++) {
        const struct node *value = is_list ? entry->value->items[i] : entry->value;
        if (!mark_points(reader, &target, path, value, variant, marked, err)) {
            return false;
        }
    }
    for (size_t point = 0; point < count; point++) {
        points[point] = points[point] && marked[point];
    }
    return true;
}

static bool has_measured(const struct reader *reader, const struct expectation *expectation,
                         size_t point)
{
    const struct experiment *experiment = reader->experiment;
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        if (figure->variant == expectation->of && figure->point == point &&
            metric_equals(&figure->metric, &expectation->metric)) {
            return true;
        }
    }
    return false;
}

/* Of the points only those at which the metric was measured. */
static bool keep_measured(const struct reader *reader, const struct node *item,
                          const struct expectation *expectation, bool *points, struct error *err)
{
    bool any = false;
    for (size_t point = 0; point < reader->experiment->point_count; point++) {
        points[point] = points[point] && has_measured(reader, expectation, point);
        any = any || points[point];
    }
    if (!any) {
        error_user(err, &item->place, "`%.80s` of `%.60s` was not measured there",
                   expectation->metric.text, reader->experiment->variants[expectation->of].name);
        return error_hint(err, "name it in the columns of `measured:`");
    }
    return true;
}

static bool read_points(const struct reader *reader, const struct node *item,
                        struct expectation *expectation, struct error *err)
{
    size_t count = reader->experiment->point_count;
    bool *points = arena_array(reader->arena, count, sizeof(*points));
    for (size_t i = 0; i < count; i++) {
        points[i] = true;
    }
    expectation->points = points;
    const struct node *node = node_find(item, "at");
    const struct node *at = node == NULL ? NULL : read_mapping(node, "`at`", err);
    if (node != NULL && at == NULL) {
        return false;
    }
    for (size_t i = 0; at != NULL && i < at->count; i++) {
        if (!keep_points(reader, &at->entries[i], expectation->of, points, err)) {
            return false;
        }
    }
    return expectation->against != EXPECT_MEASURED ||
           keep_measured(reader, item, expectation, points, err);
}

/* ---- Limits. ---- */

/* A limit in the metric's unit; a share may be written as 5% or 0.05. */
static bool read_limit(const struct node *node, enum units_quantity quantity, double *limit,
                       struct error *err)
{
    int64_t value = 0;
    switch (quantity) {
    case UNITS_TIME:
        if (!read_quantity(node, quantity, 0, SIM_DURATION_MAX, &value, err)) {
            return false;
        }
        *limit = (double)value;
        return true;
    case UNITS_RATE:
        if (node->kind == NODE_SCALAR && strcmp(node->text, "0") == 0) {
            *limit = 0;
            return true;
        }
        if (!read_quantity(node, quantity, 0, INT64_MAX, &value, err)) {
            return false;
        }
        *limit = (double)value / 1000;
        return true;
    case UNITS_PERCENT:
        if (node->kind == NODE_SCALAR &&
            units_parse_real(UNITS_PERCENT, node->text, limit) == UNITS_OK) {
            return true;
        }
        break;
    default:
        break;
    }
    return read_number(node, false, 0, 1e15, limit, err);
}

static bool read_within(const struct node *item, const struct node *node,
                        struct expectation *expectation, struct error *err)
{
    double share = 0;
    if (expectation->against == EXPECT_ITSELF) {
        error_user(err, &node->place, "within %.40s of what?",
                   node->kind == NODE_SCALAR ? node->text : "that");
        return error_hint(err, "add `versus: measured` or `versus: VARIANT`");
    }
    if (node_find(item, "min") != NULL || node_find(item, "max") != NULL ||
        node_find(item, "between") != NULL) {
        error_user(err, &node->place, "`within` stands beside another limit");
        return error_hint(err, "write them as two expectations");
    }
    enum units_result result = node->kind == NODE_SCALAR
                                   ? units_parse_real(UNITS_PERCENT, node->text, &share)
                                   : UNITS_MALFORMED;
    if (result != UNITS_OK || share <= 0) {
        error_user(err, &node->place, "`within` is not a percentage above 0");
        return error_hint(err, "write `within: 25%%`");
    }
    expectation->low = 1 - share;
    expectation->high = 1 + share;
    return true;
}

static bool read_between(const struct node *item, const struct node *node,
                         enum units_quantity quantity, struct expectation *expectation,
                         struct error *err)
{
    if (node_find(item, "min") != NULL || node_find(item, "max") != NULL) {
        error_user(err, &node->place, "`between` stands beside `min` or `max`");
        return error_hint(err, "write one of them");
    }
    const struct node *list = read_list(node, "`between`", err);
    if (list == NULL) {
        return false;
    }
    if (list->count != 2) {
        error_user(err, &node->place, "`between` has %zu values", (size_t)list->count);
        return error_hint(err, "write `between: [LOW, HIGH]`");
    }
    return read_limit(list->items[0], quantity, &expectation->low, err) &&
           read_limit(list->items[1], quantity, &expectation->high, err);
}

static bool read_limits(const struct node *item, enum units_quantity quantity,
                        struct expectation *expectation, struct error *err)
{
    const struct node *within = node_find(item, "within");
    const struct node *between = node_find(item, "between");
    const struct node *min = node_find(item, "min");
    const struct node *max = node_find(item, "max");
    if (expectation->against != EXPECT_ITSELF) {
        quantity = UNITS_NUMBER;
    }
    if (within != NULL) {
        return read_within(item, within, expectation, err);
    }
    if (between == NULL && min == NULL && max == NULL) {
        error_user(err, &item->place, "the expectation has no limit");
        return error_hint(err, "add `min:`, `max:`, `between: [LOW, HIGH]`, or `within: 5%%` with "
                               "`versus:`");
    }
    if (between != NULL && !read_between(item, between, quantity, expectation, err)) {
        return false;
    }
    if ((min != NULL && !read_limit(min, quantity, &expectation->low, err)) ||
        (max != NULL && !read_limit(max, quantity, &expectation->high, err))) {
        return false;
    }
    if (expectation->low > expectation->high) {
        error_user(err, &item->place, "the lower limit is above the upper one: nothing can pass");
        return error_hint(err, "exchange them");
    }
    return true;
}

/* ---- The list. ---- */

static bool read_label(const struct node *item, const char *key, const char **text,
                       struct error *err)
{
    const struct node *node = node_find(item, key);
    if (node == NULL) {
        return true;
    }
    *text = read_text(node, key, err);
    return *text != NULL && read_check_printable(node, key, err);
}

static bool read_item(const struct reader *reader, const struct node *item,
                      struct expectation *expectation, struct error *err)
{
    static const char *const keys[] = { "metric",  "of",     "versus", "at",     "min", "max",
                                        "between", "within", "name",   "reason", NULL };
    enum units_quantity quantity = UNITS_NUMBER;
    *expectation = (struct expectation){
        .place = item->place,
        .low = -INFINITY,
        .high = INFINITY,
    };
    return read_keys(item, keys, "an expectation", err) &&
           read_metric(reader, item, expectation, &quantity, err) &&
           read_of(reader, item, expectation, err) && read_versus(reader, item, expectation, err) &&
           read_points(reader, item, expectation, err) &&
           read_limits(item, quantity, expectation, err) &&
           read_label(item, "name", &expectation->name, err) &&
           read_label(item, "reason", &expectation->reason, err);
}

bool expect_read(struct arena *arena, const struct node *expect, struct experiment *experiment,
                 struct error *err)
{
    const struct node *list = read_list(expect, "`expect`", err);
    if (list == NULL) {
        return false;
    }
    struct arena *scratch = arena_create();
    struct reader reader = {
        .arena = arena,
        .experiment = experiment,
        .engine = assemble_stack(experiment, 0, 0, 0, scratch, err),
    };
    struct expectation *items = arena_array(arena, list->count, sizeof(*items));
    bool good = reader.engine != NULL;
    for (size_t i = 0; good && i < list->count; i++) {
        const struct node *item = read_mapping(list->items[i], "an expectation", err);
        good = item != NULL && read_item(&reader, item, &items[i], err);
    }
    arena_destroy(scratch);
    if (good) {
        experiment->expectations = items;
        experiment->expectation_count = list->count;
    }
    return good;
}
