/* SPDX-License-Identifier: Apache-2.0 */
/* Variants, `before: {queue.policy: timer_retry}`, and which two are compared. */
#ifndef RINGTAIL_SIM_CONFIG_VARIANT_H
#define RINGTAIL_SIM_CONFIG_VARIANT_H

#include "sim/config/experiment.h"

/* Reads `variants:`; without any there is one, called `run`. */
bool variant_read(struct arena *arena, struct experiment *experiment, struct error *err);

/* Reads `compare: {from: NAME, to: NAME}`; without it, two variants are compared as written, and
 * more or fewer are not. */
bool variant_read_compare(struct experiment *experiment, struct error *err);

/* The index of the variant that a node names. */
bool variant_find(const struct experiment *experiment, const struct node *name, size_t *variant,
                  struct error *err);

#endif
