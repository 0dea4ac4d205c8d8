/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/text_report.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/config/until.h"
#include "sim/report/table.h"
#include "sim/report/text_columns.h"
#include "sim/report/text_parts.h"
#include "sim/run/figure.h"
#include "sim/run/format.h"
#include "sim/run/look.h"

struct text_report {
    const struct result *result; /* of which the runs of one point are there */
    struct arena *arena;
    struct table table;
    struct text_columns columns;
    size_t point_count; /* that have a finished run */
    struct look look;   /* of a whole result with `until` */
    /* What occurred and needs a word below the table. */
    bool has_few;
    bool has_named;
    bool has_open;
    bool has_at_least;
    bool has_unclear;
    bool has_growing;
    bool has_delivered;
};

static void add_headings(struct text_report *report, size_t point)
{
    struct table *table = &report->table;
    table_begin_row(table);
    table_add(table, text_point_label(report->result->experiment, point));
    for (size_t i = 0; i < report->columns.count; i++) {
        table_add(table, report->columns.items[i].heading);
        if (report->columns.items[i].has_interval) {
            table_add(table, "[sim. 95 %]");
        }
    }
    table_add(table, "unfinished");
}

/* ---- Rows. ---- */

static bool is_shown(const struct text_column *column, const struct figure *figure)
{
    return figure->known && (!figure->few || column->is_named);
}

static const char *format_cell(struct text_report *report, const struct text_column *column,
                               const struct figure *figure)
{
    report->has_few = report->has_few || (figure->known && figure->few);
    if (!is_shown(column, figure)) {
        return "-";
    }
    report->has_at_least = report->has_at_least || figure->at_least;
    report->has_named = report->has_named || figure->few;
    return arena_printf(report->arena, "%s%s",
                        figure->few        ? "~"
                        : figure->at_least ? ">="
                                           : "",
                        format_value(report->arena, column->metric.kind, figure->value));
}

static void add_interval(struct text_report *report, const struct text_column *column,
                         const struct figure *figure)
{
    bool shown = is_shown(column, figure);
    report->has_open = report->has_open || (shown && figure->interval == INTERVAL_OPEN);
    table_add(&report->table,
              shown ? format_interval(report->arena, column->metric.kind, figure) : "");
}

static const char *format_unfinished(struct arena *arena, const struct series *series,
                                     const char *load)
{
    uint64_t unfinished = 0;
    sim_time oldest = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct load_result *one = run_result_load(series->runs[i], load);
        unfinished += one->unfinished;
        oldest = one->oldest > oldest ? one->oldest : oldest;
    }
    if (unfinished == 0) {
        return "0";
    }
    return arena_printf(arena, "%" PRIu64 " (%s)", unfinished,
                        format_value(arena, METRIC_MAX, (double)oldest));
}

/* What the column shows in a row of this end; of a load that has two, there are two rows. */
static struct metric metric_at(const struct text_column *column, const char *load,
                               enum metric_end end)
{
    struct metric metric = column->metric;
    metric.load = load;
    metric.end = end == METRIC_DELIVERED ? end : metric.end;
    return metric;
}

/* The measured figures and the simulation's error, where there are any. */
static void add_measured(struct text_report *report, size_t variant, size_t point, const char *load,
                         enum metric_end end, const struct figure *simulated)
{
    const struct measured_figure *found[TEXT_COLUMNS_MAX];
    bool any = false;
    for (size_t i = 0; i < report->columns.count; i++) {
        struct metric metric = metric_at(&report->columns.items[i], load, end);
        found[i] = text_columns_measured(report->result->experiment, variant, point, load, &metric);
        any = any || found[i] != NULL;
    }
    for (int row = 0; any && row < 2; row++) {
        table_begin_row(&report->table);
        table_add(&report->table, row == 0 ? "    measured" : "    error");
        for (size_t i = 0; i < report->columns.count; i++) {
            const char *text = "";
            if (found[i] != NULL && row == 0) {
                text = format_value(report->arena, report->columns.items[i].metric.kind,
                                    found[i]->value);
            } else if (found[i] != NULL && simulated[i].known) {
                text = format_error(report->arena, simulated[i].value, found[i]->value);
            }
            table_add(&report->table, text);
            if (report->columns.items[i].has_interval) {
                table_add(&report->table, "");
            }
        }
    }
}

