/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a user typed is shown as is, but must not move the terminal's cursor or colour it. */
static void replace_control_characters(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if (*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
}

static bool set(struct error *err, enum error_kind kind, const struct place *where,
                const char *format, va_list arguments)
{
    if (err->kind != ERROR_NONE) {
        return false;
    }
    err->kind = kind;
    if (where != NULL) {
        err->line = where->line;
        err->column = where->column;
        snprintf(err->file, sizeof(err->file), "%s", where->file == NULL ? "" : where->file);
        replace_control_characters(err->file);
    }
    vsnprintf(err->message, sizeof(err->message), format, arguments);
    replace_control_characters(err->message);
    return false;
}

bool error_user(struct error *err, const struct place *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(err, ERROR_USER, where, format, arguments);
    va_end(arguments);
    return false;
}

bool error_environment(struct error *err, const struct place *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(err, ERROR_ENVIRONMENT, where, format, arguments);
    va_end(arguments);
    return false;
}

bool error_hint(struct error *err, const char *format, ...)
{
    if (err->hint[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(err->hint, sizeof(err->hint), format, arguments);
        va_end(arguments);
        replace_control_characters(err->hint);
    }
    return false;
}

void error_format(const struct error *err, char *text, unsigned long size)
{
    int used = 0;
    if (err->file[0] != '\0' && err->line > 0 && err->column == 0) {
        used = snprintf(text, size, "%s:%d: ", err->file, err->line);
    } else if (err->file[0] != '\0' && err->line > 0) {
        used = snprintf(text, size, "%s:%d:%d: ", err->file, err->line, err->column);
    } else if (err->file[0] != '\0') {
        used = snprintf(text, size, "%s: ", err->file);
    }
    if ((unsigned long)used < size) {
        const char *separator = err->hint[0] == '\0' ? "" : "\n  hint: ";
        snprintf(text + used, size - (unsigned long)used, "error: %s%s%s", err->message, separator,
                 err->hint);
    }
}
