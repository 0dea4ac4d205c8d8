/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/baseline_json.h"

#include <math.h>
#include <string.h>

#include "sim/config/text.h"
#include "sim/run/baseline_lines.h"
#include "sim/run/field.h"
#include "sim/run/output.h"
#include "sim/run/result_store.h"

#define BASELINE_BYTES_MAX ((size_t)256 << 20)

static const char advice[] = "baselines are not made for editing: `ringtail check --update` writes "
                             "a new one";

static const char *const end_names[] = {
    [METRIC_LAT] = "lat",
    [METRIC_CLAT] = "clat",
    [METRIC_DELIVERED] = "delivered",
};

static const char *const note_names[] = {
    [BASELINE_AT_LEAST] = "at_least",
    [BASELINE_GROWING] = "growing",
};

/* ---- Writing. ---- */

/* `"key": value`, consuming the value. */
static void put(FILE *stream, const char *key, json_t *value)
{
    fprintf(stream, "  \"%s\": ", key);
    json_dumpf(value, stream, JSON_ENCODE_ANY);
    fputs(",\n", stream);
    json_decref(value);
}

/* An element of a list on a line of its own. */
static void put_item(FILE *stream, bool first, json_t *item)
{
    fputs(first ? "\n    " : ",\n    ", stream);
    json_dumpf(item, stream, JSON_REAL_PRECISION(15));
    json_decref(item);
}

static void put_head(const struct baseline *baseline, FILE *stream)
{
    const struct engine_span *span = &baseline->span;
    put(stream, "format", json_string(BASELINE_FORMAT));
    put(stream, "version", json_integer(BASELINE_VERSION));
    put(stream, "ringtail", json_string(baseline->version));
    put(stream, "title", json_string(baseline->title));
    put(stream, "hash", json_string(baseline->hash));
    put(stream, "seed", field_json_of((sim_sum)baseline->seed));
    put(stream, "warmup", field_json_of(span->warmup));
    put(stream, "measure", field_json_of(span->measure));
    put(stream, "drain", field_json_of(span->drain));
    put(stream, "drains_fully", json_boolean(baseline->drains_fully));
    put(stream, "requests", field_json_of((sim_sum)span->requests));
    put(stream, "repeats", field_json_of((sim_sum)baseline->repeats));
    put(stream, "quick", json_boolean(baseline->quick));
}

static json_t *json_of_key(const struct baseline_key *key)
{
    json_t *json = json_object();
    json_object_set_new(json, "point", json_string(key->point));
    json_object_set_new(json, "variant", json_string(key->variant));
    json_object_set_new(json, "load", json_string(key->load));
    return json;
}

static json_t *json_of_parameter(const struct parameter *parameter)
{
    json_t *json = json_object();
    if (parameter->variant[0] != '\0') {
        json_object_set_new(json, "variant", json_string(parameter->variant));
    }
    json_object_set_new(json, "path", json_string(parameter->path));
    json_object_set_new(json, "value", json_string(parameter->text));
    return json;
}

static json_t *json_of_row(const struct baseline *baseline, const struct baseline_row *row)
{
    json_t *json = json_of_key(&row->key);
    json_object_set_new(json, "metric", json_string(row->metric.text));
    if (row->note != BASELINE_PLAIN) {
        json_object_set_new(json, "note", json_string(note_names[row->note]));
    }
    if (row->thin) {
        json_object_set_new(json, "thin", json_true());
    }
    json_t *values = json_array();
    for (size_t i = 0; i < baseline->repeats; i++) {
        double value = row->values[i];
        json_array_append_new(values, isnan(value) ? json_null()
                                      : row->metric.kind == METRIC_RATE
                                          ? json_real(value)
                                          : json_integer((json_int_t)value));
    }
    json_object_set_new(json, "values", values);
    return json;
}

static json_t *json_of_phases(const struct baseline_phases *phases)
{
    json_t *json = json_of_key(&phases->key);
    json_object_set_new(json, "end", json_string(end_names[phases->end]));
    json_t *means = json_object();
    json_t *tails = json_object();
    for (size_t i = 0; i < phases->count; i++) {
        const struct baseline_phase *phase = &phases->items[i];
        json_object_set_new(means, phase->name, json_integer((json_int_t)phase->mean));
        json_object_set_new(tails, phase->name, json_integer((json_int_t)phase->tail));
    }
    json_object_set_new(json, "mean", means);
    json_object_set_new(json, "tail", tails);
    return json;
}

