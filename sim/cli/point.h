/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A point of the sweep by its number, from 1 as `ringtail plan` lists them. A task of an array job
 * takes the number from what the scheduler tells it.
 */
#ifndef RINGTAIL_SIM_CLI_POINT_H
#define RINGTAIL_SIM_CLI_POINT_H

#include "sim/config/experiment.h"

/* K, or `auto`: SLURM_ARRAY_TASK_ID as it is, for `--array=1-N`, or JOB_COMPLETION_INDEX of
 * Kubernetes, which counts from 0. */
bool point_read(const char *text, int64_t *point, struct error *err);

/* Whether the experiment has this point; 0 is all. */
bool point_check(int64_t point, const struct experiment *experiment, struct error *err);

#endif
