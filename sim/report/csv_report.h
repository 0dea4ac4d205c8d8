/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as a table of one number a line (RFC 4180, but for plain line ends), the first line
 * naming the columns:
 *
 *   point                  number of the point, from 0
 *   one a swept parameter  its value as written, `64`
 *   variant, load          the load is empty for what belongs to the run
 *   versus                 of a comparison: the variant that it is compared with
 *   metric, value, unit    rows.h
 *   low, high              95 % interval, empty where there is none
 *   measured               of the real system
 *   note                   few, at_least, growing, drifting; same, lower, higher, unclear
 */
#ifndef RINGTAIL_SIM_REPORT_CSV_REPORT_H
#define RINGTAIL_SIM_REPORT_CSV_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/error.h"
#include "sim/run/result.h"

bool csv_report_write(struct result *result, FILE *file, struct error *err);

#endif
