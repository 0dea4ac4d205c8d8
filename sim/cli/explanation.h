/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment with every default filled in, itself an experiment that gives the same report;
 * comments say where each value comes from. With a variant or a point, the one that it makes: their
 * values stand in the stack, and what is about several is left out. Files are named by their whole
 * paths, so that the text can stand anywhere.
 */
#ifndef RINGTAIL_SIM_CLI_EXPLANATION_H
#define RINGTAIL_SIM_CLI_EXPLANATION_H

#include "sim/config/experiment.h"

enum { EXPLANATION_ALL = -1 };

struct explanation {
    const struct experiment *experiment;
    struct arena *arena;
    int variant; /* index, or EXPLANATION_ALL */
    int point;
};

void explanation_print(const struct explanation *explanation);

#endif
