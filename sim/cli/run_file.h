/* SPDX-License-Identifier: Apache-2.0 */
/* What `run` and `check` share: experiments are loaded, and their runs made and kept. */
#ifndef RINGTAIL_SIM_CLI_RUN_FILE_H
#define RINGTAIL_SIM_CLI_RUN_FILE_H

#include "sim/cli/command.h"
#include "sim/cli/run_line.h"
#include "sim/run/result.h"

/* Told of the result of an experiment, whole or, when the runs were interrupted, in part. */
typedef enum exit_status run_file_ended(void *context, const struct experiment *experiment,
                                        struct result *result);

/* All files of the line; they are read before the first is run, so that a mistake does not show
 * after an hour. */
enum exit_status run_file_load(struct arena *arena, const struct run_line *line,
                               struct experiment *experiments);

/* Makes the runs of an experiment as the line says, keeps them where it says, and hands on the
 * result. */
enum exit_status run_file(const struct run_line *line, const struct experiment *experiment,
                          run_file_ended *ended, void *context);

#endif
