/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the text report for measured figures that no column of the table shows: times in
 * phases, counters, utilisation.
 */
#include "sim/report/text_parts.h"
#include "sim/run/figure.h"
#include "sim/run/format.h"

static void add_row(struct table *table, const struct result *result,
                    const struct measured_figure *measured, const char *label)
{
    struct arena *arena = table->arena;
    enum metric_kind kind = figure_shown_as(result->first, &measured->metric);
    struct series series = series_of(arena, result, measured->variant, measured->point);
    struct figure figure = { .known = false };
    if (series.count > 0) {
        figure = figure_of_series(arena, &series, &measured->metric);
    }
    table_begin_row(table);
    table_add(table, arena_printf(arena, "  %s", label));
    table_add(table, result->experiment->variants[measured->variant].name);
    table_add(table, figure.known ? format_value(arena, kind, figure.value) : "-");
    table_add(table, format_value(arena, kind, measured->value));
    table_add(table, figure.known ? format_error(arena, figure.value, measured->value) : "");
    table_add(table, measured->metric.text); /* last: it may be long */
}

void text_measured_add(struct table *table, const struct result *result, size_t point)
{
    const struct experiment *experiment = result->experiment;
    const char *label = text_point_label(experiment, point);
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        for (size_t i = 0; i < experiment->measured_count; i++) {
            const struct measured_figure *figure = &experiment->measured[i];
            if (figure->point == point && figure->variant == variant &&
                figure->metric.kind > METRIC_DROPS) {
                add_row(table, result, figure, label);
                label = "";
            }
        }
    }
}
