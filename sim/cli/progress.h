/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the runs are: one line on a terminal that is written over, else a line every 10 seconds,
 * so that what ends sooner says nothing.
 */
#ifndef RINGTAIL_SIM_CLI_PROGRESS_H
#define RINGTAIL_SIM_CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool on_terminal;
    size_t count;
    int64_t begun_ns;
    _Atomic size_t done;
    _Atomic int64_t due_ns; /* of the next line */
};

void progress_start(struct progress *progress, size_t count);

/* A run has ended. */
void progress_step(struct progress *progress);

/* Writes a line if it is time to. Any thread may ask, often. */
void progress_tick(struct progress *progress);

void progress_clear(const struct progress *progress);

#endif
