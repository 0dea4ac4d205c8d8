/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/header_json.h"

#include <math.h>
#include <string.h>

#include "sim/config/until.h"
#include "sim/config/yaml_text.h"

/* ---- Writing. ---- */

static json_t *json_of_assignments(struct arena *arena, const struct assignments *assignments)
{
    json_t *json = json_object();
    for (size_t i = 0; i < assignments->count; i++) {
        const struct assignment *item = &assignments->items[i];
        json_object_set_new(json, item->path, json_string(yaml_text(arena, item->value)));
    }
    return json;
}

static json_t *json_of_measured(const struct experiment *experiment)
{
    json_t *list = json_array();
    for (size_t i = 0; i < experiment->measured_count; i++) {
        const struct measured_figure *figure = &experiment->measured[i];
        json_t *json = json_object();
        json_object_set_new(json, "variant",
                            json_string(experiment->variants[figure->variant].name));
        json_object_set_new(json, "point", field_json_of((sim_sum)figure->point));
        json_object_set_new(json, "metric", json_string(figure->metric.text));
        json_object_set_new(json, "value", json_real(figure->value));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *json_of_compare(const struct experiment *experiment)
{
    json_t *list = json_array();
    if (experiment->compare_from >= 0) {
        const struct variant *variants = experiment->variants;
        json_array_append_new(list, json_string(variants[experiment->compare_from].name));
        json_array_append_new(list, json_string(variants[experiment->compare_to].name));
    }
    return list;
}

static json_t *json_of_until(const struct until *until)
{
    json_t *json = json_object();
    json_object_set_new(json, "metric", json_string(until->metric.text));
    json_object_set_new(json, "within", json_real(until->within));
    json_object_set_new(json, "at_most", field_json_of(until->at_most));
    return json;
}

json_t *header_json_of(const struct experiment *experiment)
{
    struct arena *arena = arena_create();
    const struct engine_span *span = &experiment->span;
    char hash[EXPERIMENT_HASH_BYTES];
    experiment_hash(experiment, hash);
    json_t *json = json_object();
    json_object_set_new(json, "format", json_string(HEADER_FORMAT));
    json_object_set_new(json, "version", json_integer(HEADER_VERSION));
    json_object_set_new(json, "ringtail", json_string(RINGTAIL_VERSION));
    json_object_set_new(json, "hash", json_string(hash));
    json_object_set_new(json, "title", json_string(experiment->title));
    json_object_set_new(json, "seed", field_json_of((sim_sum)experiment->seed));
    json_object_set_new(json, "warmup", field_json_of(span->warmup));
    json_object_set_new(json, "measure", field_json_of(span->measure));
    json_object_set_new(json, "drain", field_json_of(span->drain));
    json_object_set_new(json, "drains_fully", json_boolean(experiment->drains_fully));
    json_object_set_new(json, "requests", field_json_of((sim_sum)span->requests));
    json_object_set_new(json, "repeats", field_json_of(experiment->repeats));
    if (experiment->until != NULL) {
        json_object_set_new(json, "until", json_of_until(experiment->until));
    }
    json_object_set_new(json, "quick", json_boolean(experiment->quick));
    json_t *variants = json_array();
    for (size_t i = 0; i < experiment->variant_count; i++) {
        json_array_append_new(variants, json_string(experiment->variants[i].name));
    }
    json_object_set_new(json, "variants", variants);
    json_object_set_new(json, "compare", json_of_compare(experiment));
    json_t *points = json_array();
    for (size_t i = 0; i < experiment->point_count; i++) {
        json_array_append_new(points, json_of_assignments(arena, &experiment->points[i].values));
    }
    json_object_set_new(json, "points", points);
    json_object_set_new(json, "set", json_of_assignments(arena, &experiment->sets));
    json_object_set_new(json, "measured", json_of_measured(experiment));
    json_object_set_new(json, "experiment", json_string(experiment_text(arena, experiment)));
    arena_destroy(arena);
    return json;
}

/* ---- Reading. ---- */

static bool check_format(const struct field_reader *reader, const json_t *json)
{
    const char *format = json_string_value(json_object_get(json, "format"));
    if (format == NULL || strcmp(format, HEADER_FORMAT) != 0) {
        error_user(reader->err, &reader->where, "this is not a result of ringtail");
        return error_hint(reader->err, "name a file that `ringtail run -o FILE` wrote");
    }
    sim_sum version = 0;
    if (!field_sum(reader, json, "version", 1, INT64_MAX, &version)) {
        return false;
    }
    if (version > HEADER_VERSION) {
        error_user(reader->err, &reader->where,
                   "the result's format %lld is newer than this program, which knows %d",
                   (long long)version, HEADER_VERSION);
        return error_hint(reader->err, "use a newer ringtail");
    }
    return true;
}

static bool read_span(const struct field_reader *reader, const json_t *json,
                      struct experiment *experiment)
{
    struct engine_span *span = &experiment->span;
    sim_sum repeats = 0;
    if (!field_count(reader, json, "seed", &experiment->seed) ||
        !field_time(reader, json, "warmup", &span->warmup) ||
        !field_time(reader, json, "measure", &span->measure) ||
        !field_time(reader, json, "drain", &span->drain) ||
        !field_bool(reader, json, "drains_fully", &experiment->drains_fully) ||
        !field_count(reader, json, "requests", &span->requests) ||
        !field_bool(reader, json, "quick", &experiment->quick) ||
        !field_sum(reader, json, "repeats", 1, EXPERIMENT_REPEATS_MAX, &repeats)) {
        return false;
    }
    experiment->repeats = (int64_t)repeats;
    return true;
}

static bool read_until(const struct field_reader *reader, const json_t *json,
                       struct experiment *experiment)
{
    if (json_object_get(json, "until") == NULL) {
        return true;
    }
    const json_t *object = field_object(reader, json, "until");
    const char *metric = object == NULL ? NULL : field_text(reader, object, "metric");
    struct until *until = arena_alloc(reader->arena, sizeof(*until));
    struct error ignored = { 0 };
    sim_sum at_most = 0;
    until->within = json_real_value(json_object_get(object, "within"));
    if (metric == NULL || !field_sum(reader, object, "at_most", experiment->repeats,
                                     EXPERIMENT_REPEATS_MAX, &at_most)) {
        return false;
    }
    if (!metric_parse(reader->arena, metric, &reader->where, &until->metric, &ignored) ||
        !until_has_interval(until->metric.kind) || !(until->within > 0 && until->within <= 1)) {
        return field_error(reader, "`until` is wrong");
    }
    until->at_most = (int64_t)at_most;
    experiment->until = until;
    return true;
}

static int find_variant(const struct experiment *experiment, const char *name)
{
    for (size_t i = 0; name != NULL && i < experiment->variant_count; i++) {
        if (strcmp(experiment->variants[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool read_variants(const struct field_reader *reader, const json_t *json,
                          struct experiment *experiment)
{
    const json_t *list = field_array(reader, json, "variants");
    const json_t *compare = list == NULL ? NULL : field_array(reader, json, "compare");
    size_t count = json_array_size(list);
    if (compare == NULL || count < 1 || count > EXPERIMENT_VARIANTS_MAX) {
        return compare != NULL && field_error(reader, "the number of variants is wrong");
    }
    struct variant *variants = arena_array(reader->arena, count, sizeof(*variants));
    experiment->variants = variants;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name == NULL || find_variant(experiment, name) >= 0) {
            return field_error(reader, "a variant is wrong");
        }
        variants[i].name = arena_strdup(reader->arena, name);
        experiment->variant_count = i + 1;
    }
    experiment->compare_from = -1;
    experiment->compare_to = -1;
    if (json_array_size(compare) > 0) {
        const char *from = json_string_value(json_array_get(compare, 0));
        const char *to = json_string_value(json_array_get(compare, 1));
        experiment->compare_from = find_variant(experiment, from);
        experiment->compare_to = find_variant(experiment, to);
        if (experiment->compare_from < 0 || experiment->compare_to < 0) {
            return field_error(reader, "`compare` is wrong");
        }
    }
    return true;
}

/* A value as it was written. Most are plain words, for which no parser is needed. */
static const struct node *read_value(const struct field_reader *reader, const char *text)
{
    if (text[0] == '\0' || strpbrk(text, "{}[]\"',:#&*!|>%@` ") != NULL) {
        struct error ignored = { 0 };
        return yaml_parse(reader->arena, reader->where.file, text, strlen(text), &ignored);
    }
    struct node *node = arena_alloc(reader->arena, sizeof(*node));
    *node = (struct node){
        .kind = NODE_SCALAR,
        .nodes = 1,
        .place = reader->where,
        .count = strlen(text),
        .text = arena_strdup(reader->arena, text),
    };
    return node;
}

/* The label is what sweeps call their points. */
static bool read_point(const struct field_reader *reader, json_t *json, struct point *point)
{
    size_t count = json_object_size(json);
    struct assignment *items = arena_array(reader->arena, count, sizeof(*items));
    const char *label = "";
    const char *path;
    json_t *value;
    size_t n = 0;
    json_object_foreach(json, path, value)
    {
        const char *text = json_string_value(value);
        const struct node *node = text == NULL ? NULL : read_value(reader, text);
        if (node == NULL) {
            return field_error(reader, "the value of `%.60s` is wrong", path);
        }
        label = arena_printf(reader->arena, "%s%s%s = %s", label, n > 0 ? ", " : "", path, text);
        items[n++] = (struct assignment){ arena_strdup(reader->arena, path), node, reader->where };
    }
    *point = (struct point){ label, { items, count } };
    return true;
}

static bool read_points(const struct field_reader *reader, const json_t *json,
                        struct experiment *experiment)
{
    const json_t *list = field_array(reader, json, "points");
    size_t count = json_array_size(list);
    if (list == NULL || count < 1 || count > EXPERIMENT_POINTS_MAX) {
        return list != NULL && field_error(reader, "the number of points is wrong");
    }
    struct point *points = arena_array(reader->arena, count, sizeof(*points));
    experiment->points = points;
    experiment->point_count = count;
    for (size_t i = 0; i < count; i++) {
        json_t *point = json_array_get(list, i);
        if (!json_is_object(point) || !read_point(reader, point, &points[i])) {
            return field_error(reader, "a point is wrong");
        }
    }
    return true;
}

/* What --set changed. */
static bool read_sets(const struct field_reader *reader, const json_t *json,
                      struct experiment *experiment)
{
    json_t *sets = json_object_get(json, "set");
    struct point read = { 0 };
    if (!json_is_object(sets) || !read_point(reader, sets, &read)) {
        return field_error(reader, "`set` is wrong");
    }
    experiment->sets = read.values;
    return true;
}

static bool read_figure(const struct field_reader *reader, const json_t *json,
                        const struct experiment *experiment, struct measured_figure *figure)
{
    const char *name = field_text(reader, json, "metric");
    const char *variant_name = name == NULL ? NULL : field_text(reader, json, "variant");
    int variant = find_variant(experiment, variant_name);
    sim_sum point = 0;
    const json_t *value = json_object_get(json, "value");
    struct error ignored = { 0 };
    if (variant < 0 || !json_is_real(value) || !isfinite(json_real_value(value)) ||
        !field_sum(reader, json, "point", 0, (sim_sum)experiment->point_count - 1, &point) ||
        !metric_parse(reader->arena, name, &reader->where, &figure->metric, &ignored)) {
        return field_error(reader, "a measured figure is wrong");
    }
    figure->variant = (size_t)variant;
    figure->point = (size_t)point;
    figure->value = json_real_value(value);
    return true;
}

static bool read_measured(const struct field_reader *reader, const json_t *json,
                          struct experiment *experiment)
{
    const json_t *list = field_array(reader, json, "measured");
    size_t count = json_array_size(list);
    struct measured_figure *figures = arena_array(reader->arena, count, sizeof(*figures));
    for (size_t i = 0; i < count; i++) {
        if (!read_figure(reader, json_array_get(list, i), experiment, &figures[i])) {
            return false;
        }
    }
    experiment->measured = figures;
    experiment->measured_count = count;
    return list != NULL;
}

bool header_json_read(const struct field_reader *reader, const json_t *json, struct header *header)
{
    if (!check_format(reader, json)) {
        return false;
    }
    struct experiment *experiment = arena_alloc(reader->arena, sizeof(*experiment));
    struct header read = { .experiment = experiment };
    experiment->file = reader->where.file;
    read.version = field_text(reader, json, "ringtail");
    const char *hash = read.version == NULL ? NULL : field_text(reader, json, "hash");
    experiment->title = hash == NULL ? NULL : field_text(reader, json, "title");
    const char *text = experiment->title == NULL ? NULL : field_text(reader, json, "experiment");
    if (text == NULL || !read_span(reader, json, experiment) ||
        !read_until(reader, json, experiment) || !read_variants(reader, json, experiment) ||
        !read_points(reader, json, experiment) || !read_sets(reader, json, experiment) ||
        !read_measured(reader, json, experiment)) {
        return false;
    }
    struct error ignored = { 0 };
    experiment->root = yaml_parse(reader->arena, reader->where.file, text, strlen(text), &ignored);
    if (experiment->root == NULL || strlen(hash) != EXPERIMENT_HASH_BYTES - 1) {
        return field_error(reader, "`experiment` or `hash` is wrong");
    }
    memcpy(read.hash, hash, sizeof(read.hash));
    *header = read;
    return true;
}
