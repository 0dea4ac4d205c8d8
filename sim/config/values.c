/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/values.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/config/csv.h"
#include "sim/config/extends.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"
#include "sim/config/text.h"

/* Times, growing. Only the last array is used; those before it are as long together. */
struct times {
    struct arena *arena;
    sim_time *items;
    size_t count;
    size_t capacity;
};

struct values *values_create(struct arena *arena)
{
    struct values *values = arena_alloc(arena, sizeof(*values));
    *values = (struct values){ .arena = arena };
    return values;
}

static bool add_time(struct times *times, sim_time time, const struct place *where,
                     struct error *err)
{
    if (times->count == VALUES_MAX) {
        error_user(err, where, "more than %d values", VALUES_MAX);
        return error_hint(err, "thin them out: a distribution of that many has the same shape");
    }
    if (times->count == times->capacity) {
        size_t capacity = 2 * times->capacity + 64;
        sim_time *larger = arena_array(times->arena, capacity, sizeof(*larger));
        if (times->count > 0) {
            memcpy(larger, times->items, times->count * sizeof(*larger));
        }
        times->items = larger;
        times->capacity = capacity;
    }
    times->items[times->count++] = time;
    return true;
}

/* ---- One time a line. ---- */

/* A time and a comment, both of which may be missing, in `length` bytes of the line. Blanks around
 * the time are no part of it. */
static bool read_line(struct times *times, const char *line, size_t length, struct place where,
                      struct error *err)
{
    const char *comment = memchr(line, '#', length);
    const char *end = comment == NULL ? line + length : comment;
    const char *start = line;
    while (start < end && (*start == ' ' || *start == '\t')) {
        start++;
    }
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    if (start == end) {
        return true;
    }
    char text[128]; /* a longer one is cut, which no time survives */
    snprintf(text, sizeof(text), "%.*s", (int)(end - start > 127 ? 127 : end - start), start);
    where.column = (int)(start - line) + 1;
    sim_time time = 0;
    enum units_result result = units_parse(UNITS_TIME, text, 0, SIM_DURATION_MAX, &time);
    return result == UNITS_OK
               ? add_time(times, time, &where, err)
               : units_error(result, UNITS_TIME, text, 0, SIM_DURATION_MAX, &where, err);
}

static bool read_lines(struct times *times, struct arena *scratch, const char *path,
                       struct error *err)
{
    struct text text = { 0 };
    if (!text_read(scratch, path, VALUES_BYTES_MAX, &text, err)) {
        return false;
    }
    text_skip_mark(&text);
    if (!text_check(&text, err)) {
        return false;
    }
    const char *end = text.bytes + text.size;
    struct place where = { .file = path };
    for (const char *line = text.bytes; line < end;) {
        const char *stop = line;
        while (stop < end && *stop != '\n' && *stop != '\r') {
            stop++;
        }
        where.line++;
        if (!read_line(times, line, (size_t)(stop - line), where, err)) {
            return false;
        }
        bool both = end - stop >= 2 && memcmp(stop, "\r\n", 2) == 0;
        line = stop + 1 + both;
    }
    return true;
}

/* ---- A column of a table. ---- */

/* `service_us` to `us`, NULL where the name has no such end. */
static const char *unit_of_column(const char *name)
{
    static const char *const units[] = { "ps", "ns", "us", "ms", "s" };
    const char *last = strrchr(name, '_');
    for (size_t i = 0; last != NULL && i < ARRAY_LENGTH(units); i++) {
        if (strcmp(units[i], last + 1) == 0) {
            return units[i];
        }
    }
    return NULL;
}

static bool read_cell(const struct csv_cell *cell, const struct node *column, sim_time *time,
                      struct error *err)
{
    char text[128];
    const char *unit = unit_of_column(column->text);
    enum units_result result = units_parse(UNITS_TIME, cell->text, 0, SIM_DURATION_MAX, time);
    if (result == UNITS_NO_UNIT && unit == NULL) {
        error_user(err, &cell->place, "in what unit is the column `%.60s`?", column->text);
        return error_hint(err, "rename it to end in `_us`, or write `%.30sus` into it", cell->text);
    }
    if (result == UNITS_NO_UNIT) {
        snprintf(text, sizeof(text), "%.100s%s", cell->text, unit);
        result = units_parse(UNITS_TIME, text, 0, SIM_DURATION_MAX, time);
    }
    if (result == UNITS_OK) {
        return true;
    }
    units_error(result, UNITS_TIME, cell->text, 0, SIM_DURATION_MAX, &cell->place, err);
    return false;
}

