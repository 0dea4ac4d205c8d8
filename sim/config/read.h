/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small steps of reading a YAML tree: a node must be of a kind, a mapping has only known keys, a
 * scalar is a quantity. Each says what it wanted at the node's place.
 */
#ifndef RINGTAIL_SIM_CONFIG_READ_H
#define RINGTAIL_SIM_CONFIG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/base/units.h"
#include "sim/config/yaml.h"

/* Nothing is written where a value could stand. */
bool node_is_blank(const struct node *node);

/* The node as a mapping; a blank one is an empty mapping. `what` begins the message: "`run`". */
const struct node *read_mapping(const struct node *node, const char *what, struct error *err);

/* The node as a list. */
const struct node *read_list(const struct node *node, const char *what, struct error *err);

/* The node as a text that is not empty, NULL if it is none. */
const char *read_text(const struct node *node, const char *what, struct error *err);

/* No line ends or other control characters, which would spoil what is printed with it. */
bool read_check_printable(const struct node *node, const char *what, struct error *err);

/* Every key of the mapping is one of `keys`, which end with NULL; `what` names the mapping:
 * "`run`". */
bool read_keys(const struct node *mapping, const char *const *keys, const char *what,
               struct error *err);

/* The value of a key that must be there. */
const struct node *read_required(const struct node *mapping, const char *key, const char *what,
                                 struct error *err);

/* An error about a file as a whole that another one names: a mistake of the one that names it, at
 * `where`. An error with a line of its own stays as it is. Returns false. */
bool read_blame(const struct place *where, struct error *err);

/* A scalar as a quantity in [min, max], as units_parse reads it. */
bool read_quantity(const struct node *node, enum units_quantity quantity, int64_t min, int64_t max,
                   int64_t *value, struct error *err);

/* A scalar as a number in [min, max], or (min, max] where `above` is set; not negative. */
bool read_number(const struct node *node, bool above, double min, double max, double *value,
                 struct error *err);

#endif
