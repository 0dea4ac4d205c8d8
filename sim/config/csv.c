/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row is read into a buffer as long as its line: fields only lose characters, and the comma after
 * each becomes its terminating zero.
 */
#include "sim/config/csv.h"

#include <string.h>

#include "sim/config/text.h"

/* Where the reader is. Columns count characters. */
struct cursor {
    const char *bytes;
    const char *end; /* of the file */
    struct place place;
};

/* The cells of all rows, growing. */
struct cells {
    struct arena *arena;
    struct csv_cell *items;
    size_t count;
    size_t capacity;
};

/* ---- Characters and lines. ---- */

static bool at_line_end(const struct cursor *cursor)
{
    return cursor->bytes == cursor->end || *cursor->bytes == '\n' || *cursor->bytes == '\r';
}

static void step(struct cursor *cursor)
{
    cursor->bytes++;
    if (cursor->bytes == cursor->end || ((unsigned char)*cursor->bytes & 0xc0) != 0x80) {
        cursor->place.column++;
    }
}

static void skip_blanks(struct cursor *cursor)
{
    while (!at_line_end(cursor) && (*cursor->bytes == ' ' || *cursor->bytes == '\t')) {
        step(cursor);
    }
}

static void skip_line_end(struct cursor *cursor)
{
    bool both = cursor->end - cursor->bytes >= 2 && memcmp(cursor->bytes, "\r\n", 2) == 0;
    cursor->bytes += both ? 2 : cursor->bytes < cursor->end;
    cursor->place.line++;
    cursor->place.column = 1;
}

/* To the next line that holds fields; false at the end of the file. */
static bool find_row(struct cursor *cursor)
{
    while (cursor->bytes < cursor->end) {
        skip_blanks(cursor);
        if (!at_line_end(cursor) && *cursor->bytes != '#') {
            return true;
        }
        while (!at_line_end(cursor)) {
            step(cursor);
        }
        skip_line_end(cursor);
    }
    return false;
}

/* ---- Fields. ---- */

/* Writes the field's text to `text` and returns its length, -1 with the error. */
static int read_quoted(struct cursor *cursor, char *text, struct error *err)
{
    struct place open = cursor->place;
    int used = 0;
    step(cursor);
    for (;;) {
        if (at_line_end(cursor)) {
            error_user(err, &open, "a quote is left open");
            error_hint(err, "close it on the same line; write a quote within as two");
            return -1;
        }
        if (*cursor->bytes == '"') {
            step(cursor);
            if (at_line_end(cursor) || *cursor->bytes != '"') {
                break;
            }
        }
        text[used++] = *cursor->bytes;
        step(cursor);
    }
    skip_blanks(cursor);
    if (!at_line_end(cursor) && *cursor->bytes != ',') {
        error_user(err, &cursor->place, "text after a closing quote");
        error_hint(err, "write a comma between two fields");
        return -1;
    }
    return used;
}

static int read_plain(struct cursor *cursor, char *text)
{
    int used = 0;
    while (!at_line_end(cursor) && *cursor->bytes != ',') {
        text[used++] = *cursor->bytes;
        step(cursor);
    }
    while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == '\t')) {
        used--;
    }
    return used;
}

static void add_cell(struct cells *cells, struct csv_cell cell)
{
    if (cells->count == cells->capacity) {
        size_t capacity = 2 * cells->capacity + 64;
        struct csv_cell *larger = arena_array(cells->arena, capacity, sizeof(*larger));
        if (cells->count > 0) {
            memcpy(larger, cells->items, cells->count * sizeof(*larger));
        }
        cells->items = larger;
        cells->capacity = capacity;
    }
    cells->items[cells->count++] = cell;
}

/* The fields of the line at the cursor, which steps behind it. */
static bool read_row(struct cursor *cursor, struct cells *cells, struct error *err)
{
    const char *stop = cursor->bytes;
    while (stop < cursor->end && *stop != '\n' && *stop != '\r') {
        stop++;
    }
    char *text = arena_alloc(cells->arena, (size_t)(stop - cursor->bytes) + 1);
    for (;;) {
        skip_blanks(cursor);
        struct csv_cell cell = { text, cursor->place };
        bool quoted = !at_line_end(cursor) && *cursor->bytes == '"';
        int used = quoted ? read_quoted(cursor, text, err) : read_plain(cursor, text);
        if (used < 0) {
            return false;
        }
        text[used] = '\0';
        text += used + 1;
        add_cell(cells, cell);
        if (at_line_end(cursor)) {
            break;
        }
        step(cursor);
    }
    skip_line_end(cursor);
    return true;
}

/* ---- The file. ---- */

static bool check_names(const struct csv *csv, struct error *err)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv_find(csv, csv->names[i].text) < (int)i) {
            error_user(err, &csv->names[i].place, "a second column `%.60s`", csv->names[i].text);
            return error_hint(err, "rename one of them");
        }
    }
    return true;
}

static bool check_width(const struct csv *csv, size_t fields, struct place place, struct error *err)
{
    if (fields != csv->column_count) {
        place.column = 1;
        error_user(err, &place, "%zu fields, and the header names %zu columns", fields,
                   csv->column_count);
        return error_hint(err, "an empty field keeps its comma: `1,,3`");
    }
    return true;
}

static bool read_header(struct cursor *cursor, struct arena *arena, struct csv *csv,
                        struct error *err)
{
    struct cells header = { .arena = arena };
    if (!find_row(cursor)) {
        const struct place where = { .file = csv->file };
        error_user(err, &where, "there is no header in it");
        return error_hint(err, "the first line that is no comment names the columns");
    }
    if (!read_row(cursor, &header, err)) {
        return false;
    }
    if (header.count > CSV_COLUMNS_MAX) {
        error_user(err, &header.items[CSV_COLUMNS_MAX].place, "more than %d columns",
                   CSV_COLUMNS_MAX);
        return error_hint(err, "is it the file that you meant?");
    }
    csv->names = header.items;
    csv->column_count = header.count;
    return check_names(csv, err);
}

bool csv_load(struct arena *arena, const char *path, struct csv *csv, struct error *err)
{
    struct text text = { 0 };
    if (!text_read(arena, path, CSV_BYTES_MAX, &text, err)) {
        return false;
    }
    text_skip_mark(&text);
    if (!text_check(&text, err)) {
        return false;
    }
    struct csv read = { .file = path };
    struct cursor cursor = { text.bytes, text.bytes + text.size, { path, 1, 1 } };
    struct cells cells = { .arena = arena };
    if (!read_header(&cursor, arena, &read, err)) {
        return false;
    }
    while (find_row(&cursor)) {
        size_t before = cells.count;
        struct place place = cursor.place;
        if (!read_row(&cursor, &cells, err) ||
            !check_width(&read, cells.count - before, place, err)) {
            return false;
        }
        read.row_count++;
    }
    read.cells = cells.items;
    *csv = read;
    return true;
}

int csv_find(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (strcmp(csv->names[i].text, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}
