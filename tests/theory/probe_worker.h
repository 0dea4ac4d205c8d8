/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker that is all cpu: each request is one item, of one class. With several threads and a
 * limit it is a queue M/M/c/K, with two workers on one cpu a queue with priorities.
 */
#ifndef RINGTAIL_TESTS_THEORY_PROBE_WORKER_H
#define RINGTAIL_TESTS_THEORY_PROBE_WORKER_H

struct model;

extern const struct model probe_worker_model;

#endif
