/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/text_columns.h"

#include <string.h>

static int compare_quantiles(struct quantile a, struct quantile b)
{
    unsigned __int128 left = (unsigned __int128)a.numerator * b.denominator;
    unsigned __int128 right = (unsigned __int128)b.numerator * a.denominator;
    return (left > right) - (left < right);
}

static bool is_same_metric(const struct metric *a, const struct metric *b)
{
    return a->kind == b->kind && a->end == b->end &&
           (a->kind != METRIC_PERCENTILE || compare_quantiles(a->quantile, b->quantile) == 0);
}

enum metric_end text_columns_end(const struct experiment *experiment, enum metric_kind kind)
{
    enum metric_end end = METRIC_LAT;
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct metric *metric = &experiment->measured[i].metric;
        if (metric->kind == kind && metric->end == METRIC_CLAT) {
            end = METRIC_CLAT; /* delivered has rows of its own */
        }
    }
    return end;
}

/* Percentiles rise from left to right and stand before the maximum; the rest is appended. */
static void insert(struct text_columns *columns, const char *heading, struct metric metric)
{
    size_t place = columns->count;
    while (place > 0 && metric.kind == METRIC_PERCENTILE &&
           columns->items[place - 1].metric.kind >= METRIC_PERCENTILE &&
           (columns->items[place - 1].metric.kind > METRIC_PERCENTILE ||
            compare_quantiles(columns->items[place - 1].metric.quantile, metric.quantile) > 0)) {
        place--;
    }
    memmove(&columns->items[place + 1], &columns->items[place],
            (columns->count - place) * sizeof(columns->items[0]));
    columns->items[place] = (struct text_column){ .metric = metric, .heading = heading };
    columns->count++;
}

static struct text_column *find(struct text_columns *columns, const struct metric *metric)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (is_same_metric(&columns->items[i].metric, metric)) {
            return &columns->items[i];
        }
    }
    return NULL;
}

/* `clat.p99.99` is `p99.99` where the percentiles are of clat; a load's name is the row's. */
static const char *heading_of(const struct experiment *experiment, const struct metric *metric)
{
    const char *text = metric->text;
    if (metric->load != NULL) {
        text += strlen(metric->load) + 1;
    }
    bool is_usual = metric->end == METRIC_DELIVERED ||
                    metric->end == text_columns_end(experiment, metric->kind);
    const char *name = strchr(text, '.');
    bool has_end = strncmp(text, "lat.", 4) == 0 || strncmp(text, "clat.", 5) == 0 ||
                   strncmp(text, "delivered.", 10) == 0;
    return is_usual && has_end ? name + 1 : text;
}

static void add_measured(struct text_columns *columns, const struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->measured_count; i++) {
        struct metric metric = experiment->measured[i].metric;
        const char *heading = heading_of(experiment, &metric);
        metric.load = NULL;
        if (metric.end == METRIC_DELIVERED) {
            metric.end = text_columns_end(experiment, metric.kind);
        }
        struct text_column *column = find(columns, &metric);
        if (column == NULL && metric.kind <= METRIC_DROPS && columns->count < TEXT_COLUMNS_MAX) {
            insert(columns, heading, metric);
            column = find(columns, &metric);
        }
        if (column != NULL) {
            column->is_named = true;
        }
    }
}

struct text_columns text_columns_choose(const struct result *result)
{
    static const struct {
        const char *heading;
        enum metric_kind kind;
        struct quantile quantile;
    } usual[] = {
        { "rate", METRIC_RATE, { 0 } },
        { "mean", METRIC_MEAN, { 0 } },
        { "p50", METRIC_PERCENTILE, { 1, 2 } },
        { "p99", METRIC_PERCENTILE, { 99, 100 } },
        { "p99.9", METRIC_PERCENTILE, { 999, 1000 } },
        { "max", METRIC_MAX, { 0 } },
        { "drops", METRIC_DROPS, { 0 } },
    };
    const struct experiment *experiment = result->experiment;
    struct text_columns columns = { .count = 0 };
    for (size_t i = 0; i < ARRAY_LENGTH(usual); i++) {
        if (usual[i].kind != METRIC_DROPS || result->totals.dropped > 0) {
            struct metric metric = {
                .kind = usual[i].kind,
                .end = text_columns_end(experiment, usual[i].kind),
                .quantile = usual[i].quantile,
            };
            insert(&columns, usual[i].heading, metric);
            columns.items[columns.count - 1].has_interval = strcmp(usual[i].heading, "p99.9") == 0;
        }
    }
    add_measured(&columns, experiment);
    return columns;
}

const struct measured_figure *text_columns_measured(const struct experiment *experiment,
                                                    size_t variant, size_t point, const char *load,
                                                    const struct metric *metric)
{
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        bool same_load = figure->metric.load == NULL || strcmp(figure->metric.load, load) == 0;
        if (figure->variant == variant && figure->point == point && same_load &&
            is_same_metric(&figure->metric, metric)) {
            return figure;
        }
    }
    return NULL;
}
