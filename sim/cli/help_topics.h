/* SPDX-License-Identifier: Apache-2.0 */
/* What help explains beside commands and models: the experiment file and what may stand in it. */
#ifndef RINGTAIL_SIM_CLI_HELP_TOPICS_H
#define RINGTAIL_SIM_CLI_HELP_TOPICS_H

#include <stdbool.h>

struct help_topic {
    const char *name;
    void (*print)(void);
};

extern const struct help_topic help_topics[]; /* the last has no name */

/* Prints the topic; false if there is none of that name. */
bool help_topic_print(const char *name);

#endif
