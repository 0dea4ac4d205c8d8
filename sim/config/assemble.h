/* SPDX-License-Identifier: Apache-2.0 */
/* From the checked tree to a stack in an engine: cpus, stages, their parameters and routes. */
#ifndef RINGTAIL_SIM_CONFIG_ASSEMBLE_H
#define RINGTAIL_SIM_CONFIG_ASSEMBLE_H

#include "sim/config/experiment.h"

/* A stack with the values of a variant at a point, built; NULL with the error, which has a place.
 * The tree has passed declare_check. */
struct engine *assemble_stack(const struct experiment *experiment, size_t variant, size_t point,
                              uint64_t repeat, struct arena *arena, struct error *err);

#endif
