/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/error.h"

static const struct place where = { .file = "a.yaml", .line = 3, .column = 7 };

Test(error, keeps_kind_place_and_message)
{
    struct error err = { 0 };
    cr_expect_not(error_user(&err, &where, "unknown key '%s'", "dept"));
    cr_expect_eq(err.kind, ERROR_USER);
    cr_expect_eq(err.line, 3);
    cr_expect_eq(err.column, 7);
    cr_expect_str_eq(err.file, "a.yaml");
    cr_expect_str_eq(err.message, "unknown key 'dept'");
    cr_expect_str_eq(err.hint, "");
}

Test(error, the_first_one_wins)
{
    struct error err = { 0 };
    cr_expect_not(error_environment(&err, NULL, "disk full"));
    cr_expect_not(error_user(&err, &where, "late"));
    cr_expect_eq(err.kind, ERROR_ENVIRONMENT);
    cr_expect_str_eq(err.message, "disk full");
    cr_expect_eq(err.line, 0);
}

Test(error, the_first_hint_wins)
{
    struct error err = { 0 };
    error_user(&err, &where, "unknown key");
    cr_expect_not(error_hint(&err, "did you mean '%s'?", "depth"));
    error_hint(&err, "late");
    cr_expect_str_eq(err.hint, "did you mean 'depth'?");
}

static void check_format(const struct place *place, const char *hint, const char *expected)
{
    struct error err = { 0 };
    char text[2048];
    error_user(&err, place, "no unit");
    if (hint != NULL) {
        error_hint(&err, "%s", hint);
    }
    error_format(&err, text, sizeof(text));
    cr_expect_str_eq(text, expected);
}

Test(error, formats_what_is_known)
{
    struct place file_only = { .file = "a.yaml" };
    struct place line_only = { .line = 3 };
    check_format(&where, NULL, "a.yaml:3:7: error: no unit");
    check_format(&where, "write 40us", "a.yaml:3:7: error: no unit\n  hint: write 40us");
    check_format(&file_only, NULL, "a.yaml: error: no unit");
    check_format(&line_only, NULL, "error: no unit");
    check_format(NULL, "write 40us", "error: no unit\n  hint: write 40us");
}

/* What a user typed must not reach the terminal's controls. */
Test(error, control_characters_are_replaced)
{
    struct error err = { 0 };
    struct place place = { .file = "a\033[2J.yaml", .line = 1, .column = 1 };
    error_user(&err, &place, "key '%s'", "a\nb\x7f");
    error_hint(&err, "%s", "\rx");
    cr_expect_str_eq(err.file, "a?[2J.yaml");
    cr_expect_str_eq(err.message, "key 'a?b?'");
    cr_expect_str_eq(err.hint, "?x");
    cr_expect_not(error_user(&err, NULL, "UTF-8 stays"));
    struct error utf8 = { 0 };
    error_user(&utf8, NULL, "%s", "\xc3\xbcs");
    cr_expect_str_eq(utf8.message, "\xc3\xbcs");
}

Test(error, long_texts_are_cut)
{
    static char text[5000];
    memset(text, 'a', sizeof(text) - 1);
    struct error err = { 0 };
    struct place place = { .file = text, .line = 1, .column = 1 };
    error_user(&err, &place, "%s", text);
    error_hint(&err, "%s", text);
    cr_expect_eq(strlen(err.file), sizeof(err.file) - 1);
    cr_expect_eq(strlen(err.message), sizeof(err.message) - 1);
    cr_expect_eq(strlen(err.hint), sizeof(err.hint) - 1);
}

/* Every size from none: what fits, with its terminating zero, and not a byte behind it. */
Test(error, formats_into_any_size)
{
    struct error err = { 0 };
    error_user(&err, &where, "no unit");
    error_hint(&err, "write 40us");
    char all[256];
    error_format(&err, all, sizeof(all));
    for (size_t size = 0; size <= strlen(all) + 1; size++) {
        char text[256];
        memset(text, '#', sizeof(text));
        error_format(&err, text, size);
        cr_assert_eq(text[size], '#');
        if (size > 0) {
            cr_assert_eq(strlen(text), size - 1);
            cr_assert_eq(strncmp(text, all, size - 1), 0);
        }
    }
}
