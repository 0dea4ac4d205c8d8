/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/baseline.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/run/figure.h"
#include "sim/run/result_store.h"

/* What is held of each end, in the order of the file. */
static const struct {
    const char *name;
    enum metric_kind kind;
    struct quantile quantile;
} metrics[] = {
    { "rate", METRIC_RATE, { 0, 1 } },
    { "mean", METRIC_MEAN, { 0, 1 } },
    { "p50", METRIC_PERCENTILE, { 1, 2 } },
    { "p90", METRIC_PERCENTILE, { 9, 10 } },
    { "p99", METRIC_PERCENTILE, { 99, 100 } },
    { "p99.9", METRIC_PERCENTILE, { 999, 1000 } },
    { "p99.99", METRIC_PERCENTILE, { 9999, 10000 } },
    { "max", METRIC_MAX, { 0, 1 } },
    { "unfinished", METRIC_UNFINISHED, { 0, 1 } },
};

static const struct quantile tail_begin = { 99, 100 };

const char *baseline_path(struct arena *arena, const char *experiment_file)
{
    const char *slash = strrchr(experiment_file, '/');
    const char *name = slash == NULL ? experiment_file : slash + 1;
    const char *dot = strrchr(name, '.');
    size_t length =
        dot == NULL || dot == name ? strlen(experiment_file) : (size_t)(dot - experiment_file);
    return arena_printf(arena, "%.*s.baseline.json", (int)length, experiment_file);
}

/* ---- Order. ---- */

int baseline_key_order(const struct baseline_key *a, const struct baseline_key *b)
{
    int order = strcmp(a->point, b->point);
    order = order != 0 ? order : strcmp(a->variant, b->variant);
    return order != 0 ? order : strcmp(a->load, b->load);
}

static size_t metric_place(const struct metric *metric)
{
    size_t place = 0;
    while (place < ARRAY_LENGTH(metrics) &&
           (metrics[place].kind != metric->kind ||
            (metric->kind == METRIC_PERCENTILE &&
             metrics[place].quantile.numerator * metric->quantile.denominator !=
                 metrics[place].quantile.denominator * metric->quantile.numerator))) {
        place++;
    }
    return place + (size_t)metric->end * ARRAY_LENGTH(metrics);
}

bool baseline_is_metric(const struct metric *metric)
{
    size_t place = metric_place(metric) - (size_t)metric->end * ARRAY_LENGTH(metrics);
    return metric->end != METRIC_CLAT && place < ARRAY_LENGTH(metrics) &&
           (metric->end == METRIC_LAT || metric->kind != METRIC_UNFINISHED);
}

int baseline_row_order(const struct baseline_row *a, const struct baseline_row *b)
{
    int order = baseline_key_order(&a->key, &b->key);
    size_t places[] = { metric_place(&a->metric), metric_place(&b->metric) };
    return order != 0 ? order : (places[0] > places[1]) - (places[0] < places[1]);
}

static int order_rows(const void *a, const void *b)
{
    return baseline_row_order(a, b);
}

static int order_phases(const void *a, const void *b)
{
    const struct baseline_phases *one = a;
    const struct baseline_phases *other = b;
    int order = baseline_key_order(&one->key, &other->key);
    return order != 0 ? order : (one->end > other->end) - (one->end < other->end);
}

void baseline_end(struct baseline *baseline)
{
    if (baseline->row_count > 0) {
        qsort(baseline->rows, baseline->row_count, sizeof(*baseline->rows), order_rows);
    }
    if (baseline->phases_count > 0) {
        qsort(baseline->phases, baseline->phases_count, sizeof(*baseline->phases), order_phases);
    }
}

const struct baseline_row *baseline_find(const struct baseline *baseline,
                                         const struct baseline_key *key,
                                         const struct metric *metric)
{
    const struct baseline_row row = { .key = *key, .metric = *metric };
    return baseline->row_count == 0
               ? NULL
               : bsearch(&row, baseline->rows, baseline->row_count, sizeof(row), order_rows);
}

