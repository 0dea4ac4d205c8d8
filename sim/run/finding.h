/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a check found: one judged figure each, from an expectation of the experiment or from its
 * baseline. Whoever prints them (a table, JUnit, Markdown, benchmark JSON) needs nothing else.
 */
#ifndef RINGTAIL_SIM_RUN_FINDING_H
#define RINGTAIL_SIM_RUN_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/config/metric.h"

enum outcome {
    FINDING_PASSED,
    FINDING_IMPROVED,     /* against the baseline, beyond its tolerance: passed, and worth a word */
    FINDING_INCONCLUSIVE, /* more repeats, or longer ones, are needed, or there is no telling */
    FINDING_FAILED,
};

struct finding {
    enum outcome outcome;
    const char *group;  /* "expectation" or "baseline" */
    const char *name;   /* what was judged: `p99.9 of after vs before, fio.depth = 64`, or the name
                           that the experiment gives it */
    const char *detail; /* what was found and what was allowed: `59.2x [57.0, 61.5], 45 to 85` */
    const char *why;    /* of an expectation: the experiment's reason; NULL: none */
    const char *where;  /* of a regression: the phase that got slower and by how much; NULL */
    const char *advice; /* of an inconclusive one: what would settle it; NULL */
    struct place place; /* of the expectation; line 0: of none */
    /* The figure as a number, in the metric's own unit. */
    enum metric_kind kind;
    bool is_ratio;
    bool known;
    double value;
    double low; /* of its interval; -INFINITY and INFINITY where it is open */
    double high;
};

struct findings {
    struct arena *arena;
    struct finding *items;
    size_t count;
    size_t capacity;
};

void findings_init(struct findings *findings, struct arena *arena);
void findings_add(struct findings *findings, const struct finding *finding);

/* The worst: failed, then inconclusive, else passed. */
enum outcome findings_outcome(const struct findings *findings);

#endif
