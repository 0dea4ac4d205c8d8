/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/time.h"
#include "sim/config/suggest.h"

static const char *const names[] = { "depth", "size", "submit", "wait_for", "op", "cpu", "batch" };

static const char *closest(const char *word)
{
    struct suggest suggest;
    suggest_start(&suggest, word);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        suggest_offer(&suggest, names[i]);
    }
    return suggest.best == NULL ? "" : suggest.best;
}

Test(suggest, finds_the_closest)
{
    cr_expect_str_eq(closest("dept"), "depth");           /* insertion */
    cr_expect_str_eq(closest("deppth"), "depth");         /* deletion */
    cr_expect_str_eq(closest("dehpt"), "depth");          /* one swap and one more */
    cr_expect_str_eq(closest("deptj"), "depth");          /* substitution */
    cr_expect_str_eq(closest("siez"), "size");            /* a swap is one step */
    cr_expect_str_eq(closest("DEPTH"), "depth");          /* case costs nothing */
    cr_expect_str_eq(closest("waiting_for"), "wait_for"); /* three steps, a long word */
    cr_expect_str_eq(closest("subm"), "");                /* two steps, a short word */
    cr_expect_str_eq(closest("sbumti"), "submit");
    cr_expect_str_eq(closest("x"), ""); /* every one-letter word would be close */
    cr_expect_str_eq(closest("xy"), "");
    cr_expect_str_eq(closest("po"), "op");
    cr_expect_str_eq(closest(""), "");
    cr_expect_str_eq(closest("throughput"), "");
}

Test(suggest, the_first_of_equals_wins)
{
    struct suggest suggest;
    suggest_start(&suggest, "p90");
    suggest_offer(&suggest, "p50");
    suggest_offer(&suggest, "p99");
    cr_expect_str_eq(suggest.best, "p50");
}

Test(suggest, long_words_are_close_to_nothing)
{
    char word[1000];
    memset(word, 'a', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    cr_expect_str_eq(closest(word), "");
    struct suggest suggest;
    suggest_start(&suggest, "aaaaaaaaaa");
    suggest_offer(&suggest, word);
    cr_expect_null(suggest.best);
    word[64] = '\0';
    suggest_start(&suggest, word);
    word[63] = '\0';
    suggest_offer(&suggest, word);
    cr_expect_not_null(suggest.best);
}

static void expect_hint(const char *word, size_t count, const char *expected)
{
    struct suggest suggest;
    struct error err = { 0 };
    suggest_start(&suggest, word);
    for (size_t i = 0; i < count; i++) {
        suggest_offer(&suggest, names[i]);
    }
    error_user(&err, NULL, "unknown parameter `%s`", word);
    cr_expect_not(suggest_hint(&suggest, "parameters", &err));
    cr_expect_str_eq(err.hint, expected, "%s", err.hint);
}

Test(suggest, hints)
{
    expect_hint("dept", 3, "did you mean `depth`?");
    expect_hint("colour", 3, "the parameters are `depth`, `size`, `submit`");
    expect_hint("colour", 0, "there are no parameters");
}

Test(suggest, the_list_is_bounded)
{
    struct suggest suggest;
    struct error err = { 0 };
    suggest_start(&suggest, "colour");
    for (int i = 0; i < 1000; i++) {
        suggest_offer(&suggest, "a_name_of_twenty_six_chars");
        suggest_offer(&suggest, "b");
    }
    error_user(&err, NULL, "unknown");
    suggest_hint(&suggest, "names", &err);
    const char *tail = strstr(err.hint, " and ");
    cr_assert_not_null(tail, "%s", err.hint);
    cr_expect_str_eq(tail, " and 1986 more", "%s", err.hint);
    cr_expect_lt(strlen(err.hint), sizeof(err.hint) - 100);
}
