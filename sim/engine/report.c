/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/report.h"

#include <assert.h>

static void add(struct report *report, const char *name, int64_t value, enum report_kind kind)
{
    assert(report->count < REPORT_ENTRIES_MAX);
    report->entries[report->count++] = (struct report_entry){ report->owner, name, value, kind };
}

void report_count(struct report *report, const char *name, int64_t value)
{
    add(report, name, value, REPORT_COUNT);
}

void report_level(struct report *report, const char *name, int64_t value)
{
    add(report, name, value, REPORT_LEVEL);
}

void report_time(struct report *report, const char *name, int64_t value)
{
    add(report, name, value, REPORT_TIME);
}

void report_span(struct report *report, const char *name, sim_time value)
{
    add(report, name, value, REPORT_SPAN);
}

void report_subtract(struct report *report, const struct report *before)
{
    assert(report->count == before->count);
    for (size_t i = 0; i < report->count; i++) {
        enum report_kind kind = report->entries[i].kind;
        if (kind == REPORT_COUNT || kind == REPORT_TIME) {
            report->entries[i].value -= before->entries[i].value;
        }
    }
}