bool baseline_json_write(const struct baseline *baseline, const char *path, struct error *err)
{
    struct output output;
    if (!output_open(baseline->arena, path, &output, err)) {
        return false;
    }
    FILE *stream = output.stream;
    fputs("{\n", stream);
    put_head(baseline, stream);
    fputs("  \"parameters\": [", stream);
    for (size_t i = 0; i < baseline->parameters.count; i++) {
        put_item(stream, i == 0, json_of_parameter(&baseline->parameters.items[i]));
    }
    fputs("\n  ],\n  \"figures\": [", stream);
    for (size_t i = 0; i < baseline->row_count; i++) {
        put_item(stream, i == 0, json_of_row(baseline, &baseline->rows[i]));
    }
    fputs("\n  ],\n  \"phases\": [", stream);
    for (size_t i = 0; i < baseline->phases_count; i++) {
        put_item(stream, i == 0, json_of_phases(&baseline->phases[i]));
    }
    fputs("\n  ]\n}\n", stream);
    return output_commit(&output, err);
}

/* ---- Reading. ---- */

static bool read_key(const struct field_reader *reader, const json_t *json,
                     struct baseline_key *key)
{
    key->point = field_text(reader, json, "point");
    key->variant = key->point == NULL ? NULL : field_text(reader, json, "variant");
    key->load = key->variant == NULL ? NULL : field_text(reader, json, "load");
    return key->load != NULL;
}

/* There is room for it. */
static bool read_parameter(const struct field_reader *reader, const json_t *json,
                           struct baseline *baseline)
{
    struct parameters *parameters = &baseline->parameters;
    struct parameter read = { .variant = "" };
    if (json_object_get(json, "variant") != NULL) {
        read.variant = field_text(reader, json, "variant");
    }
    read.path = read.variant == NULL ? NULL : field_text(reader, json, "path");
    read.text = read.path == NULL ? NULL : field_text(reader, json, "value");
    if (read.text == NULL) {
        return false;
    }
    if (parameters->count > 0 &&
        parameter_order(&parameters->items[parameters->count - 1], &read) >= 0) {
        return field_error(reader, "parameters are not in order, or one is there twice");
    }
    ((struct parameter *)parameters->items)[parameters->count++] = read;
    return true;
}

static bool read_note(const struct field_reader *reader, const json_t *json,
                      enum baseline_note *note)
{
    if (json_object_get(json, "note") == NULL) {
        return true;
    }
    const char *text = field_text(reader, json, "note");
    for (size_t i = 0; text != NULL && i < ARRAY_LENGTH(note_names); i++) {
        if (note_names[i] != NULL && strcmp(text, note_names[i]) == 0) {
            *note = (enum baseline_note)i;
            return true;
        }
    }
    return text != NULL && field_error(reader, "`note` is not one that ringtail writes");
}

static bool read_values(const struct field_reader *reader, const json_t *json, size_t repeats,
                        const double **values)
{
    const json_t *list = field_array(reader, json, "values");
    if (list == NULL) {
        return false;
    }
    if (json_array_size(list) != repeats) {
        return field_error(reader, "there are %zu values of %zu repeats", json_array_size(list),
                           repeats);
    }
    double *read = arena_array(reader->arena, repeats, sizeof(*read));
    for (size_t i = 0; i < repeats; i++) {
        const json_t *value = json_array_get(list, i);
        read[i] = json_is_null(value) ? NAN : json_number_value(value);
        if (!(json_is_null(value) || json_is_number(value)) || read[i] < 0) {
            return field_error(reader, "a value is no number of a figure");
        }
    }
    *values = read;
    return true;
}

static bool read_row(const struct field_reader *reader, const json_t *json,
                     struct baseline *baseline)
{
    struct baseline_row row = { 0 };
    struct error ignored = { 0 };
    const char *metric =
        read_key(reader, json, &row.key) ? field_text(reader, json, "metric") : NULL;
    if (metric == NULL) {
        return false;
    }
    if (!metric_parse(reader->arena, metric, &reader->where, &row.metric, &ignored) ||
        row.metric.load != NULL || !baseline_is_metric(&row.metric)) {
        return field_error(reader, "`metric` is `%.60s`, which baselines do not hold", metric);
    }
    row.metric.load = row.key.load;
    if (!read_note(reader, json, &row.note) ||
        !read_values(reader, json, baseline->repeats, &row.values)) {
        return false;
    }
    if (json_object_get(json, "thin") != NULL && !field_bool(reader, json, "thin", &row.thin)) {
        return false;
    }
    baseline_add_row(baseline, &row);
    const struct baseline_row *last = &baseline->rows[baseline->row_count - 1];
    return baseline->row_count == 1 || baseline_row_order(last - 1, last) < 0 ||
           field_error(reader, "figures are not in order, or one is there twice");
}

