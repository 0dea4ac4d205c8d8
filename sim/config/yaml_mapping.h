/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a YAML mapping: merges resolved, duplicate keys refused. */
#ifndef RINGTAIL_SIM_CONFIG_YAML_MAPPING_H
#define RINGTAIL_SIM_CONFIG_YAML_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/config/yaml.h"

/* Sets the entries of `node`, a mapping in `arena`, from `pair_count` pairs of key and value in the
 * order of the text. What is needed on the way lives in `scratch`. */
bool yaml_mapping_fill(struct arena *arena, struct arena *scratch, struct node *node,
                       const struct node *const *pairs, size_t pair_count, struct error *err);

#endif
