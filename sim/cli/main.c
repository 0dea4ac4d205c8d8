/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the command, runs it, and sees to it that what it printed has arrived. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/config/suggest.h"

static enum exit_status fail_unknown(const char *word)
{
    struct error error = { 0 };
    struct suggest suggest;
    suggest_start(&suggest, word);
    for (size_t i = 0; commands[i] != NULL; i++) {
        suggest_offer(&suggest, commands[i]->name);
    }
    error_user(&error, NULL, "unknown command `%s`", word);
    suggest_hint(&suggest, "commands", &error);
    return command_fail(&error);
}

static enum exit_status run_command_line(char **words)
{
    char *help[] = { NULL };
    if (words[0] == NULL) {
        struct error error = { 0 };
        error_user(&error, NULL, "no command");
        error_hint(&error, "ringtail run FILE; `ringtail help` lists the commands");
        return command_fail(&error);
    }
    if (strcmp(words[0], "--version") == 0) {
        printf("ringtail " RINGTAIL_VERSION "\n");
        return EXIT_STATUS_DONE;
    }
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        return help_command.run(help);
    }
    const struct command *command = command_find(words[0]);
    return command == NULL ? fail_unknown(words[0]) : command->run(words + 1);
}

/* A reader that went away (`| head`) has what it wanted; a full disk has to be told. */
static enum exit_status close_output(void)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    failed = fflush(stdout) != 0 || failed;
    if (!failed) {
        return EXIT_STATUS_DONE;
    }
    if (errno != EPIPE) {
        struct error error = { 0 };
        error_environment(&error, NULL, "cannot write to stdout: %s",
                          errno == 0 ? "write error" : strerror(errno));
        command_fail(&error);
    }
    return EXIT_STATUS_ENVIRONMENT;
}

int main(int argc, char **argv)
{
    enum exit_status status = run_command_line(argv + (argc > 0));
    return (int)command_worse(status, close_output());
}