static bool read_phases(const struct field_reader *reader, const json_t *json,
                        struct baseline *baseline)
{
    struct baseline_phases phases = { 0 };
    const char *end = read_key(reader, json, &phases.key) ? field_text(reader, json, "end") : NULL;
    const json_t *means = end == NULL ? NULL : field_object(reader, json, "mean");
    json_t *tails = (json_t *)(means == NULL ? NULL : field_object(reader, json, "tail"));
    if (tails == NULL) {
        return false;
    }
    phases.end = strcmp(end, end_names[METRIC_DELIVERED]) == 0 ? METRIC_DELIVERED : METRIC_LAT;
    struct baseline_phase *items =
        arena_array(reader->arena, json_object_size(tails), sizeof(*items));
    const char *name;
    json_t *tail;
    json_object_foreach(tails, name, tail)
    {
        const json_t *mean = json_object_get(means, name);
        if (!json_is_number(mean) || !json_is_number(tail)) {
            return field_error(reader, "the time of `%.60s` is not a number", name);
        }
        items[phases.count++] = (struct baseline_phase){
            arena_strdup(reader->arena, name),
            json_number_value(mean),
            json_number_value(tail),
        };
    }
    phases.items = items;
    baseline_add_phases(baseline, &phases);
    return true;
}

/* The document, and how to say where in it something is wrong. */
struct document {
    const json_t *json;
    const char *bytes;
    size_t size;
    struct field_reader reader;
};

static int line_of(const struct document *document, const char *key, size_t item)
{
    return baseline_line_of(document->bytes, document->size, key, item);
}

/* One that names the line of the key. */
static struct field_reader reader_at(const struct document *document, const char *key)
{
    struct field_reader reader = document->reader;
    reader.where.line = line_of(document, key, BASELINE_KEY);
    return reader;
}

static bool head_sum(const struct document *document, const char *key, sim_sum min, sim_sum max,
                     sim_sum *value)
{
    const struct field_reader reader = reader_at(document, key);
    return field_sum(&reader, document->json, key, min, max, value);
}

static bool head_time(const struct document *document, const char *key, sim_time *value)
{
    const struct field_reader reader = reader_at(document, key);
    return field_time(&reader, document->json, key, value);
}

static bool head_bool(const struct document *document, const char *key, bool *value)
{
    const struct field_reader reader = reader_at(document, key);
    return field_bool(&reader, document->json, key, value);
}

static const char *head_text(const struct document *document, const char *key)
{
    const struct field_reader reader = reader_at(document, key);
    return field_text(&reader, document->json, key);
}

static const json_t *head_list(const struct document *document, const char *key)
{
    const struct field_reader reader = reader_at(document, key);
    return field_array(&reader, document->json, key);
}

static bool check_format(const struct document *document)
{
    struct field_reader reader = reader_at(document, "format");
    const char *format = json_string_value(json_object_get(document->json, "format"));
    if (format == NULL || strcmp(format, BASELINE_FORMAT) != 0) {
        error_user(reader.err, &reader.where, "this is not a baseline of ringtail");
        return error_hint(reader.err, "name a file that `ringtail check --update` wrote, or a "
                                      "result of `ringtail run -o FILE`");
    }
    sim_sum version = 0;
    if (!head_sum(document, "version", 1, INT64_MAX, &version)) {
        return false;
    }
    if (version > BASELINE_VERSION) {
        reader = reader_at(document, "version");
        error_user(reader.err, &reader.where,
                   "the baseline's format %lld is newer than this program, which knows %d",
                   (long long)version, BASELINE_VERSION);
        return error_hint(reader.err, "use a newer ringtail");
    }
    return true;
}

