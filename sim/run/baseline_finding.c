/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/baseline_finding.h"

#include <math.h>
#include <string.h>

#include "sim/base/elementary.h"
#include "sim/base/units.h"
#include "sim/run/statistics.h"

/* ---- Where. ---- */

static const struct baseline_phase *find_phase(const struct baseline_phases *phases,
                                               const char *name)
{
    for (size_t i = 0; i < phases->count; i++) {
        if (strcmp(phases->items[i].name, name) == 0) {
            return &phases->items[i];
        }
    }
    return NULL;
}

static const char *time_text(struct arena *arena, double time)
{
    char text[UNITS_TEXT_BYTES];
    units_format_figures(UNITS_TIME, (int64_t)(fabs(time) + 0.5), text, sizeof(text));
    return arena_printf(arena, "%s%s", time < 0 ? "-" : "+", text);
}

static bool is_tail(const struct metric *metric)
{
    return metric->kind == METRIC_MAX ||
           (metric->kind == METRIC_PERCENTILE &&
            metric->quantile.numerator * 100 >= metric->quantile.denominator * 99);
}

const char *baseline_finding_where(struct arena *arena,
                                   const struct baseline_comparison *comparison)
{
    const struct baseline_row *row = comparison->new;
    enum metric_end end = row->metric.end;
    bool tail = is_tail(&row->metric);
    const struct baseline_phases *old = baseline_find_phases(comparison->before, &row->key, end);
    const struct baseline_phases *new = baseline_find_phases(comparison->after, &row->key, end);
    if (old == NULL || new == NULL) {
        return NULL;
    }
    double all = 0;
    double most = 0;
    const char *name = NULL;
    for (size_t i = 0; i < new->count; i++) {
        const struct baseline_phase *now = &new->items[i];
        const struct baseline_phase *then = find_phase(old, now->name);
        double by = tail ? now->tail : now->mean;
        by -= then == NULL ? 0 : tail ? then->tail : then->mean;
        all += by;
        if (by > most) {
            most = by;
            name = now->name;
        }
    }
    for (size_t i = 0; i < old->count; i++) {
        const struct baseline_phase *then = &old->items[i];
        if (find_phase(new, then->name) == NULL) {
            all -= tail ? then->tail : then->mean;
        }
    }
    return name == NULL ? NULL
                        : arena_printf(arena, "%s %s (of %s)%s", name, time_text(arena, most),
                                       time_text(arena, all), tail ? " in the slowest 1 %" : "");
}

/* ---- Numbers. ---- */

/* A side over its repeats, with its interval. */
struct level {
    double value;
    double low;
    double high;
};

/* The geometric mean, or of plain values the arithmetic one. */
static struct level level_of(struct arena *arena, const struct baseline *baseline,
                             const struct baseline_row *row, bool plain)
{
    double *values = arena_array(arena, baseline->repeats, sizeof(*values));
    size_t count = 0;
    for (size_t i = 0; i < baseline->repeats; i++) {
        double value = row->values[i];
        plain = plain || value == 0;
        if (!isnan(value)) {
            values[count++] = value;
        }
    }
    if (count == 0) {
        return (struct level){ 0, -INFINITY, INFINITY };
    }
    for (size_t i = 0; i < count && !plain; i++) {
        values[i] = elementary_log(values[i]);
    }
    struct spread spread = statistics_spread(values, count);
    if (plain) {
        return (struct level){ spread.mean, spread.mean - spread.half, spread.mean + spread.half };
    }
    return (struct level){
        elementary_exp(spread.mean),
        isfinite(spread.half) ? elementary_exp(spread.mean - spread.half) : -INFINITY,
        isfinite(spread.half) ? elementary_exp(spread.mean + spread.half) : INFINITY,
    };
}

static const char *level_text(struct arena *arena, enum metric_kind kind, double value)
{
    char text[UNITS_TEXT_BYTES];
    if (kind == METRIC_UNFINISHED) {
        return arena_printf(arena, "%.3g", value);
    }
    if (kind == METRIC_RATE) {
        units_format_figures(UNITS_RATE, (int64_t)(value * 1000 + 0.5), text, sizeof(text));
    } else {
        units_format_figures(UNITS_TIME, (int64_t)(value + 0.5), text, sizeof(text));
    }
    return arena_strdup(arena, text);
}

/* `4.69ms -> 5.32ms, 1.134x [1.112, 1.157], tolerance 3 %` */
static const char *change_text(struct arena *arena, const struct baseline_comparison *comparison,
                               double old, double new)
{
    enum metric_kind kind = comparison->new->metric.kind;
    const struct significance *result = &comparison->result;
    const char *levels =
        arena_printf(arena, "%s -> %s", level_text(arena, kind, old), level_text(arena, kind, new));
    double tolerance = comparison->tolerance * 100;
    if (comparison->plain) {
        return arena_printf(arena, "%s, %+.3g [%+.3g, %+.3g], tolerance %.3g %%", levels,
                            result->mean, result->mean - result->half, result->mean + result->half,
                            tolerance);
    }
    return arena_printf(arena, "%s, %.4gx [%.4g, %.4g], tolerance %.3g %%", levels,
                        elementary_exp(result->mean), elementary_exp(result->mean - result->half),
                        elementary_exp(result->mean + result->half), tolerance);
}

/* ---- Words. ---- */

static bool is_same_place(const struct baseline_key *a, const struct baseline_key *b)
{
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->point, b->point) == 0;
}