static bool read_column(struct times *times, struct arena *scratch, const char *path,
                        const struct node *column, struct error *err)
{
    struct csv csv;
    if (!csv_load(scratch, path, &csv, err)) {
        return false;
    }
    int index = csv_find(&csv, column->text);
    if (index < 0) {
        struct suggest suggest;
        suggest_start(&suggest, column->text);
        for (size_t i = 0; i < csv.column_count; i++) {
            suggest_offer(&suggest, csv.names[i].text);
        }
        error_user(err, &column->place, "`%.200s` has no column `%.60s`", path, column->text);
        return suggest_hint(&suggest, "columns", err);
    }
    for (size_t row = 0; row < csv.row_count; row++) {
        const struct csv_cell *cell = csv_cell_at(&csv, row, index);
        sim_time time = 0;
        if (cell->text[0] != '\0' &&
            (!read_cell(cell, column, &time, err) || !add_time(times, time, &cell->place, err))) {
            return false;
        }
    }
    return true;
}

/* ---- Files. ---- */

static bool is_same(const struct value_list *file, const char *path, const char *column)
{
    bool same_column = file->column == NULL || column == NULL ? file->column == column
                                                              : strcmp(file->column, column) == 0;
    return same_column && strcmp(file->path, path) == 0;
}

static bool read_file(struct values *values, const char *path, const struct node *column,
                      struct value_list *list, struct error *err)
{
    struct arena *scratch = arena_create();
    struct times times = { .arena = scratch };
    bool ok = column == NULL ? read_lines(&times, scratch, path, err)
                             : read_column(&times, scratch, path, column, err);
    if (ok && times.count == 0) {
        const struct place where = { .file = path };
        error_user(err, &where, "there is no value in it");
        ok = error_hint(err, "write one time a line, for example `40us`");
    }
    if (ok) {
        sim_time *kept = arena_array(values->arena, times.count, sizeof(*kept));
        memcpy(kept, times.items, times.count * sizeof(*kept));
        *list = (struct value_list){
            .path = arena_strdup(values->arena, path),
            .column = column == NULL ? NULL : column->text,
            .times = kept,
            .count = times.count,
        };
    }
    arena_destroy(scratch);
    return ok;
}

static bool find_file(struct values *values, struct arena *arena, const struct node *name,
                      const struct node *column, struct value_list *list, struct error *err)
{
    if (read_text(name, "the name of a file", err) == NULL ||
        (column != NULL && read_text(column, "a column's name", err) == NULL)) {
        return false;
    }
    const char *path = extends_path(arena, name->place.file, name->text);
    const char *column_name = column == NULL ? NULL : column->text;
    for (size_t i = 0; i < values->count; i++) {
        if (is_same(&values->files[i], path, column_name)) {
            *list = values->files[i];
            return true;
        }
    }
    assert(!values->complete); /* every value was bound when the experiment was loaded */
    if (values->count == VALUES_FILES_MAX) {
        error_user(err, &name->place, "more than %d files of values", VALUES_FILES_MAX);
        return error_hint(err, "make them columns of fewer tables, or split the experiment");
    }
    if (!read_file(values, path, column, list, err)) {
        return read_blame(&name->place, err);
    }
    values->files[values->count++] = *list;
    return true;
}

/* ---- The list. ---- */

static bool read_list_here(struct arena *arena, const struct node *node, const char *what,
                           struct value_list *list, struct error *err)
{
    sim_time *times = arena_array(arena, node->count, sizeof(*times));
    if (node->count == 0) {
        error_user(err, &node->place, "%s has no values", what);
        return error_hint(err, "write for example `[1ms, 2ms]`, or the name of a file");
    }
    for (size_t i = 0; i < node->count; i++) {
        if (!read_quantity(node->items[i], UNITS_TIME, 0, SIM_DURATION_MAX, &times[i], err)) {
            return false;
        }
    }
    *list = (struct value_list){ .times = times, .count = node->count };
    return true;
}

bool values_find(struct values *values, struct arena *arena, const struct node *node,
                 const char *what, struct value_list *list, struct error *err)
{
    static const char *const keys[] = { "file", "column", NULL };
    if (node->kind == NODE_SEQUENCE) {
        return read_list_here(arena, node, what, list, err);
    }
    if (node->kind == NODE_SCALAR) {
        return find_file(values, arena, node, NULL, list, err);
    }
    if (!read_keys(node, keys, what, err)) {
        return false;
    }
    const struct node *file = read_required(node, "file", what, err);
    const struct node *column = file == NULL ? NULL : read_required(node, "column", what, err);
    return column != NULL && find_file(values, arena, file, column, list, err);
}
