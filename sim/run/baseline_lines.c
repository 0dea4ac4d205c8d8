/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/baseline_lines.h"

#include <stdbool.h>
#include <string.h>

/* The end of the string that begins at `i`: behind its last quote. */
static size_t end_of_string(const char *bytes, size_t size, size_t i)
{
    for (i++; i < size && bytes[i] != '"'; i++) {
        i += bytes[i] == '\\';
    }
    return i < size ? i + 1 : size;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int baseline_line_of(const char *bytes, size_t size, const char *key, size_t item)
{
    size_t length = strlen(key);
    int line = 1;
    int depth = 0;
    bool found = false;  /* the key, and nothing of the object behind it yet */
    size_t passed = 0;   /* items of its list */
    bool begins = false; /* an item may begin here */
    for (size_t i = 0; i < size;) {
        char c = bytes[i];
        if (begins && !is_blank(c)) {
            if (passed == item) {
                return line;
            }
            begins = false;
        }
        size_t end = c == '"' ? end_of_string(bytes, size, i) : i + 1;
        if (c == '"' && depth == 1 && !found) {
            found = end - i == length + 2 && memcmp(bytes + i + 1, key, length) == 0;
            if (found && item == BASELINE_KEY) {
                return line;
            }
        }
        line += c == '\n';
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        begins = begins || (found && depth == 2 && (c == '[' || c == ','));
        passed += found && depth == 2 && c == ',';
        found = found && !(depth == 1 && (c == ',' || c == ']'));
        i = end;
    }
    return 1;
}