static bool read_head(const struct document *document, struct baseline *baseline)
{
    struct engine_span *span = &baseline->span;
    sim_sum seed = 0;
    sim_sum requests = 0;
    sim_sum repeats = 0;
    baseline->version = head_text(document, "ringtail");
    baseline->title = baseline->version == NULL ? NULL : head_text(document, "title");
    const char *hash = baseline->title == NULL ? NULL : head_text(document, "hash");
    if (hash == NULL || strlen(hash) != EXPERIMENT_HASH_BYTES - 1) {
        const struct field_reader reader = reader_at(document, "hash");
        return hash != NULL && field_error(&reader, "`hash` is wrong");
    }
    memcpy(baseline->hash, hash, sizeof(baseline->hash));
    if (!head_sum(document, "seed", 0, UINT64_MAX, &seed) ||
        !head_time(document, "warmup", &span->warmup) ||
        !head_time(document, "measure", &span->measure) ||
        !head_time(document, "drain", &span->drain) ||
        !head_bool(document, "drains_fully", &baseline->drains_fully) ||
        !head_sum(document, "requests", 0, EXPERIMENT_REQUESTS_MAX, &requests) ||
        !head_sum(document, "repeats", 1, EXPERIMENT_REPEATS_MAX, &repeats) ||
        !head_bool(document, "quick", &baseline->quick)) {
        return false;
    }
    baseline->seed = (uint64_t)seed;
    span->requests = (uint64_t)requests;
    baseline->repeats = (size_t)repeats;
    return true;
}

typedef bool read_item(const struct field_reader *reader, const json_t *json,
                       struct baseline *baseline);

static bool read_list(const struct document *document, const char *key, read_item *read,
                      struct baseline *baseline)
{
    const json_t *list = head_list(document, key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read(&document->reader, json_array_get(list, i), baseline)) {
            document->reader.err->line = line_of(document, key, i);
            return false;
        }
    }
    return list != NULL;
}

bool baseline_json_read(struct arena *arena, const char *path, struct baseline *baseline,
                        struct error *err)
{
    struct text text;
    if (!text_read(arena, path, BASELINE_BYTES_MAX, &text, err)) {
        return false;
    }
    struct document document = {
        .bytes = text.bytes,
        .size = text.size,
        .reader = { arena, { .file = path, .line = 1 }, err, advice },
    };
    if (text.size == 0) {
        error_user(err, &document.reader.where, "the file is empty");
        return error_hint(err, "`ringtail check --update` writes a new baseline");
    }
    json_error_t wrong;
    json_t *json = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, &wrong);
    if (json == NULL) {
        const struct place where = { path, wrong.line, 0 };
        error_user(err, &where, "this is not a baseline of ringtail, or it is damaged here: %s",
                   wrong.text);
        return error_hint(err, "%s", advice);
    }
    document.json = json;
    struct baseline read = { .arena = arena, .file = arena_strdup(arena, path) };
    read.parameters.items = arena_array(arena, json_array_size(json_object_get(json, "parameters")),
                                        sizeof(struct parameter));
    bool good = check_format(&document) && read_head(&document, &read) &&
                read_list(&document, "parameters", read_parameter, &read) &&
                read_list(&document, "figures", read_row, &read) &&
                read_list(&document, "phases", read_phases, &read);
    json_decref(json);
    if (good) {
        baseline_end(&read);
        *baseline = read;
    }
    return good;
}

bool baseline_of_result(struct arena *arena, const char *path, struct baseline *baseline,
                        struct error *err)
{
    struct result_store *store = result_store_open(path, err);
    if (store == NULL) {
        return false;
    }
    struct result result = result_of_store(store->arena, store);
    bool good = baseline_of_points(arena, &result, baseline, err);
    if (good) {
        baseline->file = arena_strdup(arena, path);
    }
    result_store_destroy(store);
    return good;
}

/* A result names its format at its very beginning. What cannot be opened is none. */
static bool is_result(const char *path)
{
    char bytes[64] = "";
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return false;
    }
    size_t size = fread(bytes, 1, sizeof(bytes) - 1, stream);
    fclose(stream);
    bytes[size] = '\0';
    return strstr(bytes, "\"" HEADER_FORMAT "\"") != NULL;
}

bool baseline_open(struct arena *arena, const char *path, struct baseline *baseline,
                   struct error *err)
{
    return is_result(path) ? baseline_of_result(arena, path, baseline, err)
                           : baseline_json_read(arena, path, baseline, err);
}
