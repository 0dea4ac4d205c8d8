/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/rows.h"

#include <math.h>
#include <string.h>

struct rows {
    struct result *result;
    struct arena *arena; /* of the point */
    size_t point;
    rows_visit *visit;
    void *context;
};

static const char *const end_names[] = {
    [METRIC_LAT] = "lat",
    [METRIC_CLAT] = "clat",
    [METRIC_DELIVERED] = "delivered",
};

static const struct {
    const char *name;
    struct quantile quantile;
} percentiles[] = {
    { "p50", { 1, 2 } },        { "p90", { 9, 10 } },          { "p99", { 99, 100 } },
    { "p99.9", { 999, 1000 } }, { "p99.99", { 9999, 10000 } },
};

/* ---- Numbers. ---- */

static double unit_of(enum metric_kind kind, const char **name)
{
    switch (kind) {
    case METRIC_MEAN:
    case METRIC_PERCENTILE:
    case METRIC_MAX:
    case METRIC_PHASE:
        *name = "us";
        return (double)SIM_US;
    case METRIC_RATE:
    case METRIC_COUNTER:
        *name = "1/s";
        return 1;
    case METRIC_UTILISATION:
    case METRIC_SHARE:
        *name = "share";
        return 1;
    default:
        *name = "";
        return 1;
    }
}

/* The figure of the real system; a load that it does not name is the only one. */
static const struct measured_figure *measured_of(const struct rows *rows, size_t variant,
                                                 const struct metric *metric)
{
    const struct experiment *experiment = rows->result->experiment;
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        if (figure->variant == variant && figure->point == rows->point &&
            metric_equals(&figure->metric, metric)) {
            return figure;
        }
    }
    return NULL;
}

/* Few requests above it: only what is named by a measured figure is shown. */
static bool is_shown(const struct figure *figure, const struct measured_figure *measured)
{
    return figure->known && (!figure->few || measured != NULL);
}

static void add(struct rows *rows, const struct series *series, size_t variant,
                const struct metric *metric, const char *note)
{
    struct arena *scratch = arena_create();
    struct figure figure = figure_of_series(scratch, series, metric);
    arena_destroy(scratch);
    const struct measured_figure *measured = measured_of(rows, variant, metric);
    if (!is_shown(&figure, measured)) {
        return;
    }
    struct row row = {
        .point = rows->point,
        .variant = rows->result->experiment->variants[variant].name,
        .versus = "",
        .load = metric->load == NULL ? "" : metric->load,
        .metric = metric->text,
        .note = figure.few        ? "few"
                : figure.at_least ? "at_least"
                                  : note,
    };
    double unit = unit_of(metric->kind, &row.unit);
    row.value = figure.value / unit;
    row.has_low = figure.interval != INTERVAL_NONE;
    row.has_high = figure.interval == INTERVAL_BOTH;
    row.low = figure.low / unit;
    row.high = figure.high / unit;
    row.has_measured = measured != NULL;
    row.measured = measured == NULL ? 0 : measured->value / unit;
    rows->visit(rows->context, &row);
}

/* ---- Of a load. ---- */

static void add_end(struct rows *rows, const struct series *series, size_t variant,
                    struct metric metric, const char *note)
{
    const char *end = end_names[metric.end];
    metric.kind = METRIC_MEAN;
    metric.text = arena_printf(rows->arena, "%s.mean", end);
    add(rows, series, variant, &metric, note);
    metric.kind = METRIC_PERCENTILE;
    for (size_t i = 0; i < ARRAY_LENGTH(percentiles); i++) {
        metric.text = arena_printf(rows->arena, "%s.%s", end, percentiles[i].name);
        metric.quantile = percentiles[i].quantile;
        add(rows, series, variant, &metric, note);
    }
    metric.kind = METRIC_MAX;
    metric.text = arena_printf(rows->arena, "%s.max", end);
    add(rows, series, variant, &metric, note);
}

