/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All models, in the order of models.def.
 */
#ifndef RINGTAIL_MODELS_REGISTRY_H
#define RINGTAIL_MODELS_REGISTRY_H

#include <stddef.h>

struct model;

extern const struct model *const models[];
extern const size_t model_count;

/* The model called `name`, or NULL. */
const struct model *model_find(const char *name);

#endif