/* Whether the row's variant has several loads there. */
static bool has_loads(const struct baseline *baseline, const struct baseline_row *row)
{
    const struct baseline_row *rows = baseline->rows;
    size_t first = (size_t)(row - rows);
    size_t last = first;
    while (first > 0 && is_same_place(&rows[first - 1].key, &row->key)) {
        first--;
    }
    while (last + 1 < baseline->row_count && is_same_place(&rows[last + 1].key, &row->key)) {
        last++;
    }
    return strcmp(rows[first].key.load, rows[last].key.load) != 0;
}

/* `p99.9 of before, fio.depth = 64`; the load stands before it where there are several. */
static const char *name_of(struct arena *arena, const struct baseline_comparison *comparison)
{
    const struct baseline_row *row = comparison->new != NULL ? comparison->new : comparison->old;
    const struct baseline *baseline =
        comparison->new != NULL ? comparison->after : comparison->before;
    if (row == NULL) {
        return "baseline";
    }
    const char *comma = row->key.point[0] == '\0' ? "" : ", ";
    if (comparison->whole) {
        return arena_printf(arena, "%s%s%s", row->key.variant, comma, row->key.point);
    }
    bool several = has_loads(baseline, row);
    return arena_printf(arena, "%s%s%s of %s%s%s", several ? row->key.load : "", several ? "." : "",
                        row->metric.text, row->key.variant, comma, row->key.point);
}

static const char update[] = "if that is meant, `--update` accepts it";

/* What there is to say where nothing was tested. */
static const struct {
    enum outcome outcome;
    const char *detail;
    const char *advice;
} words[] = {
    [BASELINE_TESTED] = { FINDING_PASSED, NULL, NULL },
    [BASELINE_EQUAL] = { FINDING_PASSED, NULL, NULL },
    [BASELINE_FOREIGN] = { FINDING_FAILED, "the baseline is that of another experiment",
                           "name its own with `--baseline`; `--update` accepts this one" },
    [BASELINE_EMPTY] = { FINDING_FAILED, "a side is empty: nothing was completed", NULL },
    [BASELINE_GONE] = { FINDING_FAILED, "in the baseline, but there is no such figure now",
                        update },
    [BASELINE_FEW] = { FINDING_INCONCLUSIVE, "too few requests are slower than that now",
                       "measure for longer" },
    [BASELINE_NEW] = { FINDING_INCONCLUSIVE, "not in the baseline", update },
    [BASELINE_INCOMPLETE] = { FINDING_INCONCLUSIVE, "a repeat has no such figure",
                              "complete the run, or measure for longer" },
    [BASELINE_GROWS] = { FINDING_INCONCLUSIVE,
                         "work in the system keeps growing: it measures the run's length",
                         "lower the load, or judge the rate" },
    [BASELINE_SINGLE] = { FINDING_INCONCLUSIVE, "there is no telling from one repeat",
                          "use `repeats: 8`" },
    [BASELINE_LENGTHS] = { FINDING_INCONCLUSIVE, "it depends on the run's length, which is another",
                           update },
};

/* By how much it is worse, as a share of what it was; INFINITY: there was nothing. */
static double worsening(const struct baseline_comparison *comparison, double old, double new)
{
    bool is_rate = comparison->new->metric.kind == METRIC_RATE;
    double from = is_rate ? new : old;
    double to = is_rate ? old : new;
    return from > 0 ? to / from - 1 : to > 0 ? INFINITY : 0;
}

/* Requests that did not finish may be worse than all that is known: what is at least so much cannot
 * be said to have got better, nor something else to have got worse than it. */
static void judge(struct finding *finding, const struct baseline_comparison *comparison,
                  bool certain, double old, double new)
{
    bool was_more = comparison->old->note == BASELINE_AT_LEAST;
    bool is_more = comparison->new->note == BASELINE_AT_LEAST;
    finding->outcome = is_more ? FINDING_INCONCLUSIVE : FINDING_PASSED;
    if (certain && worsening(comparison, old, new) > comparison->tolerance) {
        finding->outcome = was_more ? FINDING_INCONCLUSIVE : FINDING_FAILED;
    } else if (certain && worsening(comparison, new, old) > comparison->tolerance && !is_more) {
        finding->outcome = FINDING_IMPROVED;
    }
    if (finding->outcome == FINDING_INCONCLUSIVE) {
        finding->advice = "requests that did not finish raise it: measure for longer, or drain";
    }
}

struct finding baseline_finding(struct arena *arena, const struct baseline_comparison *comparison,
                                bool certain)
{
    struct finding finding = {
        .group = "baseline",
        .name = name_of(arena, comparison),
        .outcome = words[comparison->obstacle].outcome,
        .detail = words[comparison->obstacle].detail,
        .advice = words[comparison->obstacle].advice,
        .low = -INFINITY,
        .high = INFINITY,
    };
    if (comparison->new == NULL) {
        return finding;
    }
    const struct baseline_row *row = comparison->new;
    struct level new = level_of(arena, comparison->after, row, comparison->plain);
    finding.kind = row->metric.kind;
    finding.known = true;
    finding.value = new.value;
    finding.low = new.low;
    finding.high = new.high;
    if (comparison->obstacle == BASELINE_EQUAL) {
        finding.detail = arena_printf(arena, "%s, every repeat is equal",
                                      level_text(arena, finding.kind, new.value));
    } else if (comparison->obstacle == BASELINE_TESTED) {
        struct level old = level_of(arena, comparison->before, comparison->old, comparison->plain);
        judge(&finding, comparison, certain, old.value, new.value);
        finding.detail = change_text(arena, comparison, old.value, new.value);
        if (finding.outcome == FINDING_FAILED) {
            finding.where = baseline_finding_where(arena, comparison);
        }
    }
    return finding;
}
