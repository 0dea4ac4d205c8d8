/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/bind.h"

#include <assert.h>
#include <string.h>

#include "sim/config/read.h"
#include "sim/config/suggest.h"

bool bind_quantity(const struct param *param, enum units_quantity *quantity)
{
    switch (param->kind) {
    case PARAM_KIND_COUNT:
        *quantity = UNITS_COUNT;
        return true;
    case PARAM_KIND_RATIO:
        *quantity = UNITS_RATIO;
        return true;
    case PARAM_KIND_TIME:
    case PARAM_KIND_DISTRIBUTION:
        *quantity = UNITS_TIME;
        return true;
    case PARAM_KIND_SIZE:
        *quantity = UNITS_SIZE;
        return true;
    case PARAM_KIND_RATE:
        *quantity = UNITS_RATE;
        return true;
    case PARAM_KIND_BIT_RATE:
        *quantity = UNITS_BIT_RATE;
        return true;
    case PARAM_KIND_BOOL:
    case PARAM_KIND_CHOICE:
    case PARAM_KIND_POLICY:
    case PARAM_KIND_CPU:
        break;
    }
    return false;
}

static bool check_scalar(const struct param *param, const struct node *value, struct error *err)
{
    if (value->kind == NODE_SCALAR && value->count > 0) {
        return true;
    }
    error_user(err, &value->place, "`%s` needs %s", param->name,
               param->kind == PARAM_KIND_CPU ? "the name of a cpu" : param_kind_noun(param->kind));
    return error_hint(err, "write a single value");
}

static bool bind_bool(const struct param *param, const struct node *value, void *state,
                      struct error *err)
{
    bool truth = false;
    if (!check_scalar(param, value, err)) {
        return false;
    }
    if (!units_parse_bool(value->text, &truth)) {
        return units_error_bool(value->text, &value->place, err);
    }
    return param_set_integer(param, state, truth, &value->place, err);
}

static bool bind_name(const struct param *param, const struct node *value, void *state,
                      struct error *err)
{
    if (!check_scalar(param, value, err)) {
        return false;
    }
    bool policy = param->kind == PARAM_KIND_POLICY;
    struct suggest suggest;
    suggest_start(&suggest, value->text);
    const char *name;
    for (size_t i = 0; (name = param_name_at(param, i)) != NULL; i++) {
        if (strcmp(name, value->text) == 0) {
            return param_set_name(param, state, name, &value->place, err);
        }
        suggest_offer(&suggest, name);
    }
    if (policy) {
        error_user(err, &value->place, "unknown policy `%.60s`", value->text);
    } else {
        error_user(err, &value->place, "unknown value `%.60s` of `%s`", value->text, param->name);
    }
    return suggest_hint(&suggest, policy ? "policies" : "values", err);
}

static bool bind_cpu(const struct engine *engine, const struct param *param,
                     const struct node *value, void *state, struct error *err)
{
    if (!check_scalar(param, value, err)) {
        return false;
    }
    if (strcmp(value->text, "none") == 0) {
        return param_set_cpu(param, state, NULL, &value->place, err) ||
               error_hint(err, "write the name of one that `cpus:` declares");
    }
    struct suggest suggest;
    suggest_start(&suggest, value->text);
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        const char *name = cpu_name(engine->cpus[i]);
        if (strcmp(name, value->text) == 0) {
            return param_set_cpu(param, state, engine->cpus[i], &value->place, err);
        }
        suggest_offer(&suggest, name);
    }
    error_user(err, &value->place, "unknown cpu `%.60s`", value->text);
    if (engine->cpu_count == 0) {
        return error_hint(err, "declare it: `cpus: {%.60s: {}}`", value->text);
    }
    return suggest_hint(&suggest, "cpus", err);
}

bool bind_param(const struct binding *binding, const struct param *param, const struct node *value,
                void *state, struct error *err)
{
    enum units_quantity quantity = UNITS_COUNT;
    struct distribution distribution = { 0 };
    int64_t number = 0;
    switch (param->kind) {
    case PARAM_KIND_COUNT:
    case PARAM_KIND_RATIO:
    case PARAM_KIND_TIME:
    case PARAM_KIND_SIZE:
    case PARAM_KIND_RATE:
    case PARAM_KIND_BIT_RATE:
        bind_quantity(param, &quantity);
        return read_quantity(value, quantity, param->min, param->max, &number, err) &&
               param_set_integer(param, state, number, &value->place, err);
    case PARAM_KIND_DISTRIBUTION:
        return bind_distribution(binding, value, param->min, param->max, &distribution, err) &&
               param_set_distribution(param, state, distribution, &value->place, err);
    case PARAM_KIND_BOOL:
        return bind_bool(param, value, state, err);
    case PARAM_KIND_CHOICE:
    case PARAM_KIND_POLICY:
        return bind_name(param, value, state, err);
    case PARAM_KIND_CPU:
        return bind_cpu(binding->engine, param, value, state, err);
    }
    assert(false); /* no such kind */
    return false;
}
