/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/statistics.h"

#include <assert.h>
#include <math.h>

#include "sim/base/elementary.h"
#include "sim/run/student.h"

/* A value of each repeat: read where it stands, so that no array of them is needed. */
typedef double value_of(const void *context, size_t repeat);

static struct spread spread_of(value_of *value, const void *context, size_t count)
{
    assert(count >= 1);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += value(context, i);
    }
    double mean = sum / (double)count;
    if (count == 1) {
        return (struct spread){ mean, INFINITY };
    }
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double distance = value(context, i) - mean;
        squares += distance * distance;
    }
    double n = (double)count;
    return (struct spread){ mean, student_t95((int)count - 1) * sqrt(squares / (n - 1) / n) };
}

static double plain(const void *context, size_t repeat)
{
    return ((const double *)context)[repeat];
}

struct spread statistics_spread(const double *values, size_t count)
{
    return spread_of(plain, values, count);
}

/* ---- Percentiles. ---- */

struct tail {
    const struct sparse_histogram *const *repeats;
    sim_time above;
};

static double share_above(const void *context, size_t repeat)
{
    const struct tail *tail = context;
    const struct sparse_histogram *histogram = tail->repeats[repeat];
    return (double)sparse_histogram_count_above(histogram, tail->above) / (double)histogram->count;
}

static bool has_thin_tail(const struct tail *tail, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sparse_histogram_count_above(tail->repeats[i], tail->above) <
            STATISTICS_REPEAT_ABOVE_MIN) {
            return true;
        }
    }
    return false;
}

static bool has_empty(const struct sparse_histogram *const *repeats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (repeats[i]->count == 0) {
            return true;
        }
    }
    return false;
}

static sim_time value_at_share(const struct histogram *pooled, double share)
{
    double rank = ceil(share * (double)pooled->count);
    uint64_t count = pooled->count;
    if (!(rank > 1)) {
        return histogram_at_rank(pooled, 1);
    }
    return histogram_at_rank(pooled, rank < (double)count ? (uint64_t)rank : count);
}

static void find_interval(const struct sparse_histogram *const *repeats, size_t count,
                          const struct histogram *pooled, struct quantile quantile,
                          struct percentile *percentile)
{
    if (count < 2) {
        return;
    }
    percentile->low = percentile->value;
    percentile->high = percentile->value;
    if (pooled->min == pooled->max) { /* nothing varies: no tail is needed */
        percentile->interval = INTERVAL_BOTH;
        return;
    }
    percentile->interval = INTERVAL_OPEN;
    if (has_empty(repeats, count)) {
        percentile->low = pooled->min;
        return;
    }
    struct tail tail = { repeats, percentile->value };
    double p = (double)quantile.numerator / (double)quantile.denominator;
    double s = spread_of(share_above, &tail, count).half;
    percentile->low = value_at_share(pooled, p - s);
    if (p + s < 1 && !has_thin_tail(&tail, count)) {
        percentile->interval = INTERVAL_BOTH;
        percentile->high = value_at_share(pooled, p + s);
    }
}

/* What the percentile would be if the unfinished requests that may be older than it were all
 * slower: by their ages these are at most `ages` / value. */
static sim_time raised(const struct histogram *pooled, struct unfinished unfinished,
                       struct quantile quantile, sim_time value)
{
    uint64_t older = unfinished.count;
    if (value > 0 && unfinished.ages / value < (sim_sum)older) {
        older = (uint64_t)(unfinished.ages / value);
    }
    uint64_t rank = quantile_rank(quantile, pooled->count + older);
    return rank > pooled->count ? SIM_NEVER : histogram_at_rank(pooled, rank);
}

