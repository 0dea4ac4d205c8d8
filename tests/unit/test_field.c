/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/run/field.h"

static sim_sum there_and_back(sim_sum value, bool *is_text)
{
    json_t *json = field_json_of(value);
    sim_sum back = 0;
    cr_assert(field_of_json(json, &back));
    *is_text = json_is_string(json);
    json_decref(json);
    return back;
}

Test(field, integers_beyond_2_to_53_are_texts)
{
    const sim_sum two_53 = (sim_sum)1 << 53;
    const sim_sum values[] = {
        0,          1,         -1,      two_53 - 1,        two_53,
        two_53 + 1, INT64_MAX, -two_53, (sim_sum)1 << 100, ((sim_sum)1 << 126) - 1,
    };
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        bool is_text;
        cr_expect(there_and_back(values[i], &is_text) == values[i]);
        cr_expect_eq(is_text, values[i] > two_53);
    }
}

static bool accepts(const char *text)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    sim_sum value = 77;
    bool accepted = field_of_json(json, &value);
    json_decref(json);
    return accepted;
}

Test(field, what_is_no_integer_is_refused)
{
    const char *const bad[] = {
        "1.0",  "true",   "null",    "[]",     "{}",
        "\"\"", "\"-1\"", "\"1e3\"", "\" 1\"", "\"123456789012345678901234567890123456789\""
    };
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        cr_expect_not(accepts(bad[i]), "%s", bad[i]);
    }
    cr_expect(accepts("\"12345678901234567890123456789012345678\""));
    cr_expect_not(field_of_json(NULL, &(sim_sum){ 0 }));
}

Test(field, errors_name_the_field_and_the_line)
{
    struct arena *arena = arena_create();
    struct error error = { 0 };
    const struct field_reader reader = { arena, { "r.jsonl", 7, 0 }, &error, NULL };
    json_t *json = json_loads("{\"a\":1,\"t\":\"x\",\"b\":true,\"n\":-1}", 0, NULL);
    uint64_t count = 77;
    bool flag = false;
    cr_expect(field_count(&reader, json, "a", &count) && count == 1);
    cr_expect(field_bool(&reader, json, "b", &flag) && flag);
    cr_expect_str_eq(field_text(&reader, json, "t"), "x");
    cr_expect_not(field_count(&reader, json, "missing", &count));
    cr_expect(strstr(error.message, "`missing`") != NULL && error.line == 7 && count == 1);
    error = (struct error){ 0 };
    cr_expect_not(field_count(&reader, json, "n", &count));
    cr_expect(strstr(error.message, "`n` is out of range") != NULL);
    cr_expect_null(field_text(&reader, json, "a"));
    cr_expect_null(field_array(&reader, json, "a"));
    cr_expect_null(field_object(&reader, json, "a"));
    cr_expect_not(field_bool(&reader, json, "a", &flag));
    json_decref(json);
    arena_destroy(arena);
}
