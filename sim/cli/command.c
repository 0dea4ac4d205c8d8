/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/time.h"

const struct command *const commands[] = {
    &run_command,     &check_command,  &report_command, &plan_command, &merge_command,
    &explain_command, &models_command, &schema_command, &help_command, NULL
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

void command_print_usage(const struct command *command)
{
    printf("ringtail %s %s\n\n%s\n", command->name, command->operands, command->summary);
    if (command->option_count > 0) {
        printf("\noptions\n");
    }
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        char text[64];
        char letter[8] = "    ";
        if (option->letter != 0) {
            snprintf(letter, sizeof(letter), "-%c, ", option->letter);
        }
        snprintf(text, sizeof(text), "%s--%s%s%s", letter, option->name,
                 option->value == NULL ? "" : " ", option->value == NULL ? "" : option->value);
        printf("  %-22s  %s\n", text, option->doc);
    }
}

enum exit_status command_fail(const struct error *error)
{
    char text[sizeof(struct error)];
    error_format(error, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
    return error->kind == ERROR_ENVIRONMENT ? EXIT_STATUS_ENVIRONMENT : EXIT_STATUS_USER;
}

enum exit_status command_worse(enum exit_status a, enum exit_status b)
{
    static const enum exit_status worst_first[] = { EXIT_STATUS_USER, EXIT_STATUS_ENVIRONMENT,
                                                    EXIT_STATUS_INTERRUPTED, EXIT_STATUS_FAILED,
                                                    EXIT_STATUS_INCONCLUSIVE };
    for (size_t i = 0; i < ARRAY_LENGTH(worst_first); i++) {
        if (a == worst_first[i] || b == worst_first[i]) {
            return worst_first[i];
        }
    }
    return EXIT_STATUS_DONE;
}