static void add_notes(struct text_report *report, const struct series *series, const char *load)
{
    const struct load_result *first = run_result_load(series->runs[0], load);
    uint64_t completed = 0;
    for (size_t i = 0; i < series->count; i++) {
        completed += run_result_load(series->runs[i], load)->completed;
    }
    if (completed == 0) {
        table_note(
            &report->table,
            arena_printf(report->arena, "    no request of `%s` was completed", first->name));
    }
    struct arena *scratch = arena_create();
    struct drift drift = figure_drift(scratch, series, load);
    if (figure_is_growing(scratch, series, load)) {
        report->has_growing = true;
        table_note(&report->table, "    unstable: the work in the system keeps growing");
    } else if (drift.certain) {
        const char *text = arena_printf(report->arena,
                                        "    warm-up too short: the mean of the first tenth is "
                                        "%.0f %% of the rest's",
                                        100 * drift.ratio);
        table_note(&report->table, text);
    }
    arena_destroy(scratch);
}

static void add_end(struct text_report *report, const struct series *series, const char *load,
                    enum metric_end end, struct figure *figures)
{
    struct arena *scratch = arena_create();
    for (size_t i = 0; i < report->columns.count; i++) {
        struct text_column *column = &report->columns.items[i];
        struct metric metric = metric_at(column, load, end);
        bool counted_above = end == METRIC_DELIVERED && metric.kind == METRIC_DROPS;
        figures[i] = figure_of_series(scratch, series, &metric);
        table_add(&report->table, counted_above ? "" : format_cell(report, column, &figures[i]));
        if (column->has_interval) {
            add_interval(report, column, &figures[i]);
        }
    }
    arena_destroy(scratch);
}

static void add_load(struct text_report *report, const struct series *series, size_t variant,
                     size_t point, size_t load)
{
    const struct run_result *run = series->runs[0];
    const char *name = run->loads[load].name;
    struct figure figures[TEXT_COLUMNS_MAX];
    table_begin_row(&report->table);
    table_add(&report->table, arena_printf(report->arena, "  %s",
                                           text_row_label(report->arena, report->result->experiment,
                                                          variant, run, load)));
    add_end(report, series, name, METRIC_LAT, figures);
    table_add(&report->table, format_unfinished(report->arena, series, name));
    add_measured(report, variant, point, name, METRIC_LAT, figures);
    if (run->loads[load].early) {
        report->has_delivered = true;
        table_begin_row(&report->table);
        table_add(&report->table, "    delivered");
        add_end(report, series, name, METRIC_DELIVERED, figures);
        add_measured(report, variant, point, name, METRIC_DELIVERED, figures);
    }
    add_notes(report, series, name);
}

static void add_variant(struct text_report *report, size_t variant, size_t point)
{
    struct series series = series_of(report->arena, report->result, variant, point);
    if (series.count == 0) {
        table_note(&report->table,
                   arena_printf(report->arena, "  %s: no run has finished",
                                report->result->experiment->variants[variant].name));
        return;
    }
    for (size_t load = 0; load < series.runs[0]->load_count; load++) {
        add_load(report, &series, variant, point, load);
    }
}

/* ---- Comparison. ---- */

/* A ratio of percentiles that are not shown themselves is none either. */
static bool is_hidden(struct arena *scratch, const struct result *result, size_t point,
                      size_t variant, const struct text_column *column, const struct metric *metric)
{
    struct series series = series_of(scratch, result, variant, point);
    struct figure figure = figure_of_series(scratch, &series, metric);
    return !is_shown(column, &figure);
}

static struct comparison compare(const struct result *result, size_t point,
                                 const struct text_column *column, const char *load,
                                 enum metric_end end)
{
    size_t from = (size_t)result->experiment->compare_from;
    size_t to = (size_t)result->experiment->compare_to;
    struct metric metric = metric_at(column, load, end);
    struct arena *scratch = arena_create();
    struct comparison comparison = { .verdict = VERDICT_NONE };
    if (metric.kind <= METRIC_PERCENTILE &&
        !is_hidden(scratch, result, point, from, column, &metric) &&
        !is_hidden(scratch, result, point, to, column, &metric)) {
        comparison = figure_compare(scratch, result, point, from, to, &metric);
    }
    arena_destroy(scratch);
    return comparison;
}

static void add_comparison_row(struct text_report *report, const char *label,
                               const char *const *texts)
{
    table_begin_row(&report->table);
    table_add(&report->table, label);
    for (size_t i = 0; i < report->columns.count; i++) {
        table_add(&report->table, texts[i]);
        if (report->columns.items[i].has_interval) {
            table_add(&report->table, "");
        }
    }
}

