/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the text report under the figures: where the slowest requests spent their time, and
 * what the run cost in cpu time and in events counted.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/report/table.h"
#include "sim/report/text_parts.h"
#include "sim/run/figure.h"
#include "sim/run/format.h"

const char *text_point_label(const struct experiment *experiment, size_t point)
{
    return experiment->points[point].label;
}

const char *text_row_label(struct arena *arena, const struct experiment *experiment, size_t variant,
                           const struct run_result *run, size_t load)
{
    const char *name = experiment->variants[variant].name;
    if (run->load_count == 1) {
        return name;
    }
    return experiment->variant_count == 1
               ? arena_strdup(arena, run->loads[load].name)
               : arena_printf(arena, "%s %s", name, run->loads[load].name);
}

/* ---- Where the time went. ---- */

struct share {
    const char *phase;
    sim_sum spent;
};

/* What the band of the slowest 1 in 1000 spent, in phases from the largest down; returns how many
 * phases, 0 if there are no requests. */
static unsigned slowest_shares(struct arena *arena, const struct series *series, size_t load,
                               struct share *shares, sim_sum *total)
{
    const struct load_result *first = &series->runs[0]->loads[load];
    struct histogram pooled = figure_pool(arena, series, first->name, METRIC_LAT);
    if (pooled.count == 0) {
        return 0;
    }
    sim_time above = histogram_quantile(&pooled, (struct quantile){ 999, 1000 });
    sim_sum spent[WAY_PHASES_MAX] = { 0 };
    uint64_t count = 0;
    while (count == 0) {
        for (size_t i = 0; i < series->count; i++) {
            count += sparse_attribution_add_band(&series->runs[i]->loads[load].lat_phases, above,
                                                 pooled.max, spent);
        }
        /* The percentile and the maximum may share a bucket: then it is the slowest there is. */
        uint32_t bucket = log_linear_bucket(above < 0 ? 0 : above, ATTRIBUTION_OCTAVE_BITS);
        above = bucket == 0 ? -1 : log_linear_upper(bucket - 1, ATTRIBUTION_OCTAVE_BITS);
    }
    *total = 0;
    for (unsigned i = 0; i < first->phase_count; i++) {
        unsigned place = i;
        while (place > 0 && shares[place - 1].spent < spent[i]) {
            shares[place] = shares[place - 1];
            place--;
        }
        shares[place] = (struct share){ first->phases[i], spent[i] };
        *total += spent[i];
    }
    return first->phase_count;
}

/* From the largest down until nothing that matters is left. */
static const char *format_shares(struct arena *arena, const struct share *shares, unsigned count,
                                 sim_sum total)
{
    const char *text = "";
    double left = 1;
    for (unsigned i = 0; i < count && total > 0 && (left >= 0.04 || i < 2); i++) {
        double share = (double)shares[i].spent / (double)total;
        left -= share;
        if (share >= 0.001) {
            text = arena_printf(arena, "%s%s%s %.1f %%", text, i > 0 ? ", " : "", shares[i].phase,
                                share * 100);
        }
    }
    return text;
}

static void add_slowest(struct table *table, const struct result *result, size_t variant,
                        size_t point, const char *label)
{
    struct arena *arena = table->arena;
    struct series series = series_of(arena, result, variant, point);
    size_t loads = series.count == 0 ? 0 : series.runs[0]->load_count;
    for (size_t load = 0; load < loads; load++) {
        struct share shares[WAY_PHASES_MAX];
        sim_sum total = 0;
        struct arena *scratch = arena_create();
        unsigned count = slowest_shares(scratch, &series, load, shares, &total);
        arena_destroy(scratch);
        table_begin_row(table);
        table_add(table, arena_printf(arena, "  %s", label));
        table_add(table, text_row_label(arena, result->experiment, variant, series.runs[0], load));
        label = "";
        if (count == 0) {
            table_add(table, "no request was completed");
            continue;
        }
        table_add(table, format_shares(arena, shares, count, total));
    }
}

/* ---- Costs. ---- */

/* A cost is a metric of the run, listed as one of the runs has it; all runs of one stack have the
 * same. */
struct cost {
    struct metric metric;
    const char *label;
    enum metric_kind shown_as;
};

static size_t list_costs(struct arena *arena, const struct run_result *run, struct cost *costs)
{
    size_t count = 0;
    for (size_t i = 0; i < run->cpu_count; i++) {
        costs[count++] = (struct cost){
            .metric = { .kind = METRIC_UTILISATION,
                        .names = { run->cpus[i].name },
                        .name_count = 1 },
            .label = arena_printf(arena, "%s busy", run->cpus[i].name),
            .shown_as = METRIC_UTILISATION,
        };
    }
    for (size_t i = 0; i < run->counter_count; i++) {
        const struct report_entry *entry = &run->counters[i];
        struct cost *cost = &costs[count++];
        cost->metric = (struct metric){ .kind = METRIC_COUNTER,
                                        .names = { entry->owner, entry->name },
                                        .name_count = 2 };
        cost->label = arena_printf(arena, "%s %s", entry->owner, entry->name);
        cost->shown_as = figure_shown_as(run, &cost->metric);
    }
    return count;
}

static const char *format_cost(struct arena *arena, const struct series *series,
                               const struct cost *cost)
{
    struct figure figure = figure_of_series(arena, series, &cost->metric);
    if (!figure.known) {
        return "-";
    }
    return figure.value == 0 ? "0" : format_value(arena, cost->shown_as, figure.value);
}

/* Whether all texts of a cost are 0. */
static bool are_all_zero(const struct text_details *details, const struct experiment *experiment,
                         const char *const *texts)
{
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        for (size_t i = 0; i < details->point_count; i++) {
            if (strcmp(texts[variant * experiment->point_count + i], "0") != 0) {
                return false;
            }
        }
    }
    return true;
}

