/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of one experiment joined: shards, and repeats that were added later. The outcome depends
 * on what is in the files, not on their order.
 */
#ifndef RINGTAIL_SIM_RUN_MERGE_H
#define RINGTAIL_SIM_RUN_MERGE_H

#include "sim/run/result_store.h"

/* The union of the records. Of headers that differ in what no run depends on (title, repeats) the
 * one with the most repeats counts. NULL with the error. */
struct result_store *merge_open(const char *const *paths, size_t count, struct error *err);

#endif
