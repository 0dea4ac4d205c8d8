/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small table: comma-separated values with a header. Lines that start with `#` and blank lines
 * are skipped, blanks around a field are dropped, a field in double quotes may hold commas and
 * doubled quotes but no line end. Every cell knows its place.
 */
#ifndef RINGTAIL_SIM_CONFIG_CSV_H
#define RINGTAIL_SIM_CONFIG_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

#define CSV_BYTES_MAX ((size_t)16 << 20)

enum { CSV_COLUMNS_MAX = 256 };

struct csv_cell {
    const char *text; /* empty: nothing is recorded */
    struct place place;
};

struct csv {
    const char *file;
    size_t column_count;
    size_t row_count;
    const struct csv_cell *names; /* the header */
    const struct csv_cell *cells; /* row by row */
};

/* Reads a file into the arena; every row has as many fields as the header, whose names differ. */
bool csv_load(struct arena *arena, const char *path, struct csv *csv, struct error *err);

/* The column called `name`; -1 where there is none. */
int csv_find(const struct csv *csv, const char *name);

static inline const struct csv_cell *csv_cell_at(const struct csv *csv, size_t row, int column)
{
    return &csv->cells[row * csv->column_count + (size_t)column];
}

#endif
