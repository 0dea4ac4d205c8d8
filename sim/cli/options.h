/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a command line: `--name value`, `--name=value`, `-l value`, `-lvalue`; options and
 * operands in any order, `--` ends the options.
 */
#ifndef RINGTAIL_SIM_CLI_OPTIONS_H
#define RINGTAIL_SIM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"

struct option {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* what help calls it; NULL: the option takes none */
    const char *doc;
};

struct options {
    const struct option *table;
    size_t count;
    char **words; /* NULL-terminated */
    bool ended;   /* after `--` */
};

enum { OPTIONS_OPERAND = -1, OPTIONS_END = -2, OPTIONS_ERROR = -3 };

/* Takes the next option or operand off the words. Returns the option's index in the table, or one
 * of the above; `*value` is the option's value or the operand. */
int options_next(struct options *options, const char **value, struct error *err);

/* Hands each option and operand to `take`, with its index in the table or OPTIONS_OPERAND, until
 * one is refused or the words are used up. */
typedef bool options_take(void *context, int index, const char *value, struct error *err);
bool options_read(const struct option *table, size_t count, char **words, options_take *take,
                  void *context, struct error *err);

/* A count in [min, max] given to an option. */
bool options_count(const char *option, const char *text, int64_t min, int64_t max, int64_t *count,
                   struct error *err);

#endif
