/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One table of kinds serves the parsing and the messages. Everything that the constructors of
 * distribution.h assert is checked here first.
 */
#include <string.h>

#include "sim/config/bind.h"
#include "sim/config/read.h"
#include "sim/config/suggest.h"

/* What a kind is read with: its node, and the largest time that may stand in it. */
struct reading {
    const struct binding *binding;
    const struct node *node;
    sim_time max;
    struct error *err;
};

struct kind {
    struct bind_kind shown;
    bool (*read)(const struct reading *reading, struct distribution *distribution);
};

static bool read_time(const struct reading *reading, const struct node *node, sim_time *time)
{
    return read_quantity(node, UNITS_TIME, 0, reading->max, time, reading->err);
}

/* The two keys of a kind that is a mapping, `keys` with NULL at its end. */
static bool read_pair(const struct reading *reading, const char *const *keys, const char *what,
                      const struct node **first, const struct node **second)
{
    const struct node *mapping = read_mapping(reading->node, what, reading->err);
    if (mapping == NULL || !read_keys(mapping, keys, what, reading->err)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct node *value = node_find(mapping, keys[i]);
        if (value == NULL) {
            error_user(reading->err, &reading->node->place, "`%s:` is missing in %s", keys[i],
                       what);
            return error_hint(reading->err, "it takes `%s:` and `%s:`", keys[0], keys[1]);
        }
        *(i == 0 ? first : second) = value;
    }
    return true;
}

static bool read_exponential(const struct reading *reading, struct distribution *distribution)
{
    sim_time mean = 0;
    if (!read_time(reading, reading->node, &mean)) {
        return false;
    }
    *distribution = distribution_exponential(mean);
    return true;
}

static bool read_uniform(const struct reading *reading, struct distribution *distribution)
{
    sim_time low = 0;
    sim_time high = 0;
    const struct node *list = read_list(reading->node, "`uniform`", reading->err);
    if (list == NULL) {
        return false;
    }
    if (list->count != 2) {
        error_user(reading->err, &list->place, "`uniform` takes two times, and there are %zu",
                   list->count);
        return error_hint(reading->err, "write `{uniform: [30us, 50us]}`");
    }
    if (!read_time(reading, list->items[0], &low) || !read_time(reading, list->items[1], &high)) {
        return false;
    }
    if (low > high) {
        error_user(reading->err, &list->place, "`uniform` ends before it begins");
        return error_hint(reading->err, "write the smaller time first");
    }
    *distribution = distribution_uniform(low, high);
    return true;
}

static bool read_normal(const struct reading *reading, struct distribution *distribution)
{
    static const char *const keys[] = { "mean", "deviation", NULL };
    const struct node *mean_node = NULL;
    const struct node *deviation_node = NULL;
    sim_time mean = 0;
    sim_time deviation = 0;
    if (!read_pair(reading, keys, "`normal`", &mean_node, &deviation_node) ||
        !read_time(reading, mean_node, &mean) || !read_time(reading, deviation_node, &deviation)) {
        return false;
    }
    *distribution = distribution_normal(mean, deviation);
    return true;
}

static bool read_lognormal(const struct reading *reading, struct distribution *distribution)
{
    static const char *const keys[] = { "mean", "cv", NULL };
    const struct node *mean_node = NULL;
    const struct node *cv_node = NULL;
    sim_time mean = 0;
    double cv = 0;
    if (!read_pair(reading, keys, "`lognormal`", &mean_node, &cv_node) ||
        !read_time(reading, mean_node, &mean) ||
        !read_number(cv_node, true, 0, DISTRIBUTION_CV_MAX, &cv, reading->err)) {
        return false;
    }
    *distribution = distribution_lognormal(mean, cv);
    return true;
}

static bool read_shaped(const struct reading *reading, const char *const *keys, const char *what,
                        sim_time *time, double *shape)
{
    const struct node *time_node = NULL;
    const struct node *shape_node = NULL;
    return read_pair(reading, keys, what, &time_node, &shape_node) &&
           read_time(reading, time_node, time) &&
           read_number(shape_node, false, DISTRIBUTION_SHAPE_MIN, DISTRIBUTION_SHAPE_MAX, shape,
                       reading->err);
}

