/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every parameter of an experiment with its value as text, defaults included: what two experiments
 * can be told apart by. What the points of a sweep set is in their labels and left out here.
 */
#ifndef RINGTAIL_SIM_CONFIG_PARAMETERS_H
#define RINGTAIL_SIM_CONFIG_PARAMETERS_H

#include "sim/config/experiment.h"

struct parameter {
    const char *variant; /* that changes it; empty: a value of the stack or of --set */
    const char *path;    /* `queue.hz`; `queue.model` and `queue.over` are among them */
    const char *text;
};

struct parameters {
    const struct parameter *items; /* by variant and path, each once */
    size_t count;
};

/* Of an experiment that was loaded, or read from a result. */
struct parameters parameters_of(struct arena *arena, const struct experiment *experiment);

/* As they are sorted. */
int parameter_order(const struct parameter *a, const struct parameter *b);

/* The preset as it would be written. False where there is none, or it is no value of its range. */
bool parameter_preset(const struct param *param, size_t size, char *text);

#endif
