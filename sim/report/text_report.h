/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report for the terminal: a block a point with a row a variant, the measured figures and the
 * error beside the simulated ones, the comparison in words; then where the slowest spent their
 * time, and what it cost.
 */
#ifndef RINGTAIL_SIM_REPORT_TEXT_REPORT_H
#define RINGTAIL_SIM_REPORT_TEXT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/run/result.h"

/* `quick` says so in the head: the lengths are not those of the file. Write errors are the stream's
 * to remember. */
void text_report_write(const struct result *result, bool quick, FILE *file);

#endif
