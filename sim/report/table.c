/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/table.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { GAP = 2 };

struct cell {
    struct cell *next;
    const char *text;
};

struct table_row {
    struct table_row *next;
    const char *note; /* NULL: a row of cells */
    struct cell *first;
    struct cell *last;
    size_t count;
};

void table_init(struct table *table, struct arena *arena, const char *alignment)
{
    assert(alignment[0] != '\0');
    *table = (struct table){ .arena = arena, .alignment = alignment };
}

void table_begin_row(struct table *table)
{
    struct table_row *row = arena_alloc(table->arena, sizeof(*row));
    if (table->first == NULL) {
        table->first = row;
    } else {
        table->last->next = row;
    }
    table->last = row;
}

void table_add(struct table *table, const char *text)
{
    struct table_row *row = table->last;
    struct cell *cell = arena_alloc(table->arena, sizeof(*cell));
    cell->text = text == NULL ? "" : text;
    if (row->first == NULL) {
        row->first = cell;
    } else {
        row->last->next = cell;
    }
    row->last = cell;
    row->count++;
    table->columns = row->count > table->columns ? row->count : table->columns;
}

void table_note(struct table *table, const char *text)
{
    table_begin_row(table);
    table->last->note = text;
}

/* A character of UTF-8 takes one column: its continuation bytes do not count. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static size_t *measure(const struct table *table)
{
    size_t *widths = arena_array(table->arena, table->columns, sizeof(*widths));
    for (const struct table_row *row = table->first; row != NULL; row = row->next) {
        size_t i = 0;
        for (const struct cell *cell = row->first; cell != NULL; cell = cell->next, i++) {
            size_t width = width_of(cell->text);
            widths[i] = width > widths[i] ? width : widths[i];
        }
    }
    return widths;
}

static bool is_right(const struct table *table, size_t column)
{
    size_t last = strlen(table->alignment) - 1;
    return table->alignment[column < last ? column : last] == 'r';
}

/* Spaces are written when a text follows, so that no line ends in them. */
static size_t write_cell(const char *text, size_t width, bool right, size_t pending, FILE *file)
{
    size_t spare = width - width_of(text);
    if (text[0] == '\0') {
        return pending + width;
    }
    fprintf(file, "%*s%s", (int)(pending + (right ? spare : 0)), "", text);
    return right ? 0 : spare;
}

/* The fixed columns and those from `begin` to `end`. */
static void write_row(const struct table *table, const struct table_row *row, const size_t *widths,
                      size_t fixed, size_t begin, size_t end, FILE *file)
{
    size_t pending = 0;
    size_t i = 0;
    for (const struct cell *cell = row->first; cell != NULL && i < end; cell = cell->next, i++) {
        if (i < fixed || i >= begin) {
            pending += i > 0 ? GAP : 0;
            pending = write_cell(cell->text, widths[i], is_right(table, i), pending, file);
        }
    }
    fputc('\n', file);
}

void table_write(const struct table *table, size_t fixed, size_t width, FILE *file)
{
    size_t *widths = measure(table);
    size_t used_fixed = 0;
    for (size_t i = 0; i < fixed && i < table->columns; i++) {
        used_fixed += widths[i] + GAP;
    }
    size_t begin = fixed;
    do {
        size_t end = begin;
        size_t used = used_fixed;
        while (end < table->columns && (end == begin || used + widths[end] <= width)) {
            used += widths[end] + GAP;
            end++;
        }
        for (const struct table_row *row = table->first; row != NULL; row = row->next) {
            if (row->note == NULL) {
                write_row(table, row, widths, fixed, begin, end, file);
            } else if (begin == fixed) {
                fprintf(file, "%s\n", row->note);
            }
        }
        begin = end;
        if (begin < table->columns) {
            fputc('\n', file);
        }
    } while (begin < table->columns);
}
