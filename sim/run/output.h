/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is there whole or not at all: written under a temporary name beside it and renamed at
 * the end. What is no regular file (a device, a pipe) is written to directly.
 */
#ifndef RINGTAIL_SIM_RUN_OUTPUT_H
#define RINGTAIL_SIM_RUN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

struct output {
    const char *path;
    const char *temporary; /* NULL: direct */
    FILE *stream;
};

/* Whether the path names what can be replaced: a regular file, or nothing yet. */
bool output_is_replaceable(const char *path);

bool output_open(struct arena *arena, const char *path, struct output *output, struct error *err);

/* Closes it and gives it its name. On failure nothing of it is left. */
bool output_commit(struct output *output, struct error *err);

/* Sets the error for what the system said to opening or writing: a path that cannot be is the
 * user's, all else the environment's. Returns false. */
bool output_error(const char *path, int code, struct error *err);

/* Closes it and removes it. */
void output_abandon(struct output *output);

#endif
