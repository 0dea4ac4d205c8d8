/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `ringtail run`. */
#ifndef RINGTAIL_SIM_CLI_RUN_LINE_H
#define RINGTAIL_SIM_CLI_RUN_LINE_H

#include "sim/cli/options.h"
#include "sim/config/experiment.h"
#include "sim/report/writer.h"

enum { RUN_FILES_MAX = 64, RUN_SETS_MAX = 256, RUN_OPTION_COUNT = 11 };

struct run_line {
    const char *files[RUN_FILES_MAX];
    size_t file_count;
    const char *sets[RUN_SETS_MAX];
    size_t set_count;
    int64_t seed;    /* -1: the file's */
    int64_t repeats; /* 0: the file's */
    int64_t threads;
    const char *output; /* NULL: no result is kept, or one of the name that output_name gives it */
    const struct writer *writer;
    int64_t shard; /* 1 .. shard_count */
    int64_t shard_count;
    int64_t point; /* from 1; 0: all */
    bool resume;
    bool quick;
    bool help;
};

extern const struct option run_options[RUN_OPTION_COUNT];

/* The pieces of reading one: the state before, an option by name (NULL: an operand), and what must
 * hold at the end. Other commands take some of these options too. */
void run_line_init(struct run_line *line);
bool run_line_take(struct run_line *line, const char *option, const char *value, struct error *err);
bool run_line_check(const struct run_line *line, struct error *err);

bool run_line_read(char **words, struct run_line *line, struct error *err);

/* Changes the experiment as the options say. False with the error if it has no such point. */
bool run_line_apply(const struct run_line *line, struct experiment *experiment, struct error *err);

/* Whether this is a part of the runs, for `ringtail merge`. */
bool run_line_is_part(const struct run_line *line);

#endif
