/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `sweep:` to points. Each key is an axis, in the order of the file, the first one slowest:
 *
 *   fio.depth: [16, 32, 64]                    values as they are
 *   fio.depth: {from: 1, to: 64, times: 2}     1, 2, 4 ... up to and including `to`
 *   queue.hz: {from: 100, to: 1000, step: 100} of a count, a time, a size or a rate
 *   zip: {fio.op: [read, write], disk.service: [17.2us, 19.1us]}   one axis: the i-th of each
 */
#ifndef RINGTAIL_SIM_CONFIG_SWEEP_H
#define RINGTAIL_SIM_CONFIG_SWEEP_H

#include "sim/config/experiment.h"

/* The points of a sweep; `sweep` NULL: the one point at which nothing is swept. */
bool sweep_read(struct arena *arena, const struct node *root, const struct node *sweep,
                const struct point **points, size_t *point_count, struct error *err);

#endif
