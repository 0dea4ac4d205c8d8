/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of an experiment where they are: lines of files, each read when it is needed. One
 * mechanism for a run under way, one that goes on after a break, shards that are merged, and a
 * report from a file:
 *
 *   sources: FILE.part, results, a nameless file --> places: which record is where --> result
 *
 * A store has one experiment hash, and one record a run; equal ones collapse.
 */
#ifndef RINGTAIL_SIM_RUN_RESULT_STORE_H
#define RINGTAIL_SIM_RUN_RESULT_STORE_H

#include "sim/run/result.h"
#include "sim/run/result_source.h"

enum { RESULT_SOURCES_MAX = 1024 };

struct record_place {
    size_t source; /* from 1; 0: the run has not finished */
    struct line line;
};

struct result_store {
    struct arena *arena;
    struct result_source sources[RESULT_SOURCES_MAX];
    size_t source_count;
    const struct experiment *experiment; /* as read from a header */
    const struct header *header;
    struct record_place *places; /* by point, variant, repeat */
    size_t place_count;
    size_t finished;
    struct result_totals totals;
    const struct run_result *first; /* any finished run: all have the same loads and counters */
};

/* Creates a store of the runs that the source's header names. The source becomes the store's. */
struct result_store *result_store_create(struct result_source *source);

/* A file, read and checked whole; NULL with the error. */
struct result_store *result_store_open(const char *path, struct error *err);

void result_store_destroy(struct result_store *store); /* NULL is allowed */

/* Adds a source, which becomes the store's: of the same experiment hash and version. */
bool result_store_add(struct result_store *store, struct result_source *source, struct error *err);

/* Checks and enters all records of the sources; those of repeats that the experiment has no more
 * are left out. Once. */
bool result_store_scan(struct result_store *store, struct error *err);

/* Appends a run that has ended to the first source. */
bool result_store_append(struct result_store *store, const struct run_result *run,
                         struct error *err);

bool result_store_has(const struct result_store *store, struct run_key key);

/* Writes all records, sorted, as a file of their own. */
bool result_store_write(struct result_store *store, const char *path, struct error *err);

/* A run that has finished, in the arena; NULL with the error. */
const struct run_result *result_store_load(struct result_store *store, struct arena *arena,
                                           struct run_key key, struct error *err);

/* The result for a report; result_load_point brings in the runs of a point. */
struct result result_of_store(struct arena *arena, struct result_store *store);

#endif
