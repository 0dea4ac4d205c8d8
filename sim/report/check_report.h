/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a check found, in the forms that people and services read: a table for the log, JUnit XML
 * for a CI's test view, Markdown for a pull request, and benchmark JSON, which
 * github-action-benchmark calls customSmallerIsBetter.
 */
#ifndef RINGTAIL_SIM_REPORT_CHECK_REPORT_H
#define RINGTAIL_SIM_REPORT_CHECK_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "sim/run/finding.h"
#include "sim/run/result.h"

/* The findings of one experiment. */
struct check_section {
    const char *file;
    const char *title;
    struct findings findings;
    const char *const *notes; /* differences from the baseline, and the like */
    size_t note_count;
};

/* `passed`, `improved`, `inconclusive`, `FAILED`. */
const char *check_outcome_word(enum outcome outcome);

void check_report_text(const struct check_section *section, FILE *file);

/* A testsuite each; inconclusive ones are errors, unless `inconclusive_passes`: then skipped. */
void check_report_junit(const struct check_section *sections, size_t count,
                        bool inconclusive_passes, FILE *file);

void check_report_markdown(const struct check_section *sections, size_t count, FILE *file);

/* Appends the latencies and the time per request of a result: smaller is better in all of them. */
bool check_report_benchmark(struct result *result, json_t *list, struct error *err);

#endif
