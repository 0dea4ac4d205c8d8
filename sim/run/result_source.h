/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of lines of which any can be read again: the header of a result and its records. A pipe is
 * copied to a temporary file first.
 */
#ifndef RINGTAIL_SIM_RUN_RESULT_SOURCE_H
#define RINGTAIL_SIM_RUN_RESULT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/run/header_json.h"

#define RESULT_LINE_BYTES_MAX ((size_t)64 << 20)

/* A line without its end. */
struct line {
    uint64_t offset;
    size_t size;
    int number; /* from 1 */
};

enum source_use {
    SOURCE_READ,
    SOURCE_BROKEN_OFF, /* read what a run left that was broken off: a cut last line is no error, and
                          without a whole first one there is no header.experiment */
    SOURCE_APPEND,
};

struct result_source {
    const char *name;
    struct arena *arena; /* of the buffer and the header */
    FILE *stream;
    enum source_use use;
    char *bytes;
    size_t capacity;
    uint64_t end; /* of the last whole line */
    int lines;    /* whole ones */
    struct header header;
    struct line first; /* the header's */
};

/* Opens a result and reads its header. Closed by result_source_close. */
bool result_source_open(const char *path, enum source_use use, struct result_source *source,
                        struct error *err);

/* Opens a result to be read; one called `*.part` may be broken off after its first line. */
bool result_source_open_any(const char *path, struct result_source *source, struct error *err);

/* Begins an empty one with the experiment's header: a file that does not exist yet, or with NULL a
 * nameless one. */
bool result_source_create(const char *path, const struct experiment *experiment,
                          struct result_source *source, struct error *err);

/* A zeroed one may be closed too. */
void result_source_close(struct result_source *source);

enum source_line {
    SOURCE_LINE,
    SOURCE_CUT, /* the last line has no end */
    SOURCE_END,
    SOURCE_FAILED, /* with the error: too long, or unreadable */
};

/* Steps to the next line, whose bytes are at source->bytes until the next call; a zeroed one stands
 * before the first. */
enum source_line result_source_next(struct result_source *source, struct line *line,
                                    struct error *err);

/* The bytes of a line, until the next call. NULL with the error. */
const char *result_source_line(struct result_source *source, const struct line *line,
                               struct error *err);

/* Appends a JSON object, which is consumed, behind the last whole line. It is in the file when this
 * returns; on failure nothing of it is. */
bool result_source_append(struct result_source *source, json_t *json, struct line *line,
                          struct error *err);

#endif
