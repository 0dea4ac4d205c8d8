/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the runs that a command line asks for, into a spool: tells the progress, stops at Ctrl-C,
 * and makes more repeats as long as `until` of the experiment is not reached.
 */
#ifndef RINGTAIL_SIM_CLI_MAKE_RUNS_H
#define RINGTAIL_SIM_CLI_MAKE_RUNS_H

#include "sim/cli/run_line.h"
#include "sim/run/spool.h"

/* Begins the spool for the result `path` (NULL: none is kept) and fills it. `*interrupted` when
 * runs are missing; else the spool is ready to be finished. False with the error, and then the
 * spool is ended. */
bool make_runs(struct arena *arena, const struct run_line *line,
               const struct experiment *experiment, const char *path, struct spool *spool,
               bool *interrupted, struct error *err);

#endif
