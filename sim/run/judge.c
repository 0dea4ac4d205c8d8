/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/judge.h"

#include <math.h>

#include "sim/config/expect.h"
#include "sim/run/figure.h"
#include "sim/run/format.h"

/* An expectation at a point. */
struct judged {
    const struct result *result;
    struct arena *arena; /* of the findings */
    const struct expectation *expectation;
    size_t point;
    struct series series;
};

/* What an expectation looks at: a figure or a ratio of two. */
struct looked_at {
    bool known;
    double value;
    double low;
    double high;
    bool few; /* too few requests in the tail for an upper end */
};

static struct looked_at look_at_figure(struct arena *scratch, const struct judged *judged)
{
    const struct metric *metric = &judged->expectation->metric;
    struct figure figure = figure_of_series(scratch, &judged->series, metric);
    struct looked_at seen = { figure.known, figure.value, figure.value, figure.value, false };
    bool is_total = metric->kind == METRIC_MAX || metric->kind == METRIC_DROPS ||
                    metric->kind == METRIC_UNFINISHED;
    if (figure.interval == INTERVAL_NONE && !is_total) {
        seen.low = -INFINITY;
        seen.high = INFINITY;
    } else if (figure.interval != INTERVAL_NONE) {
        seen.low = figure.low;
        seen.high = figure.interval == INTERVAL_OPEN ? INFINITY : figure.high;
    }
    seen.few = figure.interval == INTERVAL_OPEN;
    double raised = metric->kind == METRIC_MEAN ? figure.likely : figure.raised;
    if (figure.at_least && raised > seen.high) {
        seen.high = raised;
    }
    return seen;
}

static struct looked_at look_at_ratio(struct arena *scratch, const struct judged *judged)
{
    const struct expectation *expectation = judged->expectation;
    struct comparison comparison =
        figure_compare(scratch, judged->result, judged->point, expectation->versus, expectation->of,
                       &expectation->metric);
    /* The repeats differ, but unfinished requests or a thin tail could overturn it. */
    bool infirm =
        comparison.verdict == VERDICT_UNCLEAR && (comparison.low > 1 || comparison.high < 1);
    return (struct looked_at){
        .known = comparison.verdict != VERDICT_NONE,
        .value = comparison.ratio,
        .low = infirm ? -INFINITY : comparison.low,
        .high = infirm ? INFINITY : comparison.high,
    };
}

static struct looked_at look_at_error(struct arena *scratch, const struct judged *judged)
{
    const struct expectation *expectation = judged->expectation;
    const struct experiment *experiment = judged->result->experiment;
    struct looked_at seen = look_at_figure(scratch, judged);
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        if (figure->variant == expectation->of && figure->point == judged->point &&
            metric_equals(&figure->metric, &expectation->metric)) {
            if (figure->value == 0) { /* equal, or infinitely wrong */
                bool equal = seen.value == 0;
                return (struct looked_at){ seen.known, equal ? 1 : INFINITY, equal ? 1 : INFINITY,
                                           equal ? 1 : INFINITY, false };
            }
            return (struct looked_at){ seen.known, seen.value / figure->value,
                                       seen.low / figure->value, seen.high / figure->value,
                                       seen.few };
        }
    }
    seen.known = false;
    return seen;
}

/* ---- Texts. ---- */

static const char *limits_text(const struct judged *judged)
{
    const struct expectation *expectation = judged->expectation;
    struct arena *arena = judged->arena;
    bool own = expectation->against == EXPECT_ITSELF;
    enum metric_kind kind = figure_shown_as(judged->result->first, &expectation->metric);
    const char *low = own && isfinite(expectation->low)
                          ? format_value(arena, kind, expectation->low)
                          : arena_printf(arena, "%.4gx", expectation->low);
    const char *high = own && isfinite(expectation->high)
                           ? format_value(arena, kind, expectation->high)
                           : arena_printf(arena, "%.4gx", expectation->high);
    if (isinf(expectation->low)) {
        return arena_printf(arena, "at most %s", high);
    }
    return isinf(expectation->high) ? arena_printf(arena, "at least %s", low)
                                    : arena_printf(arena, "%s to %s", low, high);
}

