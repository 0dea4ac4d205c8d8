/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of the engine share: an engine with a stack that does nothing by itself, stages to
 * hang events and items on, and a log of what happened when.
 */
#ifndef RINGTAIL_TESTS_UNIT_MACHINE_H
#define RINGTAIL_TESTS_UNIT_MACHINE_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "sim/engine/stack.h"

enum { LOG_MAX = 4096 };

/* What happened: a letter and when. */
struct log {
    char letters[LOG_MAX + 1];
    sim_time times[LOG_MAX];
    size_t count;
};

static inline void log_add(struct log *log, char letter, sim_time when)
{
    cr_assert_lt(log->count, LOG_MAX);
    log->times[log->count] = when;
    log->letters[log->count++] = letter;
}

/* "a10 b20": letters and times in nanoseconds; a time with a rest gets a +. */
static inline void log_check(const struct log *log, const char *expected)
{
    static char text[16 * LOG_MAX];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < log->count; i++) {
        length += (size_t)snprintf(
            text + length, sizeof(text) - length, "%s%c%lld%s", i > 0 ? " " : "", log->letters[i],
            (long long)(log->times[i] / SIM_NS), log->times[i] % SIM_NS != 0 ? "+" : "");
    }
    cr_expect_str_eq(text, expected, "happened: %s, expected: %s", text, expected);
}

/* Runs the events up to `until`. */
static inline void run_until(struct engine *engine, sim_time until)
{
    struct event event;
    while (event_list_pop(&engine->events, until, &event)) {
        stage_enter(event.stage, event.req, event.handler);
    }
}

#endif
