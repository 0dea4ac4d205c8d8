/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fdopen */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/config/csv.h"

static bool load(struct arena *arena, const char *bytes, struct csv *csv, struct error *err)
{
    char path[] = "/tmp/ringtail_csv_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    fputs(bytes, file);
    fclose(file);
    bool ok = csv_load(arena, path, csv, err);
    unlink(path);
    return ok;
}

Test(csv, cells_and_places)
{
    struct arena *arena = arena_create();
    struct csv csv = { 0 };
    struct error err = { 0 };
    cr_assert(
        load(arena,
             "\xef\xbb\xbf# a comment, with commas\r\n\r\n  phase , qd\t,\"p50, \"\"us\"\"\"\r\n"
             "before,,77\n  # another\nr\xc3\xa9sum\xc3\xa9, 2 ,\n",
             &csv, &err),
        "%s", err.message);
    cr_assert_eq(csv.column_count, 3u);
    cr_assert_eq(csv.row_count, 2u);
    cr_expect_eq(csv_find(&csv, "qd"), 1);
    cr_expect_eq(csv_find(&csv, "p50, \"us\""), 2);
    cr_expect_eq(csv_find(&csv, "q"), -1);
    cr_expect_str_eq(csv_cell_at(&csv, 0, 0)->text, "before");
    cr_expect_str_eq(csv_cell_at(&csv, 0, 1)->text, "");
    const struct csv_cell *cell = csv_cell_at(&csv, 1, 1);
    cr_expect_str_eq(cell->text, "2");
    cr_expect_eq(cell->place.line, 6);
    cr_expect_eq(cell->place.column, 9); /* of characters, not bytes */
    cr_expect_str_eq(csv_cell_at(&csv, 1, 2)->text, "");
    arena_destroy(arena);
}

Test(csv, a_last_line_without_its_end)
{
    struct arena *arena = arena_create();
    struct csv csv = { 0 };
    struct error err = { 0 };
    cr_assert(load(arena, "a,b\n1,\"2\"", &csv, &err), "%s", err.message);
    cr_expect_eq(csv.row_count, 1u);
    cr_expect_str_eq(csv_cell_at(&csv, 0, 1)->text, "2");
    cr_assert(load(arena, "a,b", &csv, &err), "%s", err.message);
    cr_expect_eq(csv.row_count, 0u);
    cr_assert(load(arena, "a,b\r1,2\r3,4\r", &csv, &err), "%s", err.message);
    cr_expect_eq(csv.row_count, 2u);
    arena_destroy(arena);
}

Test(csv, mistakes)
{
    static const struct {
        const char *bytes;
        int line;
        int column;
        const char *message;
    } cases[] = {
        { "", 0, 0, "there is no header in it" },
        { "# only\n\n", 0, 0, "there is no header in it" },
        { "a,b,a\n", 1, 5, "a second column `a`" },
        { "a,b\n1,2\n1\n", 3, 1, "1 fields, and the header names 2 columns" },
        { "a,b\n1,2,3\n", 2, 1, "3 fields, and the header names 2 columns" },
        { "a,b\n1,\"2\n", 2, 3, "a quote is left open" },
        { "a,b\n\"1\"x,2\n", 2, 4, "text after a closing quote" },
        { "a,b\n1,\xff\n", 2, 3, "not UTF-8: the byte 0xff" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct csv csv = { 0 };
        struct error err = { 0 };
        cr_expect_not(load(arena, cases[i].bytes, &csv, &err));
        cr_expect_str_eq(err.message, cases[i].message, "%s", err.message);
        cr_expect_eq(err.line, cases[i].line, "%s: %d", cases[i].message, err.line);
        cr_expect_eq(err.column, cases[i].column, "%s: %d", cases[i].message, err.column);
        cr_expect_str_neq(err.hint, "");
        cr_expect_eq(csv.column_count, 0u);
        arena_destroy(arena);
    }
}
