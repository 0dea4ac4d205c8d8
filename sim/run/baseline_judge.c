/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/baseline_judge.h"

#include <math.h>
#include <string.h>

#include "sim/base/elementary.h"
#include "sim/run/baseline_differences.h"
#include "sim/run/baseline_finding.h"

void baseline_judge_init(struct baseline_judge *judge, struct arena *arena)
{
    *judge = (struct baseline_judge){ .arena = arena, .threshold = -1 };
}

static void add(struct baseline_judge *judge, const struct baseline_comparison *comparison)
{
    if (judge->count == judge->capacity) {
        judge->capacity = 2 * judge->capacity + 64;
        struct baseline_comparison *larger =
            arena_array(judge->arena, judge->capacity, sizeof(*larger));
        if (judge->count > 0) {
            memcpy(larger, judge->items, judge->count * sizeof(*larger));
        }
        judge->items = larger;
    }
    judge->items[judge->count++] = *comparison;
}

/* ---- What can be compared. ---- */

static bool has_holes(const struct baseline *baseline, const struct baseline_row *row)
{
    for (size_t i = 0; i < baseline->repeats; i++) {
        if (isnan(row->values[i])) {
            return true;
        }
    }
    return false;
}

static bool has_zero(const struct baseline *baseline, const struct baseline_row *row)
{
    for (size_t i = 0; i < baseline->repeats; i++) {
        if (row->values[i] == 0) {
            return true;
        }
    }
    return false;
}

/* Whether anything reached the end that the row is of: else there is no mean of it. */
static bool has_mean(const struct baseline *baseline, const struct baseline_row *row)
{
    const struct metric mean = { .kind = METRIC_MEAN, .end = row->metric.end };
    return baseline_find(baseline, &row->key, &mean) != NULL;
}

static bool are_equal(const struct baseline_comparison *comparison)
{
    if (comparison->before->repeats != comparison->after->repeats) {
        return false;
    }
    for (size_t i = 0; i < comparison->before->repeats; i++) {
        if (comparison->old->values[i] != comparison->new->values[i]) {
            return false;
        }
    }
    return true;
}

/* The largest of a longer run is larger, and so is what is left at its end. */
static bool needs_lengths(const struct baseline_comparison *comparison)
{
    enum metric_kind kind = comparison->new->metric.kind;
    return kind == METRIC_MAX || kind == METRIC_UNFINISHED || comparison->old->thin ||
           comparison->new->thin;
}

static enum baseline_obstacle find_obstacle(const struct baseline_comparison *comparison)
{
    const struct baseline *before = comparison->before;
    const struct baseline *after = comparison->after;
    const struct baseline_row *old = comparison->old;
    const struct baseline_row *new = comparison->new;
    if (new->metric.kind == METRIC_RATE && (!has_mean(before, old) || !has_mean(after, new))) {
        return BASELINE_EMPTY;
    }
    if (has_holes(before, old) || has_holes(after, new)) {
        return BASELINE_INCOMPLETE;
    }
    if (are_equal(comparison)) {
        return BASELINE_EQUAL;
    }
    if (old->note == BASELINE_GROWING || new->note == BASELINE_GROWING) {
        return BASELINE_GROWS;
    }
    if (before->repeats < 2 || after->repeats < 2) {
        return BASELINE_SINGLE;
    }
    return needs_lengths(comparison) && !baseline_has_lengths(before, after) ? BASELINE_LENGTHS
                                                                             : BASELINE_TESTED;
}

static const double *values_of(struct arena *arena, const struct baseline *baseline,
                               const struct baseline_row *row, bool plain)
{
    if (plain) {
        return row->values;
    }
    double *logs = arena_array(arena, baseline->repeats, sizeof(*logs));
    for (size_t i = 0; i < baseline->repeats; i++) {
        logs[i] = elementary_log(row->values[i]);
    }
    return logs;
}

static void test(struct baseline_comparison *comparison)
{
    const struct baseline *before = comparison->before;
    const struct baseline *after = comparison->after;
    struct arena *arena = arena_create();
    comparison->plain = has_zero(before, comparison->old) || has_zero(after, comparison->new);
    const double *old = values_of(arena, before, comparison->old, comparison->plain);
    const double *new = values_of(arena, after, comparison->new, comparison->plain);
    comparison->result = before->seed == after->seed && before->repeats == after->repeats
                             ? significance_paired(old, new, after->repeats)
                             : significance_unpaired(old, before->repeats, new, after->repeats);
    arena_destroy(arena);
}

