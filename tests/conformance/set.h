/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setting a stage's parameters by name, for tests: what cannot be set ends the program.
 */
#ifndef RINGTAIL_TESTS_CONFORMANCE_SET_H
#define RINGTAIL_TESTS_CONFORMANCE_SET_H

#include "sim/engine/stack.h"

/* A count, a bool, a size, a rate in thousandths, a time, or a constant distribution. */
void set_value(struct stage *stage, const char *name, int64_t value);
void set_distribution(struct stage *stage, const char *name, struct distribution value);
void set_name(struct stage *stage, const char *name, const char *value);
void set_cpu(struct stage *stage, const char *name, struct cpu *cpu);

/* Whether the stage's model has such a parameter. */
bool has_param(const struct stage *stage, const char *name);

/* stack_build; an error ends the program. */
void build(struct engine *engine);

/* The value that a stage or cpu reported in the window. */
int64_t reported(const struct engine *engine, const char *owner, const char *name);

#endif
