/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/csv_report.h"

#include <string.h>

#include "sim/config/yaml_text.h"
#include "sim/report/rows.h"

struct csv_report {
    FILE *file;
    const struct experiment *experiment;
};

static void put_text(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '"' ? "\"\"" : (char[]){ *c, '\0' }, file);
    }
    fputc('"', file);
}

/* Followed by a comma. */
static void put_cell(FILE *file, const char *text)
{
    put_text(file, text);
    fputc(',', file);
}

static void put_number(FILE *file, bool known, double value)
{
    if (known) {
        fprintf(file, "%.15g", value);
    }
    fputc(',', file);
}

static void write_row(void *context, const struct row *row)
{
    const struct csv_report *report = context;
    FILE *file = report->file;
    const struct assignments *values = &report->experiment->points[row->point].values;
    fprintf(file, "%zu,", row->point);
    struct arena *scratch = arena_create();
    for (size_t i = 0; i < values->count; i++) {
        const struct node *value = values->items[i].value;
        put_cell(file, value->kind == NODE_SCALAR ? value->text : yaml_text(scratch, value));
    }
    arena_destroy(scratch);
    put_cell(file, row->variant);
    put_cell(file, row->load);
    put_cell(file, row->versus);
    put_cell(file, row->metric);
    put_number(file, true, row->value);
    put_cell(file, row->unit);
    put_number(file, row->has_low, row->low);
    put_number(file, row->has_high, row->high);
    put_number(file, row->has_measured, row->measured);
    put_text(file, row->note);
    fputc('\n', file);
}

bool csv_report_write(struct result *result, FILE *file, struct error *err)
{
    struct csv_report report = { file, result->experiment };
    const struct assignments *values = &result->experiment->points[0].values;
    fputs("point,", file);
    for (size_t i = 0; i < values->count; i++) {
        put_cell(file, values->items[i].path);
    }
    fputs("variant,load,versus,metric,value,unit,low,high,measured,note\n", file);
    return rows_of(result, write_row, &report, err);
}