static void add_pair(struct baseline_judge *judge, struct baseline_comparison comparison)
{
    comparison.obstacle = find_obstacle(&comparison);
    if (comparison.obstacle == BASELINE_TESTED) {
        test(&comparison);
    }
    add(judge, &comparison);
}

/* ---- What is missing. ---- */

/* The first row of a variant at a point, or where it would be. */
static size_t begin_of(const struct baseline *baseline, const struct baseline_key *key)
{
    const struct baseline_key first = { key->point, key->variant, "" };
    size_t low = 0;
    size_t high = baseline->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (baseline_key_order(&baseline->rows[middle].key, &first) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_variant(const struct baseline *baseline, const struct baseline_key *key)
{
    size_t begin = begin_of(baseline, key);
    return begin < baseline->row_count &&
           strcmp(baseline->rows[begin].key.point, key->point) == 0 &&
           strcmp(baseline->rows[begin].key.variant, key->variant) == 0;
}

/* A row of one side. What is missing as a whole is said once, at its first row. */
static void add_missing(struct baseline_judge *judge, struct baseline_comparison comparison)
{
    bool is_gone = comparison.new == NULL;
    const struct baseline *has = is_gone ? comparison.before : comparison.after;
    const struct baseline *lacks = is_gone ? comparison.after : comparison.before;
    const struct baseline_row *row = is_gone ? comparison.old : comparison.new;
    comparison.whole = !has_variant(lacks, &row->key);
    if (comparison.whole && row != &has->rows[begin_of(has, &row->key)]) {
        return;
    }
    comparison.obstacle = is_gone ? BASELINE_GONE : BASELINE_NEW;
    if (is_gone && row->metric.kind == METRIC_PERCENTILE && has_mean(lacks, row)) {
        comparison.obstacle = BASELINE_FEW;
    }
    add(judge, &comparison);
}

void baseline_judge_add(struct baseline_judge *judge, const struct baseline *before,
                        const struct baseline *after, double tolerance)
{
    const struct baseline_comparison common = {
        .experiment = judge->experiments++,
        .before = before,
        .after = after,
        .tolerance = tolerance,
    };
    struct baseline_comparison comparison = common;
    if (strcmp(before->title, after->title) != 0) {
        comparison.obstacle = BASELINE_FOREIGN;
        add(judge, &comparison);
        return;
    }
    if (before->row_count == 0 || after->row_count == 0) {
        comparison.obstacle = BASELINE_EMPTY;
        add(judge, &comparison);
        return;
    }
    for (size_t i = 0, j = 0; i < before->row_count || j < after->row_count;) {
        const struct baseline_row *old = i < before->row_count ? &before->rows[i] : NULL;
        const struct baseline_row *new = j < after->row_count ? &after->rows[j] : NULL;
        int order = old == NULL ? 1 : new == NULL ? -1 : baseline_row_order(old, new);
        comparison.old = order <= 0 ? old : NULL;
        comparison.new = order >= 0 ? new : NULL;
        if (order == 0) {
            add_pair(judge, comparison);
        } else {
            add_missing(judge, comparison);
        }
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- The verdict. ---- */

/* What is equal in every repeat cannot be found to differ, and takes no part. */
void baseline_judge_decide(struct baseline_judge *judge)
{
    struct arena *arena = arena_create();
    double *p = arena_array(arena, judge->count, sizeof(*p));
    size_t count = 0;
    for (size_t i = 0; i < judge->count; i++) {
        if (judge->items[i].obstacle == BASELINE_TESTED) {
            p[count++] = judge->items[i].result.p;
        }
    }
    judge->threshold = significance_holm(p, count, BASELINE_LEVEL);
    arena_destroy(arena);
}

void baseline_judge_find(const struct baseline_judge *judge, size_t experiment,
                         struct findings *findings)
{
    for (size_t i = 0; i < judge->count; i++) {
        const struct baseline_comparison *comparison = &judge->items[i];
        if (comparison->experiment == experiment) {
            bool certain =
                comparison->obstacle == BASELINE_TESTED && comparison->result.p <= judge->threshold;
            struct finding finding = baseline_finding(findings->arena, comparison, certain);
            findings_add(findings, &finding);
        }
    }
}
