/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory as a file server reads it, an entry at a time: files named by a fixed part and
 * a number, the highest first, then `.` and `..`. Without an index, as in QEMU's in-memory test
 * driver, finding entry i walks over the i entries before it.
 */
#ifndef RINGTAIL_SIM_ENGINE_DIRECTORY_H
#define RINGTAIL_SIM_ENGINE_DIRECTORY_H

#include "sim/base/arena.h"
#include "sim/engine/param.h"
#include "sim/engine/report.h"

enum {
    DIRECTORY_FILES_MAX = 1000000,
    DIRECTORY_NAME_MAX = 240, /* of the fixed part: with a number 255 is not passed */
};

struct directory {
    /* Parameters. */
    int64_t files;
    int64_t name; /* length of the fixed part */
    sim_time read;
    bool nsquare;
    sim_time step;
    /* The directory's own. */
    int64_t count;         /* of entries */
    int64_t *bytes_before; /* [i]: what the entries 0 .. i - 1 take in replies */
    int64_t visits;        /* of walks */
    int64_t replies;
    int64_t entries; /* in them */
    int64_t bytes;   /* and what they take there */
};

/* The five lines of a parameter table. */
#define PARAMS_DIRECTORY(type, field)                                                              \
    PARAM_COUNT(type, field.files, .name = "files", .max = DIRECTORY_FILES_MAX, .preset = 2000,    \
                .doc = "Files of the directory; `.` and `..` are entries too."),                   \
        PARAM_COUNT(type, field.name, .name = "name", .max = DIRECTORY_NAME_MAX, .preset = 11,     \
                    .doc = "Characters of a file's name before its number."),                      \
        PARAM_TIME(type, field.read, .name = "read", .max = 100 * SIM_MS, .preset = 770 * SIM_NS,  \
                   .doc = "Worker time to read an entry, and to copy it."),                        \
        PARAM_BOOL(type, field.nsquare, .name = "nsquare",                                         \
                   .doc = "Entry i is found by a walk over the i entries before it."),             \
        PARAM_TIME(type, field.step, .name = "step", .max = SIM_US, .preset = 4 * SIM_NS,          \
                   .doc = "With nsquare: worker time to walk over an entry.")

/* An entry takes its name and `overhead_bytes` in a reply. Returns what the largest takes. */
int64_t directory_init(struct directory *directory, int64_t overhead_bytes, struct arena *arena);

/* Whether there is an entry at `next`, and room for those from `first` up to it. */
bool directory_goes_on(const struct directory *directory, int64_t first, int64_t next,
                       int64_t room_bytes);

/* Time to read the entry at this position; at the end of the directory only the walk. */
sim_time directory_read(struct directory *directory, int64_t position);

/* A reply has the entries from `first` up to, not including, `end`. */
void directory_replied(struct directory *directory, int64_t first, int64_t end);

void directory_report(const struct directory *directory, struct report *report);

#endif
