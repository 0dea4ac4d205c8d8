/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a stage or a cpu counted, by name. Counts and times are read twice, when the warm-up ends
 * and when the run ends, and the difference is reported; a level (most held, longest queue) or
 * a span (longest held) is reported as it is at the end.
 */
#ifndef RINGTAIL_SIM_ENGINE_REPORT_H
#define RINGTAIL_SIM_ENGINE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/time.h"

enum { REPORT_ENTRIES_MAX = 2048 }; /* 64 stages of 31 each, and 64 cpus */

enum report_kind {
    REPORT_COUNT, /* of events, shown per second */
    REPORT_LEVEL, /* shown as it is */
    REPORT_TIME,  /* picoseconds in some state, shown as a share of the window */
    REPORT_SPAN,  /* a level that is a time */
};

struct report_entry {
    const char *owner; /* stage or cpu */
    const char *name;
    int64_t value;
    enum report_kind kind;
};

struct report {
    const char *owner; /* of what is added next */
    struct report_entry entries[REPORT_ENTRIES_MAX];
    size_t count;
};

/* `name` outlives the report. */
void report_count(struct report *report, const char *name, int64_t value);
void report_level(struct report *report, const char *name, int64_t value);
void report_time(struct report *report, const char *name, int64_t value);
void report_span(struct report *report, const char *name, sim_time value);

/* Takes the counts of `before` off; both were filled by the same calls. */
void report_subtract(struct report *report, const struct report *before);

#endif
