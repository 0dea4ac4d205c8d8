/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/config/yaml_text.h"

static const char *rewrite(struct arena *arena, const char *text)
{
    struct error err = { 0 };
    const struct node *node = yaml_parse(arena, "a.yaml", text, strlen(text), &err);
    cr_assert_not_null(node, "%s: %s", text, err.message);
    return yaml_text(arena, node);
}

Test(yaml_text, forms)
{
    static const char *const cases[][2] = {
        { "64", "64" },
        { "exponential: 40us\nplus: 2us # why", "{exponential: 40us, plus: 2us}" },
        { "- 1\n- [a, {b: c}]\n- []", "[1, [a, {b: c}], []]" },
        { "a:\nb: ''", "{a: \"\", b: \"\"}" },
        { "'a: b'", "\"a: b\"" },
        { "\"say \\\"hi\\\" \\\\ \\t\"", "\"say \\\"hi\\\" \\\\ \\x09\"" },
        { "'- a'", "\"- a\"" },
        { "' a '", "\" a \"" },
        { "caf\xc3\xa9", "\"caf\xc3\xa9\"" },
        { "1Mbit/s", "1Mbit/s" },
        { "'#5'", "\"#5\"" },
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *text = rewrite(arena, cases[i][0]);
        cr_expect_str_eq(text, cases[i][1], "%s", text);
        cr_expect_str_eq(rewrite(arena, text), text, "%s", text);
    }
    arena_destroy(arena);
}
