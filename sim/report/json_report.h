/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one JSON document: what was run, its points, and the figures, a list of the rows of
 * rows.h. What is not known is absent.
 */
#ifndef RINGTAIL_SIM_REPORT_JSON_REPORT_H
#define RINGTAIL_SIM_REPORT_JSON_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/error.h"
#include "sim/run/result.h"

bool json_report_write(struct result *result, FILE *file, struct error *err);

#endif
