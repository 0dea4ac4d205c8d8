/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a parameter table in words, for help, the documentation and the schema. */
#ifndef RINGTAIL_SIM_CLI_PARAM_TEXT_H
#define RINGTAIL_SIM_CLI_PARAM_TEXT_H

#include <stddef.h>

#include "sim/engine/model.h"

enum { PARAM_TEXT_BYTES = 128 };

/* "time or distribution" */
const char *param_text_kind(const struct param *param);

/* "1 to 64" or "at least 1"; empty where the range is the widest that the kind has. */
void param_text_range(const struct param *param, char *text);

/* The preset as it would be written, `none` for a cpu, or what it follows from in words; empty
 * where the value is required. */
void param_text_default(const struct param *param, char *text);

/* What a model counts, as its report names it, in `report`. */
void param_text_counters(const struct model *model, struct report *report);

#endif