static bool read_pareto(const struct reading *reading, struct distribution *distribution)
{
    static const char *const keys[] = { "scale", "shape", NULL };
    sim_time scale = 0;
    double shape = 0;
    if (!read_shaped(reading, keys, "`pareto`", &scale, &shape)) {
        return false;
    }
    *distribution = distribution_pareto(scale, shape);
    return true;
}

static bool read_gamma(const struct reading *reading, struct distribution *distribution)
{
    static const char *const keys[] = { "mean", "shape", NULL };
    sim_time mean = 0;
    double shape = 0;
    if (!read_shaped(reading, keys, "`gamma`", &mean, &shape)) {
        return false;
    }
    *distribution = distribution_gamma(mean, shape);
    return true;
}

static bool read_part(const struct reading *reading, struct distribution *part, double *weight)
{
    static const char *const keys[] = { "weight", "value", NULL };
    const struct node *weight_node = NULL;
    const struct node *value = NULL;
    if (!read_pair(reading, keys, "a part of `mixture`", &weight_node, &value) ||
        !read_number(weight_node, true, 0, 1e9, weight, reading->err) ||
        !bind_distribution(reading->binding, value, 0, reading->max, part, reading->err)) {
        return false;
    }
    if (part->kind == DISTRIBUTION_SEQUENCE) {
        error_user(reading->err, &value->place, "a `sequence` cannot be a part of a `mixture`");
        return error_hint(reading->err, "write `empirical`, which draws from the same values");
    }
    return true;
}

static bool read_mixture(const struct reading *reading, struct distribution *distribution)
{
    const struct node *list = read_list(reading->node, "`mixture`", reading->err);
    if (list == NULL) {
        return false;
    }
    if (list->count == 0) {
        error_user(reading->err, &list->place, "`mixture` has no parts");
        return error_hint(reading->err, "write `{mixture: [{weight: 0.9, value: 10us}, ...]}`");
    }
    struct distribution *parts = arena_array(reading->binding->arena, list->count, sizeof(*parts));
    double *cumulative = arena_array(reading->binding->arena, list->count, sizeof(*cumulative));
    double sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct reading part = *reading;
        double weight = 0;
        part.node = list->items[i];
        if (!read_part(&part, &parts[i], &weight)) {
            return false;
        }
        sum += weight;
        cumulative[i] = sum;
    }
    for (size_t i = 0; i < list->count; i++) {
        cumulative[i] /= sum; /* the last is exactly 1 */
    }
    *distribution = distribution_mixture(parts, cumulative, list->count);
    return true;
}

static bool read_values(const struct reading *reading, const char *what, struct value_list *list)
{
    const struct binding *binding = reading->binding;
    if (!values_find(binding->values, binding->arena, reading->node, what, list, reading->err)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->times[i] > reading->max) {
            char shown[UNITS_TEXT_BYTES];
            units_format_exact(UNITS_TIME, reading->max, shown, sizeof(shown));
            error_user(reading->err, &reading->node->place, "value %zu of %s is too large", i + 1,
                       what);
            return error_hint(reading->err, "it is at most %s", shown);
        }
    }
    return true;
}

static bool read_empirical(const struct reading *reading, struct distribution *distribution)
{
    struct value_list list;
    if (!read_values(reading, "`empirical`", &list)) {
        return false;
    }
    *distribution = distribution_empirical(list.times, list.count);
    return true;
}

static bool read_sequence(const struct reading *reading, struct distribution *distribution)
{
    struct value_list list;
    if (!read_values(reading, "`sequence`", &list)) {
        return false;
    }
    *distribution = distribution_sequence(list.times, list.count);
    return true;
}

static const struct kind kinds[] = {
    { { "exponential", "{exponential: 40us}", "its mean" }, read_exponential },
    { { "uniform", "{uniform: [30us, 50us]}", "both ends included" }, read_uniform },
    { { "normal", "{normal: {mean: 40us, deviation: 5us}}", "cut at 0" }, read_normal },
    { { "lognormal", "{lognormal: {mean: 40us, cv: 0.3}}", "cv is deviation / mean" },
      read_lognormal },
    { { "pareto", "{pareto: {scale: 10us, shape: 2.5}}", "P(X > x) = (scale / x)^shape" },
      read_pareto },
    { { "gamma", "{gamma: {mean: 40us, shape: 2}}", "deviation is mean / sqrt(shape)" },
      read_gamma },
    { { "mixture", "{mixture: [{weight: 9, value: 10us}, {weight: 1, value: 1ms}]}",
        "one of the values, each any distribution but a sequence" },
      read_mixture },
    { { "empirical", "{empirical: VALUES}", "one of the values, each as likely" }, read_empirical },
    { { "sequence", "{sequence: VALUES}",
        "in order: request n of a load takes value n; begins anew behind the last" },
      read_sequence },
};

