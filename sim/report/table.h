/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of texts in aligned columns. Rows may be shorter than the table; notes are lines between
 * rows that no column follows. A table that is too wide continues below with its first columns
 * repeated.
 */
#ifndef RINGTAIL_SIM_REPORT_TABLE_H
#define RINGTAIL_SIM_REPORT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "sim/base/arena.h"

struct table {
    struct arena *arena;
    const char *alignment; /* l or r for each column; the last letter serves all further ones */
    struct table_row *first;
    struct table_row *last;
    size_t columns; /* of the longest row */
};

void table_init(struct table *table, struct arena *arena, const char *alignment);

/* Appends an empty row; table_add appends cells to it. Texts outlive the table; NULL is empty. */
void table_begin_row(struct table *table);
void table_add(struct table *table, const char *text);

/* Appends a line of its own. */
void table_note(struct table *table, const char *text);

/* Writes at most `width` columns of the terminal a line, where the first `fixed` columns and one
 * more fit into it. */
void table_write(const struct table *table, size_t fixed, size_t width, FILE *file);

#endif
