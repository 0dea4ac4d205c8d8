/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of the program, and what commands share. Only this layer prints to the terminal or
 * exits: results go to stdout and nothing else does, diagnostics go to stderr.
 */
#ifndef RINGTAIL_SIM_CLI_COMMAND_H
#define RINGTAIL_SIM_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"
#include "sim/cli/options.h"

enum exit_status {
    EXIT_STATUS_DONE = 0,
    EXIT_STATUS_FAILED = 1, /* an expectation failed, or a side was empty */
    EXIT_STATUS_USER = 2,   /* bad usage, experiment or trace: never worth a retry */
    EXIT_STATUS_INCONCLUSIVE = 3,
    EXIT_STATUS_ENVIRONMENT = 4, /* disk, memory */
    EXIT_STATUS_INTERRUPTED = 130,
};

struct command {
    const char *name;
    const char *operands; /* as usage prints them */
    const char *summary;
    const struct option *options;
    size_t option_count;
    /* `words` follow the command's name and end with NULL. */
    enum exit_status (*run)(char **words);
};

extern const struct command run_command;
extern const struct command check_command;
extern const struct command report_command;
extern const struct command plan_command;
extern const struct command merge_command;
extern const struct command explain_command;
extern const struct command schema_command;
extern const struct command models_command;
extern const struct command help_command;

/* All commands, in the order in which help lists them; NULL-terminated. */
extern const struct command *const commands[];

/* The command called `name`, or NULL. */
const struct command *command_find(const char *name);

/* Prints how to use a command. */
void command_print_usage(const struct command *command);

/* Prints the error to stderr and returns the exit status of its kind. */
enum exit_status command_fail(const struct error *error);

/* Of two outcomes the one that the program ends with: 2, 4, 130, then 1, then 3. */
enum exit_status command_worse(enum exit_status a, enum exit_status b);

#endif
