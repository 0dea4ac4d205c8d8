/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/measured.h"

#include <string.h>

#include "sim/config/assignment.h"
#include "sim/config/bind.h"
#include "sim/config/csv.h"
#include "sim/config/extends.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"
#include "sim/config/variant.h"

/* A column that holds a metric. */
struct figure_column {
    int column;
    struct metric metric;
    double unit; /* the value's unit in picoseconds, or 1 */
};

/* A parameter whose value a column repeats. */
struct match {
    const char *path;
    int column;
    const struct param *param;
};

struct filter {
    int column;
    const char *text;
};

/* One item of the list. */
struct source {
    const struct experiment *experiment;
    struct arena *arena;
    struct csv csv;
    int variant_column; /* -1: `variant` says which */
    size_t variant;
    const struct filter *filters;
    size_t filter_count;
    const struct match *matches;
    size_t match_count;
    const struct figure_column *figures;
    size_t figure_count;
};

/* All figures so far. */
struct figures {
    struct measured_figure *items;
    size_t count;
    size_t capacity;
};

/* ---- What the experiment says. ---- */

static bool find_column(const struct csv *csv, const struct node *name, int *column,
                        struct error *err)
{
    const char *text = read_text(name, "a column's name", err);
    if (text == NULL) {
        return false;
    }
    *column = csv_find(csv, text);
    if (*column >= 0) {
        return true;
    }
    struct suggest suggest;
    suggest_start(&suggest, text);
    for (size_t i = 0; i < csv->column_count; i++) {
        suggest_offer(&suggest, csv->names[i].text);
    }
    error_user(err, &name->place, "`%.200s` has no column `%.60s`", csv->file, text);
    return suggest_hint(&suggest, "columns", err);
}

static bool read_variant(struct source *source, const struct node *item, struct error *err)
{
    static const char *const keys[] = { "is", NULL };
    const struct node *node = node_find(item, "variant");
    source->variant_column = -1;
    if (node == NULL && source->experiment->variant_count == 1) {
        return true;
    }
    if (node == NULL) {
        error_user(err, &item->place, "which variant was measured?");
        return error_hint(err, "write `variant: COLUMN` or `variant: {is: %.60s}`",
                          source->experiment->variants[0].name);
    }
    if (node->kind != NODE_MAPPING) {
        return find_column(&source->csv, node, &source->variant_column, err);
    }
    if (!read_keys(node, keys, "`variant`", err)) {
        return false;
    }
    const struct node *name = read_required(node, "is", "`variant`", err);
    return name != NULL && variant_find(source->experiment, name, &source->variant, err);
}

/* Some row has this text in this column: else it is a slip of the pen. */
static bool check_filter(const struct csv *csv, const struct filter *filter,
                         const struct node *value, struct error *err)
{
    struct suggest suggest;
    suggest_start(&suggest, filter->text);
    for (size_t row = 0; row < csv->row_count; row++) {
        const char *text = csv_cell_at(csv, row, filter->column)->text;
        if (strcmp(text, filter->text) == 0) {
            return true;
        }
        if (suggest.best == NULL) {
            suggest_offer(&suggest, text);
        }
    }
    error_user(err, &value->place, "no row of `%.200s` has `%.60s` there", csv->file, filter->text);
    return suggest.best != NULL
               ? suggest_hint(&suggest, "values", err)
               : error_hint(err, "look at the column `%.60s`", csv->names[filter->column].text);
}

static bool read_filters(struct source *source, const struct node *item, struct error *err)
{
    const struct node *node = node_find(item, "where");
    const struct node *mapping = node == NULL ? NULL : read_mapping(node, "`where`", err);
    if (mapping == NULL) {
        return node == NULL;
    }
    struct filter *filters = arena_array(source->arena, mapping->count, sizeof(*filters));
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *value = mapping->entries[i].value;
        if (!find_column(&source->csv, mapping->entries[i].key, &filters[i].column, err)) {
            return false;
        }
        filters[i].text = read_text(value, "the text to look for", err);
        if (filters[i].text == NULL || !check_filter(&source->csv, &filters[i], value, err)) {
            return false;
        }
    }
    source->filters = filters;
    source->filter_count = mapping->count;
    return true;
}

