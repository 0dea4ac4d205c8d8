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

/* Nothing is written when the result cannot be read to its end: false with the error. Write errors
 * are the stream's to remember. */
bool text_report_write(struct result *result, FILE *file, struct error *err);

#endif
