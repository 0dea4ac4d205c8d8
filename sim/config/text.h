/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text file, whole in memory: read within a bound whatever the path names (a pipe, a device, a
 * folder), and checked to be UTF-8 before anything looks at it.
 */
#ifndef RINGTAIL_SIM_CONFIG_TEXT_H
#define RINGTAIL_SIM_CONFIG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

/* `bytes` need no terminating zero. */
struct text {
    const char *name; /* what messages call it */
    const char *bytes;
    size_t size;
};

/* Reads at most `size_max` bytes; more are a user's error, and so are a path that is missing, a
 * folder or not readable; what the system failed at is the environment's. */
bool text_read(struct arena *arena, const char *path, size_t size_max, struct text *text,
               struct error *err);

/* Sets the error for what the system said when a file was opened or read: a path that cannot be is
 * the user's, all else the environment's. Returns false. */
bool text_error(int code, const char *path, struct error *err);

/* Steps over a byte order mark of UTF-8. */
void text_skip_mark(struct text *text);

/* True if it is UTF-8 and has no characters but those that YAML prints (tabs and line ends are
 * among them); else the error names the first place that is not. */
bool text_check(const struct text *text, struct error *err);

/* The line counted from 1, without its end, in `*length` bytes; NULL past the last. Lines end at
 * LF, CR LF or CR. */
const char *text_line(const struct text *text, int line, size_t *length);

#endif