const struct bind_kind *bind_distribution_kind(size_t i)
{
    return i < ARRAY_LENGTH(kinds) ? &kinds[i].shown : NULL;
}

static const struct kind *find_kind(const struct node *key, struct error *err)
{
    struct suggest suggest;
    suggest_start(&suggest, key->text);
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        if (strcmp(kinds[i].shown.name, key->text) == 0) {
            return &kinds[i];
        }
        suggest_offer(&suggest, kinds[i].shown.name);
    }
    suggest_offer(&suggest, "plus");
    error_user(err, &key->place, "unknown distribution `%.60s`", key->text);
    suggest_hint(&suggest, "distributions", err);
    return NULL;
}

/* {KIND: ..., plus: TIME} */
static bool read_shape(const struct binding *binding, const struct node *value, sim_time max,
                       struct distribution *distribution, struct error *err)
{
    const struct node *chosen = NULL;
    sim_time plus = 0;
    for (size_t i = 0; i < value->count; i++) {
        const struct node_entry *entry = &value->entries[i];
        if (strcmp(entry->key->text, "plus") == 0) {
            if (!read_quantity(entry->value, UNITS_TIME, 0, max, &plus, err)) {
                return false;
            }
            continue;
        }
        const struct kind *kind = find_kind(entry->key, err);
        if (kind == NULL) {
            return false;
        }
        if (chosen != NULL) {
            error_user(err, &entry->key->place, "two distributions, `%s` and `%s`", chosen->text,
                       entry->key->text);
            return error_hint(err, "write one, or a `mixture` of both");
        }
        chosen = entry->key;
        const struct reading reading = { binding, entry->value, max, err };
        if (!kind->read(&reading, distribution)) {
            return false;
        }
    }
    if (chosen == NULL) {
        error_user(err, &value->place, "a distribution is missing here");
        return error_hint(err, "write for example `{exponential: 40us}` or `40us`");
    }
    *distribution = distribution_plus(*distribution, plus);
    return true;
}

static sim_time smallest(const struct distribution *distribution)
{
    sim_time least = 0;
    if (distribution->kind == DISTRIBUTION_PARETO) {
        least = distribution_round(distribution->a);
    } else if (distribution->kind == DISTRIBUTION_MIXTURE) {
        least = SIM_DURATION_MAX;
        for (size_t i = 0; i < distribution->count; i++) {
            sim_time part = smallest(&distribution->parts[i]);
            least = part < least ? part : least;
        }
    } else if (distribution->kind == DISTRIBUTION_EMPIRICAL ||
               distribution->kind == DISTRIBUTION_SEQUENCE) {
        least = SIM_DURATION_MAX;
        for (size_t i = 0; i < distribution->count; i++) {
            least = distribution->values[i] < least ? distribution->values[i] : least;
        }
    }
    return distribution_clamp(least + distribution->shift);
}

bool bind_distribution(const struct binding *binding, const struct node *value, sim_time min,
                       sim_time max, struct distribution *distribution, struct error *err)
{
    struct distribution read = { 0 };
    sim_time time = 0;
    if (value->kind == NODE_SEQUENCE) {
        error_user(err, &value->place, "a list stands where a time or a distribution is needed");
        return error_hint(err, "write for example `40us` or `{uniform: [30us, 50us]}`");
    }
    if (value->kind == NODE_SCALAR) {
        if (!read_quantity(value, UNITS_TIME, min, max, &time, err)) {
            return false;
        }
        *distribution = distribution_constant(time);
        return true;
    }
    if (!read_shape(binding, value, max, &read, err)) {
        return false;
    }
    if (smallest(&read) < min) {
        char shown[UNITS_TEXT_BYTES];
        units_format_exact(UNITS_TIME, min, shown, sizeof(shown));
        error_user(err, &value->place, "the smallest value of this distribution is too small");
        return error_hint(err, "shift it: `plus: %s`", shown);
    }
    *distribution = read;
    return true;
}