static bool read_matches(struct source *source, const struct node *item, struct error *err)
{
    const struct experiment *experiment = source->experiment;
    const struct node *node = node_find(item, "match");
    const struct node *mapping = node == NULL ? NULL : read_mapping(node, "`match`", err);
    if (mapping == NULL) {
        return node == NULL;
    }
    struct match *matches = arena_array(source->arena, mapping->count, sizeof(*matches));
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *path = mapping->entries[i].key;
        struct target target;
        if (!assignment_resolve(experiment->root, path->text, &path->place, &target, err) ||
            !find_column(&source->csv, mapping->entries[i].value, &matches[i].column, err)) {
            return false;
        }
        for (size_t v = 0; v < experiment->variant_count; v++) {
            if (assignment_value(experiment, v, 0, path->text) == NULL) {
                error_user(err, &path->place, "the experiment does not set `%.60s`", path->text);
                return error_hint(err, "write its value in `stack:`, or sweep it");
            }
        }
        matches[i].path = path->text;
        matches[i].param = target.param;
    }
    source->matches = matches;
    source->match_count = mapping->count;
    return true;
}

static bool is_time(enum metric_kind kind)
{
    return kind == METRIC_MEAN || kind == METRIC_PERCENTILE || kind == METRIC_MAX ||
           kind == METRIC_PHASE;
}

/* The unit that `units:` gives, or the column's name after its last `_`. */
static bool find_unit(const struct node *item, const struct node *column, double *unit,
                      struct error *err)
{
    static const struct {
        const char *name;
        sim_time time;
    } units[] = {
        { "ps", SIM_PS }, { "ns", SIM_NS }, { "us", SIM_US }, { "ms", SIM_MS }, { "s", SIM_S },
    };
    const struct node *given = node_find(item, "units");
    const struct node *node = given == NULL ? NULL : node_find(given, column->text);
    const char *last = strrchr(column->text, '_');
    const char *name = node != NULL ? read_text(node, "a unit", err) : last != NULL ? last + 1 : "";
    for (size_t i = 0; name != NULL && i < ARRAY_LENGTH(units); i++) {
        if (strcmp(units[i].name, name) == 0) {
            *unit = (double)units[i].time;
            return true;
        }
    }
    if (node != NULL) {
        error_user(err, &node->place, "`%.60s` is not a unit of time", name == NULL ? "" : name);
        return error_hint(err, "the units are ps, ns, us, ms and s");
    }
    error_user(err, &column->place, "in what unit is the column `%.60s`?", column->text);
    return error_hint(err, "add `units: {%.60s: us}`, or rename it to end in `_us`", column->text);
}

static bool check_units(struct source *source, const struct node *item, struct error *err)
{
    const struct node *node = node_find(item, "units");
    const struct node *mapping = node == NULL ? NULL : read_mapping(node, "`units`", err);
    if (mapping == NULL) {
        return node == NULL;
    }
    int unused = 0;
    for (size_t i = 0; i < mapping->count; i++) {
        if (!find_column(&source->csv, mapping->entries[i].key, &unused, err)) {
            return false;
        }
    }
    return true;
}

static bool read_columns(struct source *source, const struct node *item, struct error *err)
{
    const struct node *node = read_required(item, "columns", "`measured`", err);
    const struct node *mapping = node == NULL ? NULL : read_mapping(node, "`columns`", err);
    if (mapping == NULL || !check_units(source, item, err)) {
        return false;
    }
    struct figure_column *figures = arena_array(source->arena, mapping->count, sizeof(*figures));
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *column = mapping->entries[i].key;
        const struct node *value = mapping->entries[i].value;
        const char *name = read_text(value, "a metric's name", err);
        if (name == NULL || !find_column(&source->csv, column, &figures[i].column, err) ||
            !metric_parse(source->arena, name, &value->place, &figures[i].metric, err)) {
            return false;
        }
        figures[i].unit = 1;
        if (is_time(figures[i].metric.kind) && !find_unit(item, column, &figures[i].unit, err)) {
            return false;
        }
    }
    source->figures = figures;
    source->figure_count = mapping->count;
    return true;
}

/* ---- What the table says. ---- */

