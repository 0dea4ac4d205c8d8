/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dotted paths, `queue.policy` or `app.wake`: which parameter of which stage or cpu one names, and
 * where experiments change parameters through them: variants, points of the sweep, --set.
 */
#ifndef RINGTAIL_SIM_CONFIG_ASSIGNMENT_H
#define RINGTAIL_SIM_CONFIG_ASSIGNMENT_H

#include "sim/config/experiment.h"

/* What a path names. */
struct target {
    const struct node *owner; /* the mapping of the stage or cpu */
    const struct param *param;
};

/* Finds the parameter; `where` is the path's place. The stack and the cpus of the root are checked
 * already. */
bool assignment_resolve(const struct node *root, const char *path, const struct place *where,
                        struct target *target, struct error *err);

/* The table of a stage: the model that its mapping names. NULL if it names none. */
const struct model *assignment_model(const struct node *stage);

/* {PATH: VALUE, ...}, each path resolved. */
bool assignment_read(struct arena *arena, const struct node *root, const struct node *mapping,
                     struct assignments *assignments, struct error *err);

/* The texts PATH=VALUE of --set; a later one of the same path wins. */
bool assignment_parse(struct arena *arena, const struct node *root, const char *const *sets,
                      size_t set_count, struct assignments *assignments, struct error *err);

/* The last assignment of a path, NULL: none. */
const struct assignment *assignment_find(const struct assignments *assignments, const char *path);

/* The value of a path for a variant at a point, as written; NULL where the file does not say and
 * the preset holds. */
const struct node *assignment_value(const struct experiment *experiment, size_t variant,
                                    size_t point, const char *path);

/* Whether a value is the text: as the parameter reads both, `4KiB` and `4096B`, or as texts. A
 * missing value equals nothing. */
bool assignment_equals(const struct param *param, const struct node *value, const char *text);

/* Neither a variant nor --set changes what is swept. */
bool assignment_check_swept(const struct experiment *experiment, struct error *err);

#endif
