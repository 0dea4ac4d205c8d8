/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>

#include "sim/engine/report.h"

static void fill(struct report *report, int64_t served, int64_t longest)
{
    *report = (struct report){ .owner = "disk" };
    report_count(report, "served", served);
    report->owner = "queue";
    report_level(report, "longest", longest);
    report_time(report, "full", 2 * served);
}

Test(report, counts_and_times_are_differences_and_levels_are_not)
{
    static struct report before;
    static struct report after;
    fill(&before, 10, 7);
    fill(&after, 25, 5);
    report_subtract(&after, &before);
    cr_assert_eq(after.count, 3);
    cr_expect_eq(after.entries[0].value, 15);
    cr_expect_eq(after.entries[1].value, 5);
    cr_expect_eq(after.entries[2].value, 30);
    cr_expect_str_eq(after.entries[0].owner, "disk");
    cr_expect_str_eq(after.entries[1].owner, "queue");
    cr_expect_str_eq(after.entries[1].name, "longest");
    cr_expect_eq(after.entries[0].kind, REPORT_COUNT);
    cr_expect_eq(after.entries[1].kind, REPORT_LEVEL);
    cr_expect_eq(after.entries[2].kind, REPORT_TIME);
}

Test(report, other_entries_are_a_programmers_mistake, .signal = SIGABRT)
{
    static struct report before;
    static struct report after;
    fill(&after, 25, 5);
    report_subtract(&after, &before);
}

Test(report, holds_so_many_entries)
{
    static struct report report;
    for (int i = 0; i < REPORT_ENTRIES_MAX; i++) {
        report_count(&report, "n", i);
    }
    cr_expect_eq(report.count, REPORT_ENTRIES_MAX);
}

Test(report, and_no_more, .signal = SIGABRT)
{
    static struct report report;
    for (int i = 0; i <= REPORT_ENTRIES_MAX; i++) {
        report_count(&report, "n", i);
    }
}