static void add_comparison(struct text_report *report, size_t point, const char *load,
                           enum metric_end end, bool several_loads)
{
    const struct experiment *experiment = report->result->experiment;
    const char *ratios[TEXT_COLUMNS_MAX];
    const char *directions[TEXT_COLUMNS_MAX];
    bool any = false;
    bool differs = false;
    for (size_t i = 0; i < report->columns.count; i++) {
        const struct text_column *column = &report->columns.items[i];
        struct comparison comparison = compare(report->result, point, column, load, end);
        ratios[i] = format_ratio(report->arena, &comparison);
        directions[i] = format_direction(&comparison, column->metric.kind);
        any = any || ratios[i][0] != '\0';
        differs = differs || directions[i][0] != '\0';
        report->has_unclear = report->has_unclear || comparison.verdict == VERDICT_UNCLEAR;
    }
    if (any) {
        const char *label =
            end == METRIC_DELIVERED
                ? "    delivered"
                : arena_printf(report->arena, "  %s vs %s%s%s",
                               experiment->variants[experiment->compare_to].name,
                               experiment->variants[experiment->compare_from].name,
                               several_loads ? ", " : "", several_loads ? load : "");
        add_comparison_row(report, label, ratios);
    }
    if (differs) {
        add_comparison_row(report, "", directions);
    }
}

/* Of a sweep that is spread over machines a part knows only some points. */
static bool has_runs(const struct result *result, size_t point)
{
    const struct experiment *experiment = result->experiment;
    struct run_key key = { .point = point };
    for (key.repeat = 0; key.repeat < (size_t)experiment->repeats; key.repeat++) {
        for (key.variant = 0; key.variant < experiment->variant_count; key.variant++) {
            if (result->runs[result_place(experiment, key)] != NULL) {
                return true;
            }
        }
    }
    return false;
}

static void add_point(struct text_report *report, size_t point)
{
    const struct experiment *experiment = report->result->experiment;
    add_headings(report, point);
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        add_variant(report, variant, point);
    }
    if (experiment->compare_from < 0) {
        return;
    }
    size_t to = (size_t)experiment->compare_to;
    struct series after = series_of(report->arena, report->result, to, point);
    size_t loads = after.count == 0 ? 0 : after.runs[0]->load_count;
    for (size_t load = 0; load < loads; load++) {
        const struct load_result *one = &after.runs[0]->loads[load];
        add_comparison(report, point, one->name, METRIC_LAT, loads > 1);
        if (one->early) {
            add_comparison(report, point, one->name, METRIC_DELIVERED, loads > 1);
        }
    }
}

/* ---- Head and foot. ---- */

static const char *exact_time(struct arena *arena, sim_time time)
{
    char text[UNITS_TEXT_BYTES];
    units_format_exact(UNITS_TIME, time, text, sizeof(text));
    return arena_strdup(arena, text);
}

static const char *measure_text(struct arena *arena, const struct engine_span *span)
{
    return span->requests == 0 ? exact_time(arena, span->measure)
                               : arena_printf(arena, "%" PRIu64 " request%s", span->requests,
                                              span->requests == 1 ? "" : "s");
}

/* How many repeats `until` took, and why no more. */
static void write_until(const struct text_report *report, FILE *file)
{
    const struct experiment *experiment = report->result->experiment;
    const struct until *until = experiment->until;
    const struct look *look = &report->look;
    fprintf(file, "until %s is within %.6g %%: ", until->metric.text, 100 * until->within);
    if (look->reached) {
        fprintf(file, "reached with %" PRId64 " repeats of at most %" PRId64 "\n",
                experiment->repeats, until->at_most);
        return;
    }
    const char *label = text_point_label(experiment, look->point);
    fprintf(file, "not reached with %" PRId64 " repeats, of at most %" PRId64 "; %s%s%s ",
            experiment->repeats, until->at_most, experiment->variants[look->variant].name,
            label[0] == '\0' ? "" : " at ", label);
    if (isinf(look->share)) {
        fputs("has no interval: measure longer\n", file);
    } else {
        fprintf(file, "is within %.3g %%\n", 100 * look->share);
    }
}

