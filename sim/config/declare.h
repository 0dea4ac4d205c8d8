/* SPDX-License-Identifier: Apache-2.0 */
/* What is true of `cpus:` and `stack:` whatever their values are: names, models, keys, limits. */
#ifndef RINGTAIL_SIM_CONFIG_DECLARE_H
#define RINGTAIL_SIM_CONFIG_DECLARE_H

#include <stdbool.h>

#include "sim/base/error.h"
#include "sim/config/yaml.h"

/* After it, both are mappings (cpus may be left out), every stage names a model that exists, and
 * every key of a stage or cpu is a parameter of it. */
bool declare_check(const struct node *root, struct error *err);

#endif