const struct baseline_phases *baseline_find_phases(const struct baseline *baseline,
                                                   const struct baseline_key *key,
                                                   enum metric_end end)
{
    const struct baseline_phases phases = { .key = *key, .end = end };
    return baseline->phases_count == 0 ? NULL
                                       : bsearch(&phases, baseline->phases, baseline->phases_count,
                                                 sizeof(phases), order_phases);
}

/* ---- Adding. ---- */

/* Room for one more. */
static void *grown(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    *capacity = 2 * *capacity + 64;
    void *larger = arena_array(arena, *capacity, size);
    if (count > 0) {
        memcpy(larger, items, count * size);
    }
    return larger;
}

void baseline_add_row(struct baseline *baseline, const struct baseline_row *row)
{
    baseline->rows = grown(baseline->arena, baseline->rows, baseline->row_count,
                           &baseline->row_capacity, sizeof(*row));
    baseline->rows[baseline->row_count++] = *row;
}

void baseline_add_phases(struct baseline *baseline, const struct baseline_phases *phases)
{
    baseline->phases = grown(baseline->arena, baseline->phases, baseline->phases_count,
                             &baseline->phases_capacity, sizeof(*phases));
    baseline->phases[baseline->phases_count++] = *phases;
}

struct baseline baseline_begin(struct arena *arena, const struct result *result)
{
    const struct experiment *experiment = result->experiment;
    struct baseline baseline = {
        .arena = arena,
        .version = arena_strdup(arena, result->version),
        .title = arena_strdup(arena, experiment->title),
        .seed = experiment->seed,
        .span = experiment->span,
        .drains_fully = experiment->drains_fully,
        .quick = experiment->quick,
        .repeats = (size_t)experiment->repeats,
        .parameters = parameters_of(arena, experiment),
    };
    if (result->store != NULL) {
        memcpy(baseline.hash, result->store->header->hash, sizeof(baseline.hash));
    } else {
        experiment_hash(experiment, baseline.hash);
    }
    return baseline;
}

/* One variant at a point under way. */
struct side {
    struct baseline *baseline;
    struct arena *scratch;
    struct series series;
    struct baseline_key key;
    bool growing;
};

/* As the file keeps it, so that a figure that was written and read back is equal. */
static double rounded(double value, enum metric_kind kind)
{
    if (kind != METRIC_RATE) {
        return floor(value + 0.5);
    }
    char text[32];
    snprintf(text, sizeof(text), "%.15g", value);
    return strtod(text, NULL);
}

static bool is_latency(const struct metric *metric)
{
    return metric->kind == METRIC_MEAN || metric->kind == METRIC_PERCENTILE ||
           metric->kind == METRIC_MAX;
}

static void add_metric(struct side *side, const struct metric *metric)
{
    struct baseline *baseline = side->baseline;
    struct arena *arena = arena_create();
    struct figure figure = figure_of_series(arena, &side->series, metric);
    arena_destroy(arena);
    if (!figure.known || figure.few) {
        return;
    }
    double *values = arena_array(baseline->arena, baseline->repeats, sizeof(*values));
    for (size_t i = 0; i < baseline->repeats; i++) {
        values[i] = NAN;
    }
    for (size_t i = 0; i < side->series.count; i++) {
        const struct run_result *run = side->series.runs[i];
        double value = 0;
        if (figure_of_run(run, metric, &value)) {
            values[run->key.repeat] = rounded(value, metric->kind);
        }
    }
    const struct baseline_row row = {
        .key = side->key,
        .metric = *metric,
        .note = is_latency(metric) && side->growing ? BASELINE_GROWING
                : figure.at_least                   ? BASELINE_AT_LEAST
                                                    : BASELINE_PLAIN,
        .thin = metric->kind == METRIC_PERCENTILE && figure.interval == INTERVAL_OPEN,
        .values = values,
    };
    baseline_add_row(baseline, &row);
}

