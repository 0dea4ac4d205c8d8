/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of a run as one JSON object: how it is written, and read with every identity checked,
 * so that what was changed by hand or by a broken disk does not go into a report.
 */
#ifndef RINGTAIL_SIM_RUN_RECORD_JSON_H
#define RINGTAIL_SIM_RUN_RECORD_JSON_H

#include "sim/run/field.h"
#include "sim/run/result.h"

json_t *record_json_of_run(const struct experiment *experiment, const struct run_result *run);

/* Reads into the reader's arena; NULL with the error. */
const struct run_result *record_json_run(const struct field_reader *reader,
                                         const struct experiment *experiment, const json_t *json);

#endif
