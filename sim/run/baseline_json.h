/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A baseline as a file that is kept beside its experiment under version control: one JSON document,
 * sorted, with a line for each parameter, each figure and each account of phases, and nothing of
 * the day or the machine, so that a difference of two reads as what has changed.
 */
#ifndef RINGTAIL_SIM_RUN_BASELINE_JSON_H
#define RINGTAIL_SIM_RUN_BASELINE_JSON_H

#include "sim/run/baseline.h"

#define BASELINE_FORMAT "ringtail baseline"

enum { BASELINE_VERSION = 1 };

/* Writes it whole or not at all. */
bool baseline_json_write(const struct baseline *baseline, const char *path, struct error *err);

/* Reads a baseline into the arena; errors name the line. */
bool baseline_json_read(struct arena *arena, const char *path, struct baseline *baseline,
                        struct error *err);

/* The same from a result: what the experiment gave then. */
bool baseline_of_result(struct arena *arena, const char *path, struct baseline *baseline,
                        struct error *err);

/* Either of them, as the first line says. */
bool baseline_open(struct arena *arena, const char *path, struct baseline *baseline,
                   struct error *err);

#endif
