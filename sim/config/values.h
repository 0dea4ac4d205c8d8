/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of times that distributions take their values from, as written in an experiment:
 *
 *   [1ms, 2ms, 1.5ms]                          in the experiment itself
 *   service.txt                                a file with one time a line, `40us`; what follows
 *                                              a `#` is a comment
 *   {file: trace.csv, column: service_us}      a column of a table (csv.h); a bare number has the
 *                                              unit that the column's name ends with
 *
 * A file is read once for an experiment, when the experiment is loaded; runs only look it up.
 */
#ifndef RINGTAIL_SIM_CONFIG_VALUES_H
#define RINGTAIL_SIM_CONFIG_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/time.h"
#include "sim/config/yaml.h"

#define VALUES_BYTES_MAX ((size_t)32 << 20) /* of a file */

enum { VALUES_MAX = 1000000, VALUES_FILES_MAX = 256 };

/* At least one time, each of 0 .. SIM_DURATION_MAX. */
struct value_list {
    const char *path;   /* of the file; NULL: written in the experiment */
    const char *column; /* of a table; NULL: one time a line */
    const sim_time *times;
    size_t count;
};

/* The files of an experiment. */
struct values {
    struct arena *arena;
    struct value_list files[VALUES_FILES_MAX];
    size_t count;
    bool complete; /* no more will be read: threads may look up */
};

struct values *values_create(struct arena *arena);

/* The list that a node stands for; those of files live as long as `values`, the others in `arena`.
 * `what` begins messages: "`sequence`". */
bool values_find(struct values *values, struct arena *arena, const struct node *node,
                 const char *what, struct value_list *list, struct error *err);

#endif