struct percentile statistics_percentile(const struct sparse_histogram *const *repeats, size_t count,
                                        const struct histogram *pooled,
                                        struct unfinished unfinished, struct quantile quantile)
{
    uint64_t rank = quantile_rank(quantile, pooled->count);
    struct percentile percentile = {
        .value = histogram_at_rank(pooled, rank),
        .few = pooled->count - rank < STATISTICS_ABOVE_MIN,
    };
    find_interval(repeats, count, pooled, quantile, &percentile);
    percentile.raised = raised(pooled, unfinished, quantile, percentile.value);
    sim_time most = percentile.interval == INTERVAL_BOTH ? percentile.high : percentile.value;
    percentile.at_least = percentile.raised > most;
    return percentile;
}

/* ---- Comparisons. ---- */

struct pairs {
    const double *before;
    const double *after;
};

static double log_ratio(const void *context, size_t repeat)
{
    const struct pairs *pairs = context;
    return elementary_log(pairs->after[repeat]) - elementary_log(pairs->before[repeat]);
}

static enum verdict judge(const struct comparison *comparison)
{
    bool tiny = fabs(comparison->ratio - 1) < STATISTICS_RATIO_TINY;
    bool includes_one = comparison->low <= 1 && comparison->high >= 1;
    bool narrow = comparison->low > 1 / STATISTICS_RATIO_SAME_MAX &&
                  comparison->high < STATISTICS_RATIO_SAME_MAX;
    if (tiny || includes_one) {
        return narrow ? VERDICT_SAME : VERDICT_UNCLEAR;
    }
    return comparison->ratio < 1 ? VERDICT_LOWER : VERDICT_HIGHER;
}

struct comparison statistics_compare(const double *before, const double *after, size_t count)
{
    bool equal = true;
    bool positive = true;
    for (size_t i = 0; i < count; i++) {
        equal = equal && before[i] == after[i];
        positive = positive && before[i] > 0 && after[i] > 0;
    }
    if (equal) {
        return (struct comparison){ VERDICT_SAME, 1, 1, 1 };
    }
    if (!positive) {
        return (struct comparison){ .verdict = VERDICT_NONE };
    }
    struct spread spread = spread_of(log_ratio, &(struct pairs){ before, after }, count);
    struct comparison comparison = {
        .ratio = elementary_exp(spread.mean),
        .low = elementary_exp(spread.mean - spread.half),
        .high = elementary_exp(spread.mean + spread.half),
    };
    comparison.verdict = judge(&comparison);
    return comparison;
}

/* ---- Drift. ---- */

struct drift statistics_drift(const double *first, const double *rest, size_t count)
{
    const double certainty = 0.999;
    struct drift drift = { .certain = false, .ratio = 1 };
    for (size_t i = 0; i < count; i++) {
        if (!(first[i] > 0) || !(rest[i] > 0)) {
            return drift;
        }
    }
    if (count < 2) {
        return drift;
    }
    struct spread spread = spread_of(log_ratio, &(struct pairs){ rest, first }, count);
    int freedom = (int)count - 1;
    double error = spread.half / student_t95(freedom);
    drift.ratio = elementary_exp(spread.mean);
    bool matters =
        drift.ratio > 1 + STATISTICS_DRIFT_MIN || drift.ratio < 1 / (1 + STATISTICS_DRIFT_MIN);
    drift.certain =
        matters && (error == 0 || student_within(fabs(spread.mean) / error, freedom) >= certainty);
    return drift;
}

/* ---- Growth. ---- */

static double grown(const void *context, size_t repeat)
{
    const struct growth *growth = (const struct growth *)context + repeat;
    return (double)growth->arrivals - (double)growth->completed;
}

bool statistics_is_growing(const struct growth *repeats, size_t count)
{
    struct spread growth = spread_of(grown, repeats, count);
    double n = (double)count;
    double arrivals = 0;
    double outstanding = 0;
    for (size_t i = 0; i < count; i++) {
        arrivals += (double)repeats[i].arrivals / n;
        outstanding += repeats[i].outstanding / n;
    }
    bool matters =
        growth.mean >= 10 && growth.mean >= arrivals / 1000 && growth.mean >= outstanding / 4;
    bool sure = count > 1 ? growth.mean > growth.half
                          : growth.mean > 4 * sqrt(arrivals) && growth.mean >= arrivals / 100;
    return matters && sure;
}
