/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a YAML node to a parameter, by its entry in the model's table: the table says what kind of
 * value it is and its range, the node says what the user wrote and where.
 *
 *   count, bool                64, true
 *   time, size, rate, bit rate 40us, 4KiB, 80k/s, 1Mbit/s: the unit is required
 *   choice, policy, cpu        a name; `none` for a cpu that may be left out
 *   distribution               40us, or one of
 *     {exponential: 40us}                            mean
 *     {uniform: [30us, 50us]}                        both ends included
 *     {normal: {mean: 40us, deviation: 5us}}         cut at 0
 *     {lognormal: {mean: 40us, cv: 0.3}}             cv = deviation / mean
 *     {pareto: {scale: 10us, shape: 2.5}}            P(X > x) = (scale / x)^shape
 *     {gamma: {mean: 40us, shape: 2}}                cv = 1 / sqrt(shape)
 *     {mixture: [{weight: 0.9, value: 10us}, {weight: 0.1, value: {exponential: 1ms}}]}
 *                                                    weights count as shares of their sum
 *     {empirical: VALUES}                            drawn with equal weight
 *     {sequence: VALUES}                             in order; see distribution_sequence
 *                              with `plus: 8us` beside it, which is added to every draw
 *   VALUES                     a list of times, or of a file (values.h)
 */
#ifndef RINGTAIL_SIM_CONFIG_BIND_H
#define RINGTAIL_SIM_CONFIG_BIND_H

#include <stdbool.h>

#include "sim/base/arena.h"
#include "sim/base/distribution.h"
#include "sim/base/error.h"
#include "sim/base/units.h"
#include "sim/config/values.h"
#include "sim/config/yaml.h"
#include "sim/engine/engine.h"
#include "sim/engine/param.h"

/* What values are bound with. */
struct binding {
    struct arena *arena;         /* what a value needs beyond its field lives here */
    const struct engine *engine; /* its cpus may be named */
    struct values *values;       /* lists of times that are in files */
};

/* Stores the value in the state. The error has the place of the part that is wrong. */
bool bind_param(const struct binding *binding, const struct param *param, const struct node *value,
                void *state, struct error *err);

/* A distribution whose smallest value is at least `min` and whose times are at most `max`. */
bool bind_distribution(const struct binding *binding, const struct node *value, sim_time min,
                       sim_time max, struct distribution *distribution, struct error *err);

/* A kind of distribution as help shows it. */
struct bind_kind {
    const char *name;
    const char *form; /* `{exponential: 40us}` */
    const char *doc;
};

/* The i-th kind, NULL past the end. */
const struct bind_kind *bind_distribution_kind(size_t i);

/* The quantity in which a parameter is written; a distribution's is a time. False for names and
 * bools, which have none. */
bool bind_quantity(const struct param *param, enum units_quantity *quantity);

#endif
