/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user's mistake, with the place where it was made and what to write instead. Functions that can
 * meet one return bool and take a `struct error *` last; the first error wins; outputs stay
 * untouched. Only the command line prints it. A programmer's mistake is an assert.
 */
#ifndef RINGTAIL_SIM_BASE_ERROR_H
#define RINGTAIL_SIM_BASE_ERROR_H

#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_USER,        /* usage, experiment or trace: exit status 2 */
    ERROR_ENVIRONMENT, /* disk, memory: exit status 4 */
};

/* Where in the user's input; line and column count from 1, 0 where unknown. `file` may be NULL. */
struct place {
    const char *file;
    int line;
    int column;
};

/* Zero it before use. Texts are cut at their buffers' ends and are free of control characters. */
struct error {
    enum error_kind kind;
    int line;
    int column;
    char file[512];
    char message[512];
    char hint[512];
};

/* Both return false, so that a caller can `return error_user(...)`. `where` may be NULL. */
bool error_user(struct error *err, const struct place *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_environment(struct error *err, const struct place *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds what to do instead to the error just set; has no effect when there is a hint already.
 * Returns false. */
bool error_hint(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes `file:line:column: error: message` and, on a line of its own, the hint. At most `size`
 * bytes with the terminating zero. */
void error_format(const struct error *err, char *text, unsigned long size);

#endif
