/* SPDX-License-Identifier: Apache-2.0 */
/* One line on a terminal that says how far the runs are; nothing where stderr is none. */
#ifndef RINGTAIL_SIM_CLI_PROGRESS_H
#define RINGTAIL_SIM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct progress {
    bool shown; /* stderr is a terminal */
    size_t done;
    size_t count;
    struct timespec begun;
};

void progress_start(struct progress *progress, size_t count);
void progress_step(struct progress *progress);
void progress_clear(const struct progress *progress);

#endif
