/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures against their baseline. Each metric is judged repeat by repeat: d_r = ln new_r - ln
 * old_r, and Student's t says how likely a mean of d as large is by chance. With other seeds or
 * another number of repeats the two sides have nothing in common, and Welch's t takes its place.
 *
 *   all metrics, loads, variants, points and experiments of one check --> one test at 5 % (Holm)
 *   certain, and worse by more than the tolerance                      --> failed
 *
 * Where a value is 0 there is no logarithm: the plain values are compared, and a tolerance of
 * nothing is nothing, so that what is certainly more than none is a regression.
 */
#ifndef RINGTAIL_SIM_RUN_BASELINE_JUDGE_H
#define RINGTAIL_SIM_RUN_BASELINE_JUDGE_H

#include "sim/run/baseline.h"
#include "sim/run/finding.h"
#include "sim/run/significance.h"

#define BASELINE_TOLERANCE 0.03
#define BASELINE_LEVEL 0.05

/* Why a comparison is none. */
enum baseline_obstacle {
    BASELINE_TESTED, /* it is one */
    BASELINE_EQUAL,  /* every repeat is: nothing to be tested */
    BASELINE_FOREIGN,
    BASELINE_EMPTY, /* a side has no figures, or completed nothing */
    BASELINE_GONE,  /* from the new side: a metric, or a whole variant at a point */
    BASELINE_FEW,   /* gone, for there are too few requests above it */
    BASELINE_NEW,   /* not in the baseline */
    BASELINE_INCOMPLETE,
    BASELINE_GROWS,
    BASELINE_SINGLE,
    BASELINE_LENGTHS,
};

struct baseline_comparison {
    size_t experiment;
    const struct baseline *before;
    const struct baseline *after;
    const struct baseline_row *old; /* NULL: missing, as is the other, or both */
    const struct baseline_row *new;
    bool whole; /* the variant at the point is missing, not the metric alone */
    double tolerance;
    enum baseline_obstacle obstacle;
    bool plain;                 /* values, not their logarithms */
    struct significance result; /* where it was tested */
};

/* All comparisons of one check. */
struct baseline_judge {
    struct arena *arena;
    struct baseline_comparison *items;
    size_t count;
    size_t capacity;
    size_t experiments;
    double threshold; /* the p at and below which a difference is certain */
};

void baseline_judge_init(struct baseline_judge *judge, struct arena *arena);

/* Adds an experiment. Both sides live as long as the judge. A regression is worse by more than
 * `tolerance`, 0.03 for 3 %. */
void baseline_judge_add(struct baseline_judge *judge, const struct baseline *before,
                        const struct baseline *after, double tolerance);

/* Decides over all comparisons that were added, once. */
void baseline_judge_decide(struct baseline_judge *judge);

/* Adds what was found of the i-th experiment added. What is missing on one side is found too:
 * failed if it is the new one, or if a side is empty; else inconclusive. */
void baseline_judge_find(const struct baseline_judge *judge, size_t experiment,
                         struct findings *findings);

#endif
