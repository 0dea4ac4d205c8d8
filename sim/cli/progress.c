/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static int64_t interval_ns(const struct progress *progress)
{
    return progress->on_terminal ? SECOND_NS / 5 : 10 * SECOND_NS;
}

static void write_line(const struct progress *progress, size_t done, int64_t passed_ns)
{
    char rate[64] = "";
    int64_t shown_s = passed_ns / SECOND_NS;
    if (done > 0) {
        double per_second = (double)done * (double)SECOND_NS / (double)(passed_ns + 1);
        shown_s = (int64_t)((double)(progress->count - done) / per_second);
        snprintf(rate, sizeof(rate), ", %.3g/s", per_second);
    }
    fprintf(stderr, "%s%zu of %zu runs%s, %" PRId64 ":%02d %s%s", progress->on_terminal ? "\r" : "",
            done, progress->count, rate, shown_s / 60, (int)(shown_s % 60),
            done > 0 ? "left" : "so far", progress->on_terminal ? "\033[K" : "\n");
}

void progress_start(struct progress *progress, size_t count)
{
    bool on_terminal = isatty(STDERR_FILENO) == 1;
    *progress =
        (struct progress){ .on_terminal = on_terminal, .count = count, .begun_ns = now_ns() };
    progress->due_ns = progress->begun_ns + (on_terminal ? 0 : interval_ns(progress));
    progress_tick(progress);
}

void progress_step(struct progress *progress)
{
    progress->done++;
    progress_tick(progress);
}

void progress_tick(struct progress *progress)
{
    int64_t now = now_ns();
    int64_t due = progress->due_ns;
    size_t done = progress->done;
    /* Of several threads one takes the turn. */
    if (now >= due && done < progress->count &&
        atomic_compare_exchange_strong(&progress->due_ns, &due, now + interval_ns(progress))) {
        write_line(progress, done, now - progress->begun_ns);
    }
}

void progress_clear(const struct progress *progress)
{
    if (progress->on_terminal) {
        fprintf(stderr, "\r\033[K");
    }
}
