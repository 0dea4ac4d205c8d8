/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what libyaml says about a malformed document into a message for its writer. */
#ifndef RINGTAIL_SIM_CONFIG_YAML_ERROR_H
#define RINGTAIL_SIM_CONFIG_YAML_ERROR_H

#include <stdbool.h>
#include <yaml.h>

#include "sim/base/error.h"
#include "sim/config/text.h"

/* How far the reader came, to guess what was meant. */
struct yaml_progress {
    bool quoted; /* the last scalar: an open quote often ends at the next one */
    yaml_mark_t start;
    yaml_mark_t end;
    bool flow;         /* the innermost open collection has brackets */
    struct place open; /* and starts here */
    char bracket;      /* with this one */
};

struct place yaml_error_place(const char *name, yaml_mark_t mark);

/* Sets the error for a parser that has failed on `text`. */
void yaml_error_set(const yaml_parser_t *parser, const struct text *text,
                    const struct yaml_progress *progress, struct error *err);

#endif
