/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment written back as text: to be kept with its result, and to know whether two results
 * are of the same experiment.
 */
#ifndef RINGTAIL_SIM_CONFIG_EXPERIMENT_TEXT_H
#define RINGTAIL_SIM_CONFIG_EXPERIMENT_TEXT_H

#include "sim/config/experiment.h"

enum { EXPERIMENT_HASH_BYTES = 33 }; /* 32 hexadecimal digits and a zero */

/* The document on one line, with what it extends and without `measured`, whose files may be gone
 * when it is read again. */
const char *experiment_text(struct arena *arena, const struct experiment *experiment);

/* A hash of all that a run depends on: stack, cpus, variants, sweep, --set, seed, warm-up, measure
 * and drain, and what is in files of values. Not of title, repeats, compare, measured and expect,
 * which may change without a run changing; nor of comments, quotes and line breaks. */
void experiment_hash(const struct experiment *experiment, char hash[EXPERIMENT_HASH_BYTES]);

#endif