static void add_metrics(struct side *side, enum metric_end end)
{
    for (size_t i = 0; i < ARRAY_LENGTH(metrics); i++) {
        const char *prefix = end == METRIC_DELIVERED ? "delivered." : "";
        const struct metric metric = {
            .text = arena_printf(side->baseline->arena, "%s%s", prefix, metrics[i].name),
            .kind = metrics[i].kind,
            .end = end,
            .load = side->key.load,
            .quantile = metrics[i].quantile,
        };
        if (baseline_is_metric(&metric)) {
            add_metric(side, &metric);
        }
    }
}

/* Adds what a repeat says of where the time went; false where it says nothing. */
static bool add_spent(const struct load_result *load, enum metric_end end, double *means,
                      double *tails)
{
    const struct sparse_attribution *attribution =
        end == METRIC_DELIVERED ? &load->delivered_phases : &load->lat_phases;
    if (load->ends[end].count == 0) {
        return false;
    }
    sim_sum all[WAY_PHASES_MAX] = { 0 };
    sim_sum slow[WAY_PHASES_MAX] = { 0 };
    sim_time p99 = sparse_histogram_quantile(&load->ends[end], tail_begin);
    uint64_t count = sparse_attribution_add_band(attribution, -1, SIM_NEVER, all);
    uint64_t slow_count = sparse_attribution_add_band(attribution, p99, SIM_NEVER, slow);
    for (unsigned i = 0; i < load->phase_count; i++) {
        double mean = (double)all[i] / (double)count;
        means[i] += mean;
        tails[i] += slow_count == 0 ? mean : (double)slow[i] / (double)slow_count;
    }
    return true;
}

static void add_phases(struct side *side, enum metric_end end)
{
    double means[WAY_PHASES_MAX] = { 0 };
    double tails[WAY_PHASES_MAX] = { 0 };
    size_t repeats = 0;
    const struct load_result *load = NULL;
    for (size_t i = 0; i < side->series.count; i++) {
        load = run_result_load(side->series.runs[i], side->key.load);
        repeats += add_spent(load, end, means, tails);
    }
    if (repeats == 0) {
        return;
    }
    struct arena *arena = side->baseline->arena;
    struct baseline_phase *items = arena_array(arena, load->phase_count, sizeof(*items));
    for (unsigned i = 0; i < load->phase_count; i++) {
        items[i] = (struct baseline_phase){
            .name = arena_strdup(arena, load->phases[i]),
            .mean = floor(means[i] / (double)repeats + 0.5),
            .tail = floor(tails[i] / (double)repeats + 0.5),
        };
    }
    const struct baseline_phases phases = { side->key, end, items, load->phase_count };
    baseline_add_phases(side->baseline, &phases);
}

static void add_load(struct side *side, const struct load_result *load)
{
    side->key.load = arena_strdup(side->baseline->arena, load->name);
    side->growing = figure_is_growing(side->scratch, &side->series, load->name);
    add_metrics(side, METRIC_LAT);
    add_phases(side, METRIC_LAT);
    if (load->early) {
        add_metrics(side, METRIC_DELIVERED);
        add_phases(side, METRIC_DELIVERED);
    }
}

void baseline_add_point(struct baseline *baseline, const struct result *result, size_t point)
{
    const struct experiment *experiment = result->experiment;
    const char *label = arena_strdup(baseline->arena, experiment->points[point].label);
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        struct side side = { .baseline = baseline, .scratch = arena_create() };
        side.series = series_of(side.scratch, result, variant, point);
        side.key.point = label;
        side.key.variant = arena_strdup(baseline->arena, experiment->variants[variant].name);
        for (size_t i = 0; side.series.count > 0 && i < side.series.runs[0]->load_count; i++) {
            add_load(&side, &side.series.runs[0]->loads[i]);
        }
        arena_destroy(side.scratch);
    }
}

bool baseline_of_points(struct arena *arena, struct result *result, struct baseline *baseline,
                        struct error *err)
{
    struct baseline made = baseline_begin(arena, result);
    bool good = true;
    for (size_t point = 0; good && point < result->experiment->point_count; point++) {
        good = result_open_point(result, point, err);
        if (good) {
            baseline_add_point(&made, result, point);
        }
    }
    result_close_point(result);
    if (good) {
        baseline_end(&made);
        *baseline = made;
    }
    return good;
}
