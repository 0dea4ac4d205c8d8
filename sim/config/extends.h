/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `extends: other.yaml`: a file that changes another. The other file is loaded first (it may extend
 * a third), then this one's keys are laid over it:
 *
 *   stack, cpus, variants    by name, and within a name by key: `queue: {hz: 1000}` changes one
 *   sweep, run, compare      by key
 *   all else                 is replaced, and so is every value of a parameter
 *
 * What is new comes after what was there. Nodes keep the places of the files that they come from.
 */
#ifndef RINGTAIL_SIM_CONFIG_EXTENDS_H
#define RINGTAIL_SIM_CONFIG_EXTENDS_H

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/config/yaml.h"

enum { EXTENDS_DEPTH_MAX = 16 }; /* files */

/* The document of a file with what it extends; NULL with the error. Its root is a mapping. */
const struct node *extends_load(struct arena *arena, const char *file, struct error *err);

/* `path` as written in `from`, relative to the folder of that file, or to the current one where it
 * was typed: `from` is then an option, `--set ...`. */
const char *extends_path(struct arena *arena, const char *from, const char *path);

#endif
