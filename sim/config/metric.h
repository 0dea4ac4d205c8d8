/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of what is measured: `[LOAD.][END.]NAME`, as in measured columns and expectations.
 *
 *   rate, mean, pN, max, drops, unfinished     of an end: lat unless given, clat, delivered
 *   phase.STAGE:PHASE+STAGE:PHASE              mean time in the named phases
 *   share.STAGE:PHASE+STAGE:PHASE              their share of the mean latency
 *   counter.STAGE.NAME, utilisation.CPU        of the run
 */
#ifndef RINGTAIL_SIM_CONFIG_METRIC_H
#define RINGTAIL_SIM_CONFIG_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/histogram.h"

enum metric_kind {
    METRIC_RATE, /* ends per second */
    METRIC_MEAN,
    METRIC_PERCENTILE,
    METRIC_MAX,
    METRIC_DROPS,
    METRIC_UNFINISHED,
    METRIC_PHASE,
    METRIC_COUNTER,
    METRIC_UTILISATION,
    METRIC_SHARE, /* of the mean latency, that phases take */
};

enum metric_end { METRIC_LAT, METRIC_CLAT, METRIC_DELIVERED };

struct metric {
    const char *text; /* as written */
    enum metric_kind kind;
    enum metric_end end;
    const char *load;         /* NULL: the only one */
    struct quantile quantile; /* of a percentile */
    const char *names[16];    /* phases; or stage and counter; or the cpu */
    size_t name_count;
};

/* Parses a name, which is copied into the arena. Whether the load, stage, phase, counter or cpu
 * exists is asked where the metric is evaluated. The error lists what may be written. */
bool metric_parse(struct arena *arena, const char *text, const struct place *where,
                  struct metric *metric, struct error *err);

/* Whether both name the same figure, however written: `p50` is `lat.p50`; a load that is left out
 * is the only one, so it equals any. */
bool metric_equals(const struct metric *a, const struct metric *b);

#endif