/* Whether no variant differs from the first at any point. */
static bool are_variants_equal(const struct text_details *details,
                               const struct experiment *experiment, const char *const *texts)
{
    for (size_t variant = 1; variant < experiment->variant_count; variant++) {
        for (size_t i = 0; i < details->point_count; i++) {
            if (strcmp(texts[variant * experiment->point_count + i], texts[i]) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* Several points have a column each, and the variants stand under each other; where they are equal
 * one row speaks for all. */
static void add_cost_rows(struct table *table, const struct text_details *details,
                          const struct experiment *experiment, const char *label,
                          const char *const *texts)
{
    size_t rows = are_variants_equal(details, experiment, texts) ? 1 : experiment->variant_count;
    for (size_t row = 0; row < rows; row++) {
        table_begin_row(table);
        table_add(table, row > 0 ? "" : label);
        table_add(table, rows == 1 ? "" : experiment->variants[row].name);
        for (size_t i = 0; i < details->point_count; i++) {
            table_add(table, texts[row * experiment->point_count + i]);
        }
    }
}

static void add_cost(struct table *table, const struct text_details *details,
                     const struct experiment *experiment, const struct cost *cost,
                     const char *const *texts)
{
    const char *label = arena_printf(table->arena, "  %s", cost->label);
    if (are_all_zero(details, experiment, texts)) {
        return;
    }
    if (experiment->point_count > 1) {
        add_cost_rows(table, details, experiment, label, texts);
        return;
    }
    table_begin_row(table);
    table_add(table, label);
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        table_add(table, texts[variant]);
    }
}

/* The length of what all labels begin with up to a `= `: `fio.depth = ` of a sweep of one key. */
static size_t common_head(const struct experiment *experiment)
{
    const char *first = experiment->points[0].label;
    const char *equals = strstr(first, "= ");
    size_t length = equals == NULL ? 0 : (size_t)(equals - first) + 2;
    for (size_t i = 0; i < experiment->point_count; i++) {
        const char *label = experiment->points[i].label;
        if (strncmp(label, first, length) != 0 || strchr(label, ',') != NULL) {
            return 0;
        }
    }
    return length;
}

static void add_cost_headings(struct table *table, const struct text_details *details,
                              const struct experiment *experiment)
{
    struct arena *arena = table->arena;
    table_begin_row(table);
    if (experiment->point_count == 1) {
        table_add(table, "");
        for (size_t variant = 0; variant < experiment->variant_count; variant++) {
            table_add(table, experiment->variants[variant].name);
        }
        return;
    }
    size_t head = common_head(experiment);
    const char *first = experiment->points[0].label;
    table_add(table, arena_printf(arena, "  %.*s", head == 0 ? 0 : (int)head - 1, first));
    table_add(table, "");
    for (size_t i = 0; i < details->point_count; i++) {
        table_add(table, experiment->points[details->points[i]].label + head);
    }
}

static void write_costs(const struct text_details *details, const struct experiment *experiment,
                        FILE *file)
{
    struct arena *arena = arena_create();
    bool one_point = experiment->point_count == 1;
    struct table table;
    table_init(&table, arena, one_point ? "lr" : "llr");
    add_cost_headings(&table, details, experiment);
    size_t row = experiment->variant_count * experiment->point_count;
    for (size_t i = 0; i < details->cost_count; i++) {
        add_cost(&table, details, experiment, &details->costs[i], details->texts + i * row);
    }
    fprintf(file, "\nwhat it cost: cpu time, and what was counted, per second\n");
    table_write(&table, one_point ? 1 : 2, TEXT_WIDTH, file);
    arena_destroy(arena);
}

/* ---- Both. ---- */

void text_details_init(struct text_details *details, struct arena *arena,
                       const struct result *result)
{
    const struct run_result *run = result->first;
    const struct experiment *experiment = result->experiment;
    *details = (struct text_details){ 0 };
    table_init(&details->measured, arena, "llrrrl");
    table_init(&details->slowest, arena, "l");
    details->points = arena_array(arena, experiment->point_count, sizeof(*details->points));
    if (run == NULL) {
        return;
    }
    size_t count = run->cpu_count + run->counter_count;
    details->costs = arena_array(arena, count, sizeof(*details->costs));
    details->cost_count = list_costs(arena, run, details->costs);
    size_t row = experiment->variant_count * experiment->point_count;
    details->texts = arena_array(arena, count * row, sizeof(*details->texts));
}

void text_details_add(struct text_details *details, const struct result *result, size_t point)
{
    struct arena *arena = details->slowest.arena;
    const struct experiment *experiment = result->experiment;
    const char *label = text_point_label(experiment, point);
    text_measured_add(&details->measured, result, point);
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        add_slowest(&details->slowest, result, variant, point, variant == 0 ? label : "");
        struct series series = series_of(arena, result, variant, point);
        for (size_t i = 0; i < details->cost_count; i++) {
            size_t row = i * experiment->variant_count + variant;
            details->texts[row * experiment->point_count + details->point_count] =
                format_cost(arena, &series, &details->costs[i]);
        }
    }
    details->points[details->point_count++] = point;
}

void text_details_write(const struct text_details *details, const struct experiment *experiment,
                        FILE *file)
{
    if (details->measured.columns > 0) {
        fprintf(file, "\nwhat else was measured: simulated, measured, error, of what\n");
        table_write(&details->measured, 2, SIZE_MAX, file);
    }
    if (details->slowest.columns > 0) {
        fprintf(file, "\nwhere the slowest 0.1 %% spent their time\n");
        table_write(&details->slowest, 2, TEXT_WIDTH, file);
    }
    if (details->cost_count > 0) {
        write_costs(details, experiment, file);
    }
}
