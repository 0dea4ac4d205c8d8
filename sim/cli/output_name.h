/* SPDX-License-Identifier: Apache-2.0 */
/* What a result is called that the user has not named: the same for the same part of the runs. */
#ifndef RINGTAIL_SIM_CLI_OUTPUT_NAME_H
#define RINGTAIL_SIM_CLI_OUTPUT_NAME_H

#include "sim/cli/run_line.h"

/* -o FILE as it is; of a part of the runs without -o, and in a folder that -o names, the file's
 * name with its part: `read.jsonl`, `read.point-0003-of-0128.jsonl`, `read.shard-2-of-7.jsonl`.
 * NULL: none is kept. */
const char *output_name(struct arena *arena, const struct run_line *line,
                        const struct experiment *experiment);

#endif
