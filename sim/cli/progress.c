/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_start(struct progress *progress, size_t count)
{
    *progress = (struct progress){ .shown = isatty(STDERR_FILENO) == 1, .count = count };
    clock_gettime(CLOCK_MONOTONIC, &progress->begun);
    if (progress->shown && count > 0) {
        fprintf(stderr, "0 of %zu runs", count);
    }
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + (double)(now.tv_nsec - begun->tv_nsec) * 1e-9;
}

void progress_step(struct progress *progress)
{
    progress->done++;
    if (!progress->shown) {
        return;
    }
    double passed = seconds_since(&progress->begun);
    double rate = (double)progress->done / (passed > 1e-3 ? passed : 1e-3);
    double left = (double)(progress->count - progress->done) / rate;
    fprintf(stderr, "\r%zu of %zu runs, %.3g/s, %.0f:%02d left\033[K", progress->done,
            progress->count, rate, (double)(long)(left / 60), (int)((long)left % 60));
}

void progress_clear(const struct progress *progress)
{
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
    }
}