static const char *value_text(const struct judged *judged, double value)
{
    if (isinf(value)) {
        return value < 0 ? "-" : "?";
    }
    if (judged->expectation->against != EXPECT_ITSELF) {
        return arena_printf(judged->arena, "%.*fx", value < 9.995 ? 2 : 1, value);
    }
    enum metric_kind kind = figure_shown_as(judged->result->first, &judged->expectation->metric);
    return format_value(judged->arena, kind, value);
}

static const char *detail_text(const struct judged *judged, const struct looked_at *seen)
{
    struct arena *arena = judged->arena;
    if (!seen->known) {
        return arena_printf(arena, "no such figure, %s", limits_text(judged));
    }
    const char *value = value_text(judged, seen->value);
    if (seen->low == seen->high || (isinf(seen->low) && isinf(seen->high))) {
        return arena_printf(arena, "%s, %s", value, limits_text(judged));
    }
    return arena_printf(arena, "%s [%s, %s], %s", value, value_text(judged, seen->low),
                        value_text(judged, seen->high), limits_text(judged));
}

static const char *name_text(const struct judged *judged)
{
    const struct expectation *expectation = judged->expectation;
    const struct experiment *experiment = judged->result->experiment;
    struct arena *arena = judged->arena;
    const char *label = experiment->points[judged->point].label;
    const char *name = expectation->name;
    if (name == NULL) {
        const char *versus = expectation->against == EXPECT_MEASURED ? "measured"
                             : expectation->against == EXPECT_VARIANT
                                 ? experiment->variants[expectation->versus].name
                                 : NULL;
        name = arena_printf(arena, "%s of %s%s%s", expectation->metric.text,
                            experiment->variants[expectation->of].name,
                            versus == NULL ? "" : " versus ", versus == NULL ? "" : versus);
    }
    return label[0] == '\0' ? name : arena_printf(arena, "%s, %s", name, label);
}

/* ---- Why it cannot be told. ---- */

/* A percentile that some repeats have far below a limit and others far above sits on the edge of a
 * step, such as the share of requests that starve: longer runs move it, but settle nothing. */
static const char *find_step(struct arena *scratch, const struct judged *judged)
{
    const struct expectation *expectation = judged->expectation;
    size_t count = 0;
    double *values = arena_array(scratch, judged->series.count, sizeof(*values));
    for (size_t i = 0; i < judged->series.count; i++) {
        double value = 0;
        if (figure_of_run(judged->series.runs[i], &expectation->metric, &value)) {
            size_t place = count++;
            for (; place > 0 && values[place - 1] > value; place--) {
                values[place] = values[place - 1];
            }
            values[place] = value;
        }
    }
    for (size_t below = (count + 3) / 4; below > 0 && below <= count - (count + 3) / 4; below++) {
        double lower = values[below - 1];
        double upper = values[below];
        bool spreads = values[below - 1] - values[0] > (upper - lower) / 2 ||
                       values[count - 1] - upper > (upper - lower) / 2;
        if (upper > 1.5 * lower && !spreads) {
            enum metric_kind kind = figure_shown_as(judged->result->first, &expectation->metric);
            return arena_printf(judged->arena,
                                "it sits on the edge of a step: %zu of %zu repeats have at most "
                                "%s, the others at least %s; choose another percentile",
                                below, count, format_value(judged->arena, kind, lower),
                                format_value(judged->arena, kind, upper));
        }
    }
    return NULL;
}

/* How much longer a run has to be so that every repeat has enough requests above the percentile. */
static const char *longer_text(const struct judged *judged)
{
    const struct quantile quantile = judged->expectation->metric.quantile;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < judged->series.count; i++) {
        const struct load_result *load =
            run_result_load(judged->series.runs[i], judged->expectation->metric.load);
        uint64_t count = load == NULL ? 0 : load->ends[judged->expectation->metric.end].count;
        least = count < least ? count : least;
    }
    double above = (double)(quantile.denominator - quantile.numerator) /
                   (double)quantile.denominator * (double)least;
    return above <= 0 ? "measure longer"
                      : arena_printf(judged->arena, "measure at least %.2g times as long",
                                     ceil(10 * 2 * STATISTICS_REPEAT_ABOVE_MIN / above) / 10);
}

