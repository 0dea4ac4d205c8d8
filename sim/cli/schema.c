/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ringtail schema: the experiment file as JSON Schema (draft 7, which editors know), made from the
 * tables that parse it. A schema sees one file and no values of others, so it is wider than the
 * program: it knows no ranges of quantities with units, and takes any file that extends another to
 * be half of one.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "models/registry.h"
#include "sim/base/units_table.h"
#include "sim/cli/command.h"
#include "sim/cli/param_text.h"
#include "sim/cli/schema_distribution.h"
#include "sim/config/experiment.h"
#include "sim/engine/cpu.h"

#define NAME_PATTERN "[A-Za-z_][A-Za-z0-9_-]{0,39}"

/* ---- Values. ---- */

static json_t *reference(const char *name)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/definitions/%s", name));
}

/* A number and one of the units of a quantity. */
static json_t *quantity(enum units_quantity quantity)
{
    char units[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < units_table_length; i++) {
        if (units_table[i].quantity == quantity) {
            used += (size_t)snprintf(units + used, sizeof(units) - used, "%s%s",
                                     used > 0 ? "|" : "", units_table[i].name);
        }
    }
    return json_pack("{s:s, s:o}", "type", "string", "pattern",
                     json_sprintf("^ *([0-9]+(\\.[0-9]+)?|\\.[0-9]+) *(%s) *$", units));
}

static json_t *names_of(const struct param *param)
{
    json_t *names = json_array();
    for (size_t i = 0; param_name_at(param, i) != NULL; i++) {
        json_array_append_new(names, json_string(param_name_at(param, i)));
    }
    return json_pack("{s:o}", "enum", names);
}

static json_t *value_of(const struct param *param)
{
    switch (param->kind) {
    case PARAM_KIND_COUNT:
        return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)param->min,
                         "maximum", (json_int_t)param->max);
    case PARAM_KIND_RATIO:
        return json_pack("{s:s, s:f, s:f}", "type", "number", "minimum", (double)param->min / 1000,
                         "maximum", (double)param->max / 1000);
    case PARAM_KIND_BOOL:
        return json_pack("{s:[b, b, s, s, s, s]}", "enum", 1, 0, "yes", "no", "on", "off");
    case PARAM_KIND_TIME:
        return quantity(UNITS_TIME);
    case PARAM_KIND_SIZE:
        return quantity(UNITS_SIZE);
    case PARAM_KIND_RATE:
        return quantity(UNITS_RATE);
    case PARAM_KIND_BIT_RATE:
        return quantity(UNITS_BIT_RATE);
    case PARAM_KIND_DISTRIBUTION:
        return json_pack("{s:[o]}", "allOf", reference("distribution"));
    case PARAM_KIND_CHOICE:
    case PARAM_KIND_POLICY:
        return names_of(param);
    case PARAM_KIND_CPU:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^" NAME_PATTERN "$");
    }
    return NULL;
}

/* What an editor shows: the table's words, the range, the default. */
static json_t *description_of(const struct param *param)
{
    char range[PARAM_TEXT_BYTES];
    char preset[PARAM_TEXT_BYTES];
    param_text_range(param, range);
    param_text_default(param, preset);
    return json_sprintf("%s %s%s%s%s%s.", param->doc, param_text_kind(param),
                        range[0] != '\0' ? ", " : "", range,
                        param->required ? ", required" : ", default ", preset);
}

static void add_params(json_t *properties, const struct param *params, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = value_of(&params[i]);
        json_object_set_new(value, "description", description_of(&params[i]));
        json_object_set_new(properties, params[i].name, value);
    }
}

/* A mapping that may be blank, with these keys and no others. */
static json_t *mapping(json_t *properties)
{
    return json_pack("{s:[s, s], s:o, s:b}", "type", "object", "null", "properties", properties,
                     "additionalProperties", 0);
}

/* A mapping whose keys have a form. */
static json_t *mapping_by(const char *pattern, json_t *value)
{
    return json_pack("{s:[s, s], s:{s:o}, s:b}", "type", "object", "null", "patternProperties",
                     pattern, value, "additionalProperties", 0);
}

static json_t *list_of(json_t *item)
{
    return json_pack("{s:s, s:o, s:i}", "type", "array", "items", item, "minItems", 1);
}

static json_t *text(void)
{
    return json_pack("{s:[s, s, s]}", "type", "string", "number", "boolean");
}

/* ---- Models and stages. ---- */

static json_t *model_definition(const struct model *model)
{
    json_t *properties = json_object();
    json_object_set_new(properties, "model", json_pack("{s:s}", "const", model->name));
    json_object_set_new(properties, "over", reference("over"));
    add_params(properties, model->params, model->param_count);
    json_t *definition = mapping(properties);
    json_object_set_new(definition, "description", json_string(model->summary));
    return definition;
}