static void write_head(const struct text_report *report, FILE *file)
{
    const struct result *result = report->result;
    const struct experiment *experiment = result->experiment;
    const struct engine_span *span = &experiment->span;
    bool partial = result->finished < result->run_count;
    const char *bound = partial && experiment->until != NULL ? "at most " : "";
    fprintf(file, "%s   seed %" PRIu64 "   %s%" PRId64 " x %s after %s warm-up", experiment->title,
            experiment->seed, bound, experiment->repeats, measure_text(report->arena, span),
            exact_time(report->arena, span->warmup));
    if (span->drain > 0 && !experiment->drains_fully) {
        fprintf(file, ", drain %s", exact_time(report->arena, span->drain));
    }
    fprintf(file, "   ringtail %s%s\n", result->version, experiment->quick ? "   quick" : "");
    if (partial) {
        fprintf(file, "partial: %zu of %zu runs have finished", result->finished,
                result->run_count);
        if (report->point_count < experiment->point_count) {
            fprintf(file, ", at %zu of %zu points", report->point_count, experiment->point_count);
        }
        fputc('\n', file);
    } else if (experiment->until != NULL) {
        write_until(report, file);
    }
    fputc('\n', file);
}

static void write_ends(const struct text_report *report, FILE *file)
{
    const struct experiment *experiment = report->result->experiment;
    static const struct {
        const char *name;
        const char *text;
    } ends[] = {
        [METRIC_LAT] = { "lat", "due to completed" },
        [METRIC_CLAT] = { "clat", "submitted to completed" },
        [METRIC_DELIVERED] = { "delivered", "due to delivered" },
    };
    const enum metric_end used[] = {
        text_columns_end(experiment, METRIC_MEAN),
        text_columns_end(experiment, METRIC_PERCENTILE),
        text_columns_end(experiment, METRIC_MAX),
    };
    fprintf(file, "\nmean of %s, percentiles of %s by nearest rank, max of %s", ends[used[0]].name,
            ends[used[1]].name, ends[used[2]].name);
    for (size_t end = 0; end < ARRAY_LENGTH(ends); end++) {
        bool delivered = end == METRIC_DELIVERED && report->has_delivered;
        if (used[0] == end || used[1] == end || used[2] == end || delivered) {
            fprintf(file, "; %s: %s", ends[end].name, ends[end].text);
        }
    }
    fputc('\n', file);
}

static void write_counts(const struct result *result, FILE *file)
{
    fprintf(file,
            "%" PRIu64 " requests counted, %" PRIu64
            " cut as warm-up; unfinished: of all repeats (age of the oldest)\n",
            result->totals.arrivals, result->totals.cut);
}

static void write_foot(const struct text_report *report, FILE *file)
{
    write_ends(report, file);
    write_counts(report->result, file);
    const struct {
        bool occurs;
        const char *text;
    } notes[] = {
        { report->has_few && !report->has_named,
          "-          fewer than 10 requests are above it: not shown" },
        { report->has_named, "~          fewer than 10 requests are above it: a guess" },
        { report->has_open,
          "[> x]      too few requests are above it for an upper end: measure longer" },
        { report->has_at_least, ">=         requests that did not finish could raise it" },
        { report->has_unclear,
          "unclear    the difference is not certain: more repeats, or longer" },
        { report->has_growing, "unstable   the percentiles measure the length of the run" },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(notes); i++) {
        if (notes[i].occurs) {
            fprintf(file, "%s\n", notes[i].text);
        }
    }
}

static void write_all(struct text_report *report, const struct text_details *details, FILE *file)
{
    write_head(report, file);
    table_write(&report->table, 1, SIZE_MAX, file); /* one block a point, however wide */
    write_foot(report, file);
    text_details_write(details, report->result->experiment, file);
}

bool text_report_write(struct result *result, FILE *file, struct error *err)
{
    struct text_report report = { .result = result, .arena = arena_create() };
    struct text_details details;
    table_init(&report.table, report.arena, "lrrrrrlr");
    text_details_init(&details, report.arena, result);
    report.columns = text_columns_choose(result);
    bool good = !look_is_due(result) || look_at(result, &report.look, err);
    for (size_t point = 0; good && point < result->experiment->point_count; point++) {
        good = result_open_point(result, point, err);
        if (good && has_runs(result, point)) {
            if (details.point_count > 0) {
                table_note(&report.table, "");
            }
            add_point(&report, point);
            text_details_add(&details, result, point);
        }
    }
    if (good) {
        report.point_count = details.point_count;
        write_all(&report, &details, file);
    }
    result_close_point(result);
    arena_destroy(report.arena);
    return good;
}
