/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sparse histograms and attribution tables as JSON. A list of buckets begins with the number of the
 * first one that is touched and goes on with the counts of it and those that follow it; -n stands
 * for n buckets that are empty: [40960, 1, 7, -3, 2]. A phase's sums are listed likewise, one for
 * each touched bucket, -n for n zeros.
 */
#ifndef RINGTAIL_SIM_RUN_SPARSE_JSON_H
#define RINGTAIL_SIM_RUN_SPARSE_JSON_H

#include "sim/run/field.h"
#include "sim/run/sparse.h"

/* {"count", "sum", "min", "max", "buckets"}; an empty one has its count alone. */
json_t *sparse_json_of_histogram(const struct sparse_histogram *histogram);

/* Checks that the buckets agree with count, min, max and sum. `name` is for errors. */
bool sparse_json_histogram(const struct field_reader *reader, const json_t *json, const char *name,
                           struct sparse_histogram *histogram);

/* {"buckets", "spent": [[...], ...]}, a list of sums a phase. */
json_t *sparse_json_of_attribution(const struct sparse_attribution *attribution);

/* Checks that it covers the requests of the histogram, and their time exactly. */
bool sparse_json_attribution(const struct field_reader *reader, const json_t *json,
                             const char *name, unsigned phase_count,
                             const struct sparse_histogram *histogram,
                             struct sparse_attribution *attribution);

#endif