static const char *advice_text(struct arena *scratch, const struct judged *judged,
                               const struct looked_at *seen, bool growing)
{
    const struct metric *metric = &judged->expectation->metric;
    if (growing) {
        return "the system is unstable: the figure measures the length of the run";
    }
    if (!seen->known) {
        return "no request was completed, or a value is 0";
    }
    if (judged->series.count < 2) {
        return "one repeat has no interval: make more";
    }
    const char *step = metric->kind == METRIC_PERCENTILE ? find_step(scratch, judged) : NULL;
    if (step != NULL) {
        return step;
    }
    return seen->few && metric->kind == METRIC_PERCENTILE
               ? longer_text(judged)
               : "the interval straddles the limit: more repeats, or longer ones";
}

/* ---- Verdict. ---- */

static bool is_latency(enum metric_kind kind)
{
    return kind == METRIC_MEAN || kind == METRIC_PERCENTILE || kind == METRIC_MAX;
}

static enum outcome decide(const struct expectation *expectation, const struct looked_at *seen)
{
    if (!seen->known || seen->value != seen->value) {
        return FINDING_INCONCLUSIVE;
    }
    if (seen->low >= expectation->low && seen->high <= expectation->high) {
        return FINDING_PASSED;
    }
    if (seen->low > expectation->high || seen->high < expectation->low) {
        return FINDING_FAILED;
    }
    return FINDING_INCONCLUSIVE;
}

static struct looked_at look(struct arena *scratch, const struct judged *judged)
{
    switch (judged->expectation->against) {
    case EXPECT_VARIANT:
        return look_at_ratio(scratch, judged);
    case EXPECT_MEASURED:
        return look_at_error(scratch, judged);
    default:
        return look_at_figure(scratch, judged);
    }
}

/* An empty side never passes. */
static bool is_empty(const struct judged *judged)
{
    const struct metric *metric = &judged->expectation->metric;
    uint64_t completed = 0;
    for (size_t i = 0; i < judged->series.count; i++) {
        const struct run_result *run = judged->series.runs[i];
        for (size_t load = 0; load < run->load_count; load++) {
            const struct load_result *one = &run->loads[load];
            bool meant = metric->load == NULL || run_result_load(run, metric->load) == one;
            completed += meant ? one->completed : 0;
        }
    }
    return completed == 0;
}

static void judge(struct arena *scratch, const struct judged *judged, struct findings *findings)
{
    const struct expectation *expectation = judged->expectation;
    const struct metric *metric = &expectation->metric;
    struct looked_at seen = { .known = false };
    bool empty = is_empty(judged);
    bool growing = !empty && is_latency(metric->kind) &&
                   figure_is_growing(scratch, &judged->series, metric->load);
    if (!empty) {
        seen = look(scratch, judged);
    }
    struct finding finding = {
        .outcome = empty     ? FINDING_FAILED
                   : growing ? FINDING_INCONCLUSIVE
                             : decide(expectation, &seen),
        .group = "expectation",
        .name = name_text(judged),
        .detail = empty ? "no request was completed" : detail_text(judged, &seen),
        .why = expectation->reason,
        .place = expectation->place,
        .kind = figure_shown_as(judged->result->first, metric),
        .is_ratio = expectation->against != EXPECT_ITSELF,
        .known = seen.known,
        .value = seen.value,
        .low = seen.low,
        .high = seen.high,
    };
    if (finding.outcome == FINDING_INCONCLUSIVE) {
        finding.advice = advice_text(scratch, judged, &seen, growing);
    }
    findings_add(findings, &finding);
}

void judge_point(const struct experiment *experiment, const struct result *result, size_t point,
                 struct findings *findings)
{
    for (size_t i = 0; i < experiment->expectation_count; i++) {
        const struct expectation *expectation = &experiment->expectations[i];
        if (!expectation->points[point]) {
            continue;
        }
        struct arena *scratch = arena_create();
        struct judged judged = { result, findings->arena, expectation, point,
                                 series_of(scratch, result, expectation->of, point) };
        judge(scratch, &judged, findings);
        arena_destroy(scratch);
    }
}
