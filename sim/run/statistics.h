/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What repeats say. Requests of one run wait behind each other, so their latencies are no
 * independent sample, and the textbook intervals of percentiles are far too narrow; repeats are
 * independent. So every interval here is one over repeats, at 95 %, by Student's t.
 *
 * A percentile's interval is found by inverting the distribution: with q the pooled percentile p
 * and f_r the share of repeat r above q, s = t(R-1) sd(f_r) / sqrt(R), and the interval is
 * [Q(p - s), Q(p + s)] off the pooled histogram.
 */
#ifndef RINGTAIL_SIM_RUN_STATISTICS_H
#define RINGTAIL_SIM_RUN_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/histogram.h"
#include "sim/run/sparse.h"

enum {
    STATISTICS_ABOVE_MIN = 10,        /* in all; with fewer a percentile is not shown */
    STATISTICS_REPEAT_ABOVE_MIN = 20, /* in every repeat; with fewer it has no interval */
};

/* Two figures are the same when their ratio prints as 1.00x (the first) or its interval includes 1,
 * and the interval rules out a ratio as large as the second. */
#define STATISTICS_RATIO_TINY 0.005
#define STATISTICS_RATIO_SAME_MAX 1.1

/* A drift that is smaller is not worth a longer warm-up. */
#define STATISTICS_DRIFT_MIN 0.05

struct spread {
    double mean;
    double half; /* the interval is mean +- half; INFINITY for a single value */
};

/* count >= 1. */
struct spread statistics_spread(const double *values, size_t count);

enum interval {
    INTERVAL_NONE, /* a single repeat */
    INTERVAL_OPEN, /* too few requests in the tail: only `low` holds */
    INTERVAL_BOTH,
};

struct percentile {
    sim_time value;
    bool few;        /* fewer than STATISTICS_ABOVE_MIN requests above it */
    bool at_least;   /* unfinished requests could raise it beyond its interval, if it has one */
    sim_time raised; /* to this; SIM_NEVER: to what no finished request tells */
    enum interval interval;
    sim_time low;
    sim_time high;
};

/* Requests of all repeats whose latency is not known: how many, and the sum of their ages. */
struct unfinished {
    uint64_t count;
    sim_sum ages;
};

/* The percentile of repeats that are not all empty; `pooled` holds them all. */
struct percentile statistics_percentile(const struct sparse_histogram *const *repeats, size_t count,
                                        const struct histogram *pooled,
                                        struct unfinished unfinished, struct quantile quantile);

enum verdict {
    VERDICT_NONE,    /* no numbers to compare */
    VERDICT_SAME,    /* and a difference of 10 % is ruled out */
    VERDICT_LOWER,   /* `after` is lower */
    VERDICT_HIGHER,  /* `after` is higher */
    VERDICT_UNCLEAR, /* more repeats, or longer ones, are needed */
};

struct comparison {
    enum verdict verdict;
    double ratio; /* after / before, the geometric mean over repeats */
    double low;   /* 0 and INFINITY for a single repeat */
    double high;
};

/* Compares repeat by repeat: d_r = ln after_r - ln before_r, mean +- t(R-1) sd / sqrt(R). Values
 * are not negative; where one is 0 there are no numbers, unless all pairs are equal. count >= 1. */
struct comparison statistics_compare(const double *before, const double *after, size_t count);

/* The first tenth of the window against the rest of it. */
struct drift {
    bool certain; /* the warm-up was too short */
    double ratio; /* of the means, geometric mean over repeats */
};

/* Means of the requests of each repeat that were due in the first tenth, and of the others. It is
 * certain when the ratio is beyond 1 by more than STATISTICS_DRIFT_MIN and the repeats agree at
 * 99.9 %: reports ask this for every load of every variant at every point. `count` may be 0. */
struct drift statistics_drift(const double *first, const double *rest, size_t count);

/* What one repeat says about growth. */
struct growth {
    uint64_t arrivals;  /* in the window */
    uint64_t completed; /* in the window, whenever they were due */
    double outstanding; /* in the system, mean over the window */
};

/* Whether work in the system keeps growing. Arrivals less completions is what the number in the
 * system grew by. In a steady state that is 0 on average, and in a closed loop it is bounded; it is
 * growth when the repeats agree that it is above 0 (one repeat: when it exceeds 4 deviations of
 * Poisson arrivals and 1 % of them), and it is no start-up effect: at least 10 requests, 1 in 1000
 * arrivals, and a quarter of the mean number in the system, which a steady growth after a warm-up
 * of up to 3.5 times the window exceeds. count >= 1. */
bool statistics_is_growing(const struct growth *repeats, size_t count);

#endif