/* One of the models' definitions, by the name at `model:`; a part of a stage without it. */
static json_t *stage_definition(void)
{
    json_t *names = json_array();
    json_t *cases = json_array();
    for (size_t i = 0; i < model_count; i++) {
        const char *name = models[i]->name;
        json_array_append_new(names, json_string(name));
        json_array_append_new(cases, json_pack("{s:{s:{s:{s:s}}, s:[s]}, s:o}", "if", "properties",
                                               "model", "const", name, "required", "model", "then",
                                               reference(name)));
    }
    return json_pack("{s:[s, s], s:{s:{s:o, s:s}}, s:o}", "type", "object", "null", "properties",
                     "model", "enum", names, "description", "What the stage is.", "allOf", cases);
}

static json_t *over_definition(void)
{
    return json_pack("{s:[{s:s}, {s:s, s:{s:s}}], s:s}", "anyOf", "type", "string", "type",
                     "object", "additionalProperties", "type", "string", "description",
                     "The stage below, by its name; `none`: the bottom; a mapping routes by load. "
                     "Default: the next one.");
}

/* ---- Paths. ---- */

struct table {
    const char *name;
    const struct param *params;
    size_t count;
};

static struct table table_at(size_t i)
{
    if (i == model_count) {
        return (struct table){ "cpu", cpu_params, cpu_param_count };
    }
    return (struct table){ models[i]->name, models[i]->params, models[i]->param_count };
}

/* What a parameter of this name takes in any of the tables. */
static json_t *value_by_name(const char *name)
{
    json_t *values = json_array();
    for (size_t t = 0; t <= model_count; t++) {
        struct table table = table_at(t);
        if (param_find(table.params, table.count, name) != NULL) {
            char path[160];
            snprintf(path, sizeof(path), "%s/properties/%s", table.name, name);
            json_array_append_new(values, reference(path));
        }
    }
    return json_pack("{s:o}", "anyOf", values);
}

static json_t *swept_by_name(const char *name)
{
    return json_pack("{s:[o, o]}", "anyOf", list_of(value_by_name(name)), reference("range"));
}

/* {STAGE.PARAMETER: VALUE}, for every name of a parameter. */
static json_t *paths(json_t *(*value_of_name)(const char *name))
{
    json_t *properties = json_object();
    for (size_t t = 0; t <= model_count; t++) {
        struct table table = table_at(t);
        for (size_t i = 0; i < table.count; i++) {
            char pattern[160];
            snprintf(pattern, sizeof(pattern), "^%s\\.%s$", NAME_PATTERN, table.params[i].name);
            if (json_object_get(properties, pattern) == NULL) {
                json_object_set_new(properties, pattern, value_of_name(table.params[i].name));
            }
        }
    }
    return json_pack("{s:[s, s], s:o, s:b}", "type", "object", "null", "patternProperties",
                     properties, "additionalProperties", 0);
}

static json_t *range_definition(void)
{
    json_t *value = json_pack("{s:[s, s]}", "type", "number", "string");
    return json_pack("{s:s, s:{s:O, s:O, s:{s:s, s:i}, s:o}, s:[s, s], s:[{s:[s]}, {s:[s]}], s:b}",
                     "type", "object", "properties", "from", value, "to", value, "times", "type",
                     "number", "exclusiveMinimum", 1, "step", value, "required", "from", "to",
                     "oneOf", "required", "times", "required", "step", "additionalProperties", 0);
}

static json_t *sweep(void)
{
    json_t *sweep = paths(swept_by_name);
    json_object_set_new(sweep, "properties", json_pack("{s:o}", "zip", paths(swept_by_name)));
    return sweep;
}

/* ---- The file. ---- */

static json_t *run_definition(void)
{
    json_t *measure = json_pack("{s:[o, {s:s, s:s}]}", "anyOf", quantity(UNITS_TIME), "type",
                                "string", "pattern", "^ *[1-9][0-9]* *requests? *$");
    json_t *until = mapping(
        json_pack("{s:{s:s}, s:o}", "metric", "type", "string", "within", quantity(UNITS_PERCENT)));
    json_object_set_new(until, "required", json_pack("[s, s]", "metric", "within"));
    json_t *run = mapping(json_pack("{s:o, s:o, s:o, s:{s:s, s:i, s:i}, s:o, s:{s:s, s:s}}",
                                    "warmup", quantity(UNITS_TIME), "measure", measure, "drain",
                                    quantity(UNITS_TIME), "repeats", "type", "integer", "minimum",
                                    1, "maximum", EXPERIMENT_REPEATS_MAX, "until", until, "at_most",
                                    "type", "string", "pattern", "^ *[1-9][0-9]* *repeats$"));
    json_object_set_new(run, "dependencies", json_pack("{s:[s]}", "at_most", "until"));
    return run;
}

