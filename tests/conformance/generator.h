/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random parameters and random stacks, from a seed. Values come from the models' own tables, so a
 * new model takes part as soon as it is in models.def.
 */
#ifndef RINGTAIL_TESTS_CONFORMANCE_GENERATOR_H
#define RINGTAIL_TESTS_CONFORMANCE_GENERATOR_H

#include "sim/engine/stack.h"

/* Every line of models.def and of probes.def. */
extern const struct model *const known_models[];
extern const size_t known_model_count;

/* A known model, or NULL. */
const struct model *known_model(const char *name);

/* 0 .. bound - 1. */
int64_t pick(struct random_stream *stream, int64_t bound);

/* A few cpus of random kinds; returns how many. */
unsigned generate_cpus(struct engine *engine, struct random_stream *stream);

/* Gives every parameter of the stage a random value, zero among them; loads send a few hundred
 * requests a millisecond at most. */
void generate_params(struct stage *stage, struct random_stream *stream);

/* 1 to 3 loads over 1 to 6 stages each, some of them shared; not built yet. */
void generate_stack(struct engine *engine, struct random_stream *stream);

#endif
