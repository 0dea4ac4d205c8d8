/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the records of runs under way go: FILE.part, to which each is appended when its run ends,
 * so that a run that is broken off has lost no finished one. At the end the records become FILE,
 * sorted, and FILE.part is gone. Without a FILE the records go to a nameless file.
 */
#ifndef RINGTAIL_SIM_RUN_SPOOL_H
#define RINGTAIL_SIM_RUN_SPOOL_H

#include "sim/run/result_store.h"

struct spool {
    const char *path; /* FILE; NULL: none is asked for */
    const char *part; /* NULL: nameless */
    struct result_store *store;
};

/* With `resume`, begins with the records of FILE.part and FILE, where there are such; else there
 * may be no FILE.part. `path` may be NULL. */
bool spool_begin(struct arena *arena, const struct experiment *experiment, const char *path,
                 bool resume, struct spool *spool, struct error *err);

/* From here on the experiment has fewer repeats than the spool was begun for; FILE.part stays as it
 * is until FILE is made. */
bool spool_settle(struct spool *spool, const struct experiment *experiment, struct error *err);

/* All that was to be run has been: makes FILE. */
bool spool_finish(struct spool *spool, struct error *err);

/* Lets go of the store; FILE.part stays for --resume if there is a record in it. */
void spool_end(struct spool *spool);

#endif