static json_t *measured_definition(void)
{
    json_t *variant = json_pack("{s:[{s:s}, {s:s, s:{s:{s:s}}, s:[s], s:b}]}", "anyOf", "type",
                                "string", "type", "object", "properties", "is", "type", "string",
                                "required", "is", "additionalProperties", 0);
    json_t *item = mapping(json_pack(
        "{s:{s:s}, s:o, s:o, s:o, s:o, s:o}", "file", "type", "string", "where",
        json_pack("{s:s, s:o}", "type", "object", "additionalProperties", text()), "variant",
        variant, "match",
        json_pack("{s:s, s:{s:s}}", "type", "object", "additionalProperties", "type", "string"),
        "units",
        json_pack("{s:s, s:{s:[s, s, s, s, s]}}", "type", "object", "additionalProperties", "enum",
                  "ps", "ns", "us", "ms", "s"),
        "columns",
        json_pack("{s:s, s:{s:s}}", "type", "object", "additionalProperties", "type", "string")));
    json_object_set_new(item, "required", json_pack("[s, s]", "file", "columns"));
    return json_pack("{s:s, s:o}", "type", "array", "items", item);
}

static json_t *definitions(void)
{
    json_t *definitions = json_object();
    json_t *cpu = json_object();
    add_params(cpu, cpu_params, cpu_param_count);
    json_object_set_new(definitions, "distribution", schema_distribution(quantity(UNITS_TIME)));
    json_object_set_new(definitions, "over", over_definition());
    json_object_set_new(definitions, "range", range_definition());
    json_object_set_new(definitions, "cpu", mapping(cpu));
    for (size_t i = 0; i < model_count; i++) {
        json_object_set_new(definitions, models[i]->name, model_definition(models[i]));
    }
    json_object_set_new(definitions, "stage", stage_definition());
    return definitions;
}

static json_t *properties(void)
{
    json_t *properties = json_object();
    json_object_set_new(properties, "ringtail", json_pack("{s:i}", "const", EXPERIMENT_FORMAT));
    json_object_set_new(properties, "title", text());
    json_object_set_new(properties, "seed",
                        json_pack("{s:s, s:i}", "type", "integer", "minimum", 0));
    json_object_set_new(properties, "run", run_definition());
    json_object_set_new(properties, "cpus", mapping_by("^" NAME_PATTERN "$", reference("cpu")));
    json_object_set_new(properties, "stack", mapping_by("^" NAME_PATTERN "$", reference("stage")));
    json_object_set_new(properties, "variants",
                        json_pack("{s:[s, s], s:o}", "type", "object", "null",
                                  "additionalProperties", paths(value_by_name)));
    json_object_set_new(
        properties, "compare",
        mapping(json_pack("{s:{s:s}, s:{s:s}}", "from", "type", "string", "to", "type", "string")));
    json_object_set_new(properties, "sweep", sweep());
    json_object_set_new(properties, "measured", measured_definition());
    json_object_set_new(properties, "expect",
                        json_pack("{s:s, s:{s:s}}", "type", "array", "items", "type", "object"));
    json_object_set_new(properties, "extends", json_pack("{s:s}", "type", "string"));
    return properties;
}

static json_t *schema(void)
{
    json_t *whole = json_pack("{s:[s, s], s:{s:{s:{s:[s]}}}}", "required", "ringtail", "stack",
                              "properties", "stack", "additionalProperties", "required", "model");
    return json_pack("{s:s, s:s, s:s, s:o, s:b, s:[{s:[s]}, o], s:o}", "$schema",
                     "http://json-schema.org/draft-07/schema#", "title", "ringtail experiment",
                     "type", "object", "properties", properties(), "additionalProperties", 0,
                     "anyOf", "required", "extends", whole, "definitions", definitions());
}

static enum exit_status run(char **words)
{
    if (words[0] != NULL) {
        struct error error = { 0 };
        error_user(&error, NULL, "unexpected `%s`", words[0]);
        return command_fail(&error);
    }
    json_t *json = schema();
    json_dumpf(json, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(json);
    return EXIT_STATUS_DONE;
}

const struct command schema_command = {
    .name = "schema",
    .operands = "",
    .summary = "Prints the JSON Schema of experiments, for editors.",
    .run = run,
};
