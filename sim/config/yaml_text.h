/* SPDX-License-Identifier: Apache-2.0 */
/* A node written back in YAML's flow form, `{exponential: 40us, plus: 2us}`. */
#ifndef RINGTAIL_SIM_CONFIG_YAML_TEXT_H
#define RINGTAIL_SIM_CONFIG_YAML_TEXT_H

#include "sim/base/arena.h"
#include "sim/config/yaml.h"

/* On one line, without comments; texts that need quotes get them, so that yaml_parse reads an equal
 * tree back. */
const char *yaml_text(struct arena *arena, const struct node *node);

#endif
