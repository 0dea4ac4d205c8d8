/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/json_report.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "sim/config/until.h"
#include "sim/config/yaml_text.h"
#include "sim/report/rows.h"
#include "sim/run/field.h"
#include "sim/run/look.h"

enum { DUMP = JSON_COMPACT | JSON_REAL_PRECISION(15) };

struct json_report {
    FILE *file;
    bool any;
};

static void set_text(json_t *json, const char *key, const char *text)
{
    if (text[0] != '\0') {
        json_object_set_new(json, key, json_string(text));
    }
}

static void set_number(json_t *json, const char *key, bool known, double value)
{
    if (known) {
        json_object_set_new(json, key, json_real(value));
    }
}

/* Consumes it. A line each, so that the document can be looked at. */
static void put(FILE *file, json_t *json)
{
    json_dumpf(json, file, DUMP);
    json_decref(json);
}

static void write_row(void *context, const struct row *row)
{
    struct json_report *report = context;
    json_t *json = json_object();
    json_object_set_new(json, "point", field_json_of((sim_sum)row->point));
    json_object_set_new(json, "variant", json_string(row->variant));
    set_text(json, "load", row->load);
    set_text(json, "versus", row->versus);
    json_object_set_new(json, "metric", json_string(row->metric));
    json_object_set_new(json, "value", json_real(row->value));
    set_text(json, "unit", row->unit);
    set_number(json, "low", row->has_low, row->low);
    set_number(json, "high", row->has_high, row->high);
    set_number(json, "measured", row->has_measured, row->measured);
    set_text(json, "note", row->note);
    fputs(report->any ? ",\n" : "\n", report->file);
    report->any = true;
    put(report->file, json);
}

static json_t *json_of_point(const struct point *point)
{
    struct arena *scratch = arena_create();
    json_t *json = json_object();
    for (size_t i = 0; i < point->values.count; i++) {
        const struct node *value = point->values.items[i].value;
        json_object_set_new(
            json, point->values.items[i].path,
            json_string(value->kind == NODE_SCALAR ? value->text : yaml_text(scratch, value)));
    }
    arena_destroy(scratch);
    return json;
}

static void write_field(FILE *file, const char *key, json_t *value)
{
    fprintf(file, "\"%s\":", key);
    json_dumpf(value, file, DUMP | JSON_ENCODE_ANY);
    json_decref(value);
    fputs(",\n", file);
}

static void write_until(const struct until *until, const struct look *look, FILE *file)
{
    json_t *json = json_object();
    json_object_set_new(json, "metric", json_string(until->metric.text));
    json_object_set_new(json, "within", json_real(until->within));
    json_object_set_new(json, "at_most", field_json_of(until->at_most));
    json_object_set_new(json, "reached", json_boolean(look->reached));
    set_number(json, "worst", isfinite(look->share), look->share);
    write_field(file, "until", json);
}

static void write_head(const struct result *result, const struct look *look, FILE *file)
{
    const struct experiment *experiment = result->experiment;
    const struct engine_span *span = &experiment->span;
    fputs("{", file);
    write_field(file, "title", json_string(experiment->title));
    write_field(file, "ringtail", json_string(result->version));
    write_field(file, "seed", field_json_of((sim_sum)experiment->seed));
    write_field(file, "repeats", field_json_of(experiment->repeats));
    write_field(file, "warmup_us", json_real((double)span->warmup / (double)SIM_US));
    if (span->requests > 0) {
        write_field(file, "measure_requests", field_json_of((sim_sum)span->requests));
    } else {
        write_field(file, "measure_us", json_real((double)span->measure / (double)SIM_US));
    }
    write_field(file, "quick", json_boolean(experiment->quick));
    write_field(file, "runs", field_json_of((sim_sum)result->run_count));
    write_field(file, "finished", field_json_of((sim_sum)result->finished));
    json_t *points = json_array();
    for (size_t i = 0; i < experiment->point_count; i++) {
        json_array_append_new(points, json_of_point(&experiment->points[i]));
    }
    write_field(file, "points", points);
    if (look_is_due(result)) {
        write_until(experiment->until, look, file);
    }
}

bool json_report_write(struct result *result, FILE *file, struct error *err)
{
    struct json_report report = { .file = file };
    struct look look = { 0 };
    if (look_is_due(result) && !look_at(result, &look, err)) {
        return false;
    }
    write_head(result, &look, file);
    fputs("\"figures\":[", file);
    bool good = rows_of(result, write_row, &report, err);
    fputs("\n]}\n", file);
    return good;
}
