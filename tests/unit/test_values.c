/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fdopen */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/config/values.h"

static bool find(struct values *values, const char *text, struct value_list *list,
                 struct error *err)
{
    const struct node *node = yaml_parse(values->arena, "a.yaml", text, strlen(text), err);
    cr_assert_not_null(node);
    return values_find(values, values->arena, node, "`sequence`", list, err);
}

/* The list of a file with these bytes. */
static bool read_file(struct values *values, const char *bytes, struct value_list *list,
                      struct error *err)
{
    char path[] = "/tmp/ringtail_values_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    fputs(bytes, file);
    fclose(file);
    bool ok = find(values, path, list, err);
    unlink(path);
    return ok;
}

Test(values, one_a_line)
{
    static const struct {
        const char *bytes;
        size_t count;
    } cases[] = {
        { "1us\n2us", 2 },
        { "\xef\xbb\xbf# head\r\n\r\n 1us\t# one\r\n\t2us \r\n", 2 },
        { "1us\r2us\r#3us\r", 2 },
        { "1us\n\n\n2us\n3us#", 3 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct value_list list = { 0 };
        struct error err = { 0 };
        cr_assert(read_file(values_create(arena), cases[i].bytes, &list, &err), "%s", err.message);
        cr_assert_eq(list.count, cases[i].count, "%zu", i);
        cr_expect_eq(list.times[0], SIM_US);
        cr_expect_eq(list.times[1], 2 * SIM_US);
        arena_destroy(arena);
    }
}

Test(values, mistakes_have_the_place_in_the_file)
{
    static const struct {
        const char *bytes;
        int line;
        int column;
    } cases[] = {
        { "1us\n\n  x\n", 3, 3 }, { "-1us", 1, 1 },      { "1us # \xc3\xa9\n1us 2us", 2, 1 },
        { "641h", 1, 1 },         { "1us\n\x01", 2, 1 }, { "1us\r\n\t4", 2, 2 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct values *values = values_create(arena);
        struct value_list list = { .count = 7 };
        struct error err = { 0 };
        cr_expect_not(read_file(values, cases[i].bytes, &list, &err), "%zu", i);
        cr_expect_eq(err.line, cases[i].line, "%zu: %d", i, err.line);
        cr_expect_eq(err.column, cases[i].column, "%zu: %d", i, err.column);
        cr_expect_str_neq(err.hint, "", "%zu", i);
        cr_expect_eq(list.count, 7u);
        cr_expect_eq(values->count, 0u);
        arena_destroy(arena);
    }
}

Test(values, a_file_is_read_once)
{
    struct arena *arena = arena_create();
    struct values *values = values_create(arena);
    struct value_list first;
    struct value_list second;
    struct error err = { 0 };
    cr_assert(read_file(values, "1us", &first, &err));
    cr_assert(find(values, first.path, &second, &err), "it is gone, and not looked for again");
    cr_expect_eq(second.times, first.times);
    cr_expect_not(find(values, "{file: /tmp/ringtail_nosuch.csv, column: a}", &second, &err));
    cr_expect_eq(err.column, 8);
    arena_destroy(arena);
}
