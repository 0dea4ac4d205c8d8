/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/field.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 39 }; /* of 2^127 */

static const int64_t EXACT_MAX = INT64_C(1) << 53;

json_t *field_json_of(sim_sum value)
{
    if (value <= EXACT_MAX && value >= -EXACT_MAX) {
        return json_integer((json_int_t)value);
    }
    char text[DIGITS_MAX + 2];
    char *end = text + sizeof(text) - 1;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    *end = '\0';
    for (; rest > 0; rest /= 10) {
        *--end = (char)('0' + (int)(rest % 10));
    }
    if (value < 0) {
        *--end = '-';
    }
    return json_string(end);
}

bool field_of_json(const json_t *json, sim_sum *value)
{
    if (json_is_integer(json)) {
        *value = json_integer_value(json);
        return true;
    }
    const char *text = json_string_value(json);
    size_t length = text == NULL ? 0 : strlen(text);
    /* Negative ones are small, so that they are never strings. */
    if (length == 0 || length >= DIGITS_MAX || strspn(text, "0123456789") != length) {
        return false;
    }
    sim_sum sum = 0;
    for (size_t i = 0; i < length; i++) {
        sum = sum * 10 + (text[i] - '0');
    }
    *value = sum;
    return true;
}

bool field_error(const struct field_reader *reader, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    error_user(reader->err, &reader->where, "damaged: %s", text);
    const char *hint = "results are not made for editing: run the experiment again";
    return error_hint(reader->err, "%s", reader->hint == NULL ? hint : reader->hint);
}

static const json_t *find(const struct field_reader *reader, const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (json == NULL) {
        field_error(reader, "`%s` is missing", key);
    }
    return json;
}

bool field_sum(const struct field_reader *reader, const json_t *object, const char *key,
               sim_sum min, sim_sum max, sim_sum *value)
{
    const json_t *json = find(reader, object, key);
    sim_sum read = 0;
    if (json == NULL) {
        return false;
    }
    if (!field_of_json(json, &read)) {
        return field_error(reader, "`%s` is not an integer", key);
    }
    if (read < min || read > max) {
        return field_error(reader, "`%s` is out of range", key);
    }
    *value = read;
    return true;
}

bool field_count(const struct field_reader *reader, const json_t *object, const char *key,
                 uint64_t *value)
{
    sim_sum read = 0;
    if (!field_sum(reader, object, key, 0, INT64_MAX, &read)) {
        return false;
    }
    *value = (uint64_t)read;
    return true;
}

bool field_time(const struct field_reader *reader, const json_t *object, const char *key,
                sim_time *value)
{
    sim_sum read = 0;
    if (!field_sum(reader, object, key, 0, INT64_MAX, &read)) {
        return false;
    }
    *value = (sim_time)read;
    return true;
}

bool field_bool(const struct field_reader *reader, const json_t *object, const char *key,
                bool *value)
{
    const json_t *json = find(reader, object, key);
    if (json != NULL && !json_is_boolean(json)) {
        return field_error(reader, "`%s` is not true or false", key);
    }
    *value = json_is_true(json);
    return json != NULL;
}

const char *field_text(const struct field_reader *reader, const json_t *object, const char *key)
{
    const json_t *json = find(reader, object, key);
    if (json != NULL && !json_is_string(json)) {
        field_error(reader, "`%s` is not a text", key);
        return NULL;
    }
    return json == NULL ? NULL : arena_strdup(reader->arena, json_string_value(json));
}

const json_t *field_array(const struct field_reader *reader, const json_t *object, const char *key)
{
    const json_t *json = find(reader, object, key);
    if (json != NULL && !json_is_array(json)) {
        field_error(reader, "`%s` is not a list", key);
        return NULL;
    }
    return json;
}

const json_t *field_object(const struct field_reader *reader, const json_t *object, const char *key)
{
    const json_t *json = find(reader, object, key);
    if (json != NULL && !json_is_object(json)) {
        field_error(reader, "`%s` is not an object", key);
        return NULL;
    }
    return json;
}