/* `queue: in ring` is `queue:in ring` in a metric. */
static const char *phase_name(struct arena *arena, const char *phase)
{
    size_t stage = strcspn(phase, ":");
    return arena_printf(arena, "%.*s:%s", (int)stage, phase, phase + stage + 2);
}

static void add_load(struct rows *rows, const struct series *series, size_t variant,
                     const struct load_result *load)
{
    struct metric metric = { .load = load->name, .end = METRIC_LAT };
    struct drift drift = figure_drift(rows->arena, series, load->name);
    const char *note = figure_is_growing(rows->arena, series, load->name) ? "growing"
                       : drift.certain                                    ? "drifting"
                                                                          : "";
    static const struct {
        const char *name;
        enum metric_kind kind;
    } counts[] = { { "rate", METRIC_RATE },
                   { "drops", METRIC_DROPS },
                   { "unfinished", METRIC_UNFINISHED } };
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
        metric.text = counts[i].name;
        metric.kind = counts[i].kind;
        add(rows, series, variant, &metric, note);
    }
    if (load->early) {
        metric.end = METRIC_DELIVERED;
        metric.kind = METRIC_RATE;
        metric.text = "delivered.rate";
        add(rows, series, variant, &metric, note);
    }
    for (size_t end = 0; end < ARRAY_LENGTH(end_names); end++) {
        if (end != METRIC_DELIVERED || load->early) {
            metric.end = (enum metric_end)end;
            add_end(rows, series, variant, metric, note);
        }
    }
    for (unsigned i = 0; i < load->phase_count; i++) {
        const char *name = phase_name(rows->arena, load->phases[i]);
        struct metric phase = {
            .text = arena_printf(rows->arena, "phase.%s", name),
            .kind = METRIC_PHASE,
            .load = load->name,
            .names = { name },
            .name_count = 1,
        };
        add(rows, series, variant, &phase, note);
    }
}

/* ---- Of a run. ---- */

static void add_costs(struct rows *rows, const struct series *series, size_t variant)
{
    const struct run_result *run = rows->result->first;
    for (size_t i = 0; i < run->cpu_count; i++) {
        struct metric metric = {
            .text = arena_printf(rows->arena, "utilisation.%s", run->cpus[i].name),
            .kind = METRIC_UTILISATION,
            .names = { run->cpus[i].name },
            .name_count = 1,
        };
        add(rows, series, variant, &metric, "");
    }
    for (size_t i = 0; i < run->counter_count; i++) {
        const struct report_entry *entry = &run->counters[i];
        struct metric metric = {
            .text = arena_printf(rows->arena, "counter.%s.%s", entry->owner, entry->name),
            .kind = METRIC_COUNTER,
            .names = { entry->owner, entry->name },
            .name_count = 2,
        };
        struct figure figure = figure_of_series(rows->arena, series, &metric);
        const struct measured_figure *measured = measured_of(rows, variant, &metric);
        struct row row = {
            .point = rows->point,
            .variant = rows->result->experiment->variants[variant].name,
            .versus = "",
            .load = "",
            .metric = metric.text,
            .has_measured = measured != NULL,
            .note = "",
        };
        double unit = unit_of(figure_shown_as(run, &metric), &row.unit);
        row.value = figure.value / unit;
        row.measured = measured == NULL ? 0 : measured->value / unit;
        rows->visit(rows->context, &row);
    }
}

/* Whether it has a row already. */
static bool is_usual(const struct metric *metric)
{
    if (metric->kind != METRIC_PERCENTILE) {
        return metric->kind != METRIC_PHASE || metric->name_count == 1;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(percentiles); i++) {
        const struct quantile *usual = &percentiles[i].quantile;
        if (usual->numerator * metric->quantile.denominator ==
            metric->quantile.numerator * usual->denominator) {
            return true;
        }
    }
    return false;
}

/* What was measured and has no row yet: sums of phases, rare percentiles. */
static void add_named(struct rows *rows, const struct series *series, size_t variant)
{
    const struct experiment *experiment = rows->result->experiment;
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        if (figure->variant == variant && figure->point == rows->point &&
            !is_usual(&figure->metric)) {
            add(rows, series, variant, &figure->metric, "");
        }
    }
}