static bool passes(const struct source *source, size_t row)
{
    for (size_t i = 0; i < source->filter_count; i++) {
        const struct filter *filter = &source->filters[i];
        if (strcmp(csv_cell_at(&source->csv, row, filter->column)->text, filter->text) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_at_point(const struct source *source, size_t row, size_t variant, size_t point)
{
    for (size_t i = 0; i < source->match_count; i++) {
        const struct match *match = &source->matches[i];
        const struct node *value =
            assignment_value(source->experiment, variant, point, match->path);
        if (!assignment_equals(match->param, value,
                               csv_cell_at(&source->csv, row, match->column)->text)) {
            return false;
        }
    }
    return true;
}

static bool add_figure(struct arena *arena, struct figures *figures, struct measured_figure figure,
                       const struct place *where, struct error *err)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct measured_figure *other = &figures->items[i];
        if (other->variant == figure.variant && other->point == figure.point &&
            metric_equals(&other->metric, &figure.metric)) {
            error_user(err, where, "a second figure for `%.60s` of the same variant and point",
                       figure.metric.text);
            return error_hint(err, "name the rows that you mean with `where:` and `match:`");
        }
    }
    if (figures->count == figures->capacity) {
        figures->capacity = 2 * figures->capacity + 64;
        struct measured_figure *larger = arena_array(arena, figures->capacity, sizeof(*larger));
        if (figures->count > 0) {
            memcpy(larger, figures->items, figures->count * sizeof(*larger));
        }
        figures->items = larger;
    }
    figures->items[figures->count++] = figure;
    return true;
}

static bool read_cell(const struct csv_cell *cell, double *number, struct error *err)
{
    enum units_result result = units_parse_real(UNITS_NUMBER, cell->text, number);
    return result == UNITS_OK ||
           units_error(result, UNITS_NUMBER, cell->text, 0, 0, &cell->place, err);
}

/* The figures of a row for a variant at a point. */
static bool read_figures(const struct source *source, size_t row, size_t variant, size_t point,
                         struct figures *figures, struct error *err)
{
    for (size_t f = 0; f < source->figure_count; f++) {
        const struct figure_column *column = &source->figures[f];
        const struct csv_cell *cell = csv_cell_at(&source->csv, row, column->column);
        double number = 0;
        if (cell->text[0] == '\0') {
            continue;
        }
        if (!read_cell(cell, &number, err)) {
            return false;
        }
        const struct measured_figure figure = {
            .variant = variant,
            .point = point,
            .metric = column->metric,
            .value = number * column->unit,
        };
        if (!add_figure(source->arena, figures, figure, &cell->place, err)) {
            return false;
        }
    }
    return true;
}

static bool read_row(const struct source *source, size_t row, size_t variant,
                     struct figures *figures, struct error *err)
{
    for (size_t point = 0; point < source->experiment->point_count; point++) {
        if (is_at_point(source, row, variant, point) &&
            !read_figures(source, row, variant, point, figures, err)) {
            return false;
        }
    }
    return true;
}

static bool names_variant(const struct source *source, size_t row, size_t variant)
{
    if (source->variant_column < 0) {
        return variant == source->variant;
    }
    const char *name = csv_cell_at(&source->csv, row, source->variant_column)->text;
    return strcmp(name, source->experiment->variants[variant].name) == 0;
}

static bool read_rows(const struct source *source, const struct node *item, struct figures *figures,
                      struct error *err)
{
    bool any = false;
    for (size_t row = 0; row < source->csv.row_count; row++) {
        for (size_t v = 0; v < source->experiment->variant_count; v++) {
            if (passes(source, row) && names_variant(source, row, v)) {
                any = true;
                if (!read_row(source, row, v, figures, err)) {
                    return false;
                }
            }
        }
    }
    if (!any) {
        error_user(err, &item->place, "no row of `%.200s` belongs to a variant", source->csv.file);
        return error_hint(err, "look at `where:`, and at what `variant:` names");
    }
    return true;
}

/* ---- The list. ---- */

static bool load_table(struct source *source, const struct node *item, struct error *err)
{
    const struct node *file = read_required(item, "file", "`measured`", err);
    const char *name = file == NULL ? NULL : read_text(file, "`file`", err);
    if (name == NULL) {
        return false;
    }
    const char *path = extends_path(source->arena, file->place.file, name);
    return csv_load(source->arena, path, &source->csv, err) || read_blame(&file->place, err);
}

bool measured_read(struct arena *arena, const struct node *measured, struct experiment *experiment,
                   struct error *err)
{
    static const char *const keys[] = { "file",  "where",   "variant", "match",
                                        "units", "columns", NULL };
    struct figures figures = { 0 };
    const struct node *list = read_list(measured, "`measured`", err);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const struct node *item = read_mapping(list->items[i], "an item of `measured`", err);
        struct source source = { .experiment = experiment, .arena = arena };
        if (item == NULL || !read_keys(item, keys, "`measured`", err) ||
            !load_table(&source, item, err) || !read_variant(&source, item, err) ||
            !read_filters(&source, item, err) || !read_matches(&source, item, err) ||
            !read_columns(&source, item, err) || !read_rows(&source, item, &figures, err)) {
            return false;
        }
    }
    experiment->measured = figures.items;
    experiment->measured_count = figures.count;
    return list != NULL;
}
