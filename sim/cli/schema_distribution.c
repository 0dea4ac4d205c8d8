/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/schema_distribution.h"

#include <assert.h>
#include <string.h>

#include "sim/base/distribution.h"
#include "sim/config/bind.h"

static json_t *number(double min, bool above, double max)
{
    return json_pack("{s:s, s:f, s:f}", "type", "number", above ? "exclusiveMinimum" : "minimum",
                     min, "maximum", max);
}

/* A mapping of exactly these two keys. */
static json_t *pair(const char *first, json_t *first_value, const char *second,
                    json_t *second_value)
{
    return json_pack("{s:s, s:{s:o, s:o}, s:[s, s], s:b}", "type", "object", "properties", first,
                     first_value, second, second_value, "required", first, second,
                     "additionalProperties", 0);
}

static json_t *list(json_t *item, int min, int max)
{
    json_t *list = json_pack("{s:s, s:o, s:i}", "type", "array", "items", item, "minItems", min);
    if (max > 0) {
        json_object_set_new(list, "maxItems", json_integer(max));
    }
    return list;
}

static json_t *of_exponential(json_t *time)
{
    return json_incref(time);
}

static json_t *of_uniform(json_t *time)
{
    return list(json_incref(time), 2, 2);
}

static json_t *of_normal(json_t *time)
{
    return pair("mean", json_incref(time), "deviation", json_incref(time));
}

static json_t *of_lognormal(json_t *time)
{
    return pair("mean", json_incref(time), "cv", number(0, true, DISTRIBUTION_CV_MAX));
}

static json_t *shape(void)
{
    return number(DISTRIBUTION_SHAPE_MIN, false, DISTRIBUTION_SHAPE_MAX);
}

static json_t *of_pareto(json_t *time)
{
    return pair("scale", json_incref(time), "shape", shape());
}

static json_t *of_gamma(json_t *time)
{
    return pair("mean", json_incref(time), "shape", shape());
}

static json_t *of_mixture(json_t *time)
{
    (void)time;
    json_t *part = pair("weight", number(0, true, 1e9), "value",
                        json_pack("{s:s}", "$ref", "#/definitions/distribution"));
    return list(part, 1, 0);
}

static json_t *of_values(json_t *time)
{
    json_t *column = pair("file", json_pack("{s:s}", "type", "string"), "column",
                          json_pack("{s:s}", "type", "string"));
    return json_pack("{s:[{s:s}, o, o]}", "anyOf", "type", "string", list(json_incref(time), 1, 0),
                     column);
}

static json_t *form_of(const char *kind, json_t *time)
{
    static const struct {
        const char *name;
        json_t *(*form)(json_t *time);
    } forms[] = {
        { "exponential", of_exponential }, { "uniform", of_uniform },  { "normal", of_normal },
        { "lognormal", of_lognormal },     { "pareto", of_pareto },    { "gamma", of_gamma },
        { "mixture", of_mixture },         { "empirical", of_values }, { "sequence", of_values },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
        if (strcmp(forms[i].name, kind) == 0) {
            return forms[i].form(time);
        }
    }
    assert(false); /* a kind without a line in the table above */
    return NULL;
}

json_t *schema_distribution(json_t *time)
{
    json_t *properties = json_object();
    json_t *one_of = json_array();
    const struct bind_kind *kind;
    for (size_t i = 0; (kind = bind_distribution_kind(i)) != NULL; i++) {
        json_t *form = form_of(kind->name, time);
        if (form != time) {
            json_object_set_new(form, "description", json_string(kind->doc));
        }
        json_object_set_new(properties, kind->name, form);
        json_array_append_new(one_of, json_pack("{s:[s]}", "required", kind->name));
    }
    json_object_set(properties, "plus", time);
    json_t *shape = json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties,
                              "oneOf", one_of, "additionalProperties", 0);
    return json_pack("{s:[o, o]}", "anyOf", time, shape);
}
