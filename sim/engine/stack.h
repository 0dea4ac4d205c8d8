/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a stack: add cpus and stages from the top down, set their parameters, say what stands
 * over what, build. A stage stands over the one added after it unless routed; a load stands over
 * the next stage that is none.
 */
#ifndef RINGTAIL_SIM_ENGINE_STACK_H
#define RINGTAIL_SIM_ENGINE_STACK_H

#include "sim/engine/engine.h"
#include "sim/engine/model.h"

/* An engine in `arena`, which outlives it. Repeats of one seed have streams of their own. */
struct engine *stack_create(struct arena *arena, uint64_t seed, uint64_t repeat);

/* Both keep `name`. They assert that there is room. */
struct cpu *stack_add_cpu(struct engine *engine, const char *name, const struct cpu_config *config);
struct stage *stack_add_stage(struct engine *engine, const char *name, const struct model *model);

/* Requests of `load` (NULL: of every load not routed by itself) go from `upper` to `lower`; lower
 * NULL makes upper a bottom for them. */
void stack_route(struct engine *engine, struct stage *upper, struct stage *load,
                 struct stage *lower);

/* Fixes the ways and calls every model's init. False with an error that names the stages for: no
 * load, a load that is not at the top, a loop, a bottom model over something or another one over
 * nothing, a stage no request reaches, more than WAY_LEVELS_MAX stages or WAY_PHASES_MAX phases on
 * a way. */
bool stack_build(struct engine *engine, struct error *err);

/* The stage called `name`, or NULL. */
struct stage *stack_find_stage(const struct engine *engine, const char *name);

#endif