/* ---- Of two variants. ---- */

static void add_comparison(struct rows *rows, const struct series *const sides[2],
                           const struct metric *metric)
{
    static const char *const notes[] = {
        [VERDICT_SAME] = "same",
        [VERDICT_LOWER] = "lower",
        [VERDICT_HIGHER] = "higher",
        [VERDICT_UNCLEAR] = "unclear",
    };
    const struct experiment *experiment = rows->result->experiment;
    size_t from = (size_t)experiment->compare_from;
    size_t to = (size_t)experiment->compare_to;
    struct arena *scratch = arena_create();
    struct comparison comparison = { .verdict = VERDICT_NONE };
    struct figure before = figure_of_series(scratch, sides[0], metric);
    struct figure after = figure_of_series(scratch, sides[1], metric);
    if (is_shown(&before, measured_of(rows, from, metric)) &&
        is_shown(&after, measured_of(rows, to, metric))) {
        comparison = figure_compare(scratch, rows->result, rows->point, from, to, metric);
    }
    arena_destroy(scratch);
    if (comparison.verdict == VERDICT_NONE) {
        return;
    }
    const struct row row = {
        .point = rows->point,
        .variant = experiment->variants[to].name,
        .versus = experiment->variants[from].name,
        .load = metric->load,
        .metric = metric->text,
        .unit = "ratio",
        .value = comparison.ratio,
        .has_low = comparison.low > 0,
        .has_high = isfinite(comparison.high) != 0,
        .low = comparison.low,
        .high = comparison.high,
        .note = notes[comparison.verdict],
    };
    rows->visit(rows->context, &row);
}

static void add_comparisons(struct rows *rows)
{
    const struct experiment *experiment = rows->result->experiment;
    struct series before =
        series_of(rows->arena, rows->result, (size_t)experiment->compare_from, rows->point);
    struct series after =
        series_of(rows->arena, rows->result, (size_t)experiment->compare_to, rows->point);
    const struct series *const sides[2] = { &before, &after };
    size_t loads = before.count == 0 || after.count == 0 ? 0 : after.runs[0]->load_count;
    for (size_t load = 0; load < loads; load++) {
        struct metric metric = {
            .text = "rate",
            .kind = METRIC_RATE,
            .load = after.runs[0]->loads[load].name,
        };
        add_comparison(rows, sides, &metric);
        metric.kind = METRIC_MEAN;
        metric.text = "lat.mean";
        add_comparison(rows, sides, &metric);
        metric.kind = METRIC_PERCENTILE;
        for (size_t i = 0; i < ARRAY_LENGTH(percentiles); i++) {
            metric.text = arena_printf(rows->arena, "lat.%s", percentiles[i].name);
            metric.quantile = percentiles[i].quantile;
            add_comparison(rows, sides, &metric);
        }
    }
}

static void add_point(struct rows *rows)
{
    const struct experiment *experiment = rows->result->experiment;
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        struct series series = series_of(rows->arena, rows->result, variant, rows->point);
        for (size_t load = 0; series.count > 0 && load < series.runs[0]->load_count; load++) {
            add_load(rows, &series, variant, &series.runs[0]->loads[load]);
        }
        if (series.count > 0) {
            add_named(rows, &series, variant);
            add_costs(rows, &series, variant);
        }
    }
    if (experiment->compare_from >= 0) {
        add_comparisons(rows);
    }
}

bool rows_of(struct result *result, rows_visit *visit, void *context, struct error *err)
{
    struct rows rows = { .result = result, .visit = visit, .context = context };
    bool good = true;
    for (; good && rows.point < result->experiment->point_count; rows.point++) {
        good = result_open_point(result, rows.point, err);
        if (good) {
            rows.arena = arena_create();
            add_point(&rows);
            arena_destroy(rows.arena);
        }
    }
    result_close_point(result);
    return good;
}
