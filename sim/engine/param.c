/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/param.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const struct param *param_find(const struct param *params, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(params[i].name, name) == 0) {
            return &params[i];
        }
    }
    return NULL;
}

const char *param_kind_noun(enum param_kind kind)
{
    static const char *const nouns[] = {
        [PARAM_KIND_COUNT] = "a count",
        [PARAM_KIND_RATIO] = "a decimal number",
        [PARAM_KIND_BOOL] = "true or false",
        [PARAM_KIND_TIME] = "a time",
        [PARAM_KIND_SIZE] = "a size",
        [PARAM_KIND_RATE] = "a rate",
        [PARAM_KIND_BIT_RATE] = "a bit rate",
        [PARAM_KIND_DISTRIBUTION] = "a time or a distribution of times",
        [PARAM_KIND_CHOICE] = "a name",
        [PARAM_KIND_POLICY] = "a policy",
        [PARAM_KIND_CPU] = "a cpu",
    };
    return nouns[kind];
}

static const struct policy_head *policy_at(const struct param *param, size_t i)
{
    const char *first = param->policies;
    return (const struct policy_head *)(const void *)(first + i * param->policy_size);
}

const char *param_name_at(const struct param *param, size_t i)
{
    if (param->kind == PARAM_KIND_POLICY) {
        return i < param->policy_count ? policy_at(param, i)->name : NULL;
    }
    return param->choices[i];
}

const char *param_summary_at(const struct param *param, size_t i)
{
    return param->kind == PARAM_KIND_POLICY ? policy_at(param, i)->summary : NULL;
}

static void store_integer(const struct param *param, void *state, int64_t value)
{
    if (param->kind == PARAM_KIND_BOOL) {
        *(bool *)param_field(param, state) = value != 0;
    } else {
        *(int64_t *)param_field(param, state) = value;
    }
}

static void store_name(const struct param *param, void *state, size_t index)
{
    if (param->kind == PARAM_KIND_POLICY) {
        *(const void **)param_field(param, state) = policy_at(param, index);
    } else {
        *(int64_t *)param_field(param, state) = (int64_t)index;
    }
}

void param_set_presets(const struct param *params, size_t count, void *state)
{
    for (size_t i = 0; i < count; i++) {
        const struct param *param = &params[i];
        switch (param->kind) {
        case PARAM_KIND_DISTRIBUTION:
            *(struct distribution *)param_field(param, state) =
                distribution_constant(param->preset);
            break;
        case PARAM_KIND_CHOICE:
        case PARAM_KIND_POLICY:
            store_name(param, state, (size_t)param->preset);
            break;
        case PARAM_KIND_CPU:
            break;
        default:
            store_integer(param, state, param->preset);
        }
    }
}

/* "at least 1", "between 1 and 64": bounds as they are stored. */
static bool set_range_error(const struct param *param, int64_t value, const struct place *where,
                            struct error *err)
{
    bool low = value < param->min;
    error_user(err, where, "`%s` is too %s", param->name, low ? "small" : "large");
    return error_hint(err, "%s is %s %" PRId64, param->name, low ? "at least" : "at most",
                      low ? param->min : param->max);
}

bool param_set_integer(const struct param *param, void *state, int64_t value,
                       const struct place *where, struct error *err)
{
    assert(param->kind == PARAM_KIND_COUNT || param->kind == PARAM_KIND_RATIO ||
           param->kind == PARAM_KIND_BOOL || param->kind == PARAM_KIND_TIME ||
           param->kind == PARAM_KIND_SIZE || param->kind == PARAM_KIND_RATE ||
           param->kind == PARAM_KIND_BIT_RATE);
    if (value < param->min || value > param->max) {
        return set_range_error(param, value, where, err);
    }
    store_integer(param, state, value);
    return true;
}

bool param_set_distribution(const struct param *param, void *state, struct distribution value,
                            const struct place *where, struct error *err)
{
    assert(param->kind == PARAM_KIND_DISTRIBUTION);
    if (value.kind == DISTRIBUTION_CONSTANT &&
        (value.shift < param->min || value.shift > param->max)) {
        return set_range_error(param, value.shift, where, err);
    }
    *(struct distribution *)param_field(param, state) = value;
    return true;
}

bool param_set_name(const struct param *param, void *state, const char *name,
                    const struct place *where, struct error *err)
{
    assert(param->kind == PARAM_KIND_CHOICE || param->kind == PARAM_KIND_POLICY);
    size_t i = 0;
    for (const char *known; (known = param_name_at(param, i)) != NULL; i++) {
        if (strcmp(known, name) == 0) {
            store_name(param, state, i);
            return true;
        }
    }
    return error_user(err, where, "`%s` has no %s `%s`", param->name,
                      param->kind == PARAM_KIND_POLICY ? "policy" : "value", name);
}

bool param_set_cpu(const struct param *param, void *state, struct cpu *cpu,
                   const struct place *where, struct error *err)
{
    assert(param->kind == PARAM_KIND_CPU);
    if (cpu == NULL && param->required) {
        return error_user(err, where, "`%s` must name a cpu", param->name);
    }
    *(struct cpu **)param_field(param, state) = cpu;
    return true;
}
