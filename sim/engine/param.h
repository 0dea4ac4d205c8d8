/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameter tables. A model lists its parameters once; from the table come the checks, the
 * defaults, the help, the schema and the documentation. A parameter's name is its field's name and
 * its word in the experiment.
 */
#ifndef RINGTAIL_SIM_ENGINE_PARAM_H
#define RINGTAIL_SIM_ENGINE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/distribution.h"
#include "sim/base/error.h"
#include "sim/base/time.h"

struct cpu;

enum param_kind {
    PARAM_KIND_COUNT,        /* int64_t, bare number */
    PARAM_KIND_RATIO,        /* int64_t, thousandths, bare decimal number */
    PARAM_KIND_BOOL,         /* bool */
    PARAM_KIND_TIME,         /* sim_time */
    PARAM_KIND_SIZE,         /* int64_t, bytes */
    PARAM_KIND_RATE,         /* int64_t, thousandths of an event per second */
    PARAM_KIND_BIT_RATE,     /* int64_t, bits per second */
    PARAM_KIND_DISTRIBUTION, /* struct distribution, of times */
    PARAM_KIND_CHOICE,       /* int64_t, index into choices */
    PARAM_KIND_POLICY, /* const struct policy *, one of an array that starts with name and summary
                        */
    PARAM_KIND_CPU,    /* struct cpu *, NULL: none */
};

struct param {
    enum param_kind kind;
    const char *name;
    const char *doc;
    size_t offset;
    bool required; /* no preset: must be set. A cpu that is not required may be left out. */
    int64_t min;   /* of counts, ratios, times, sizes, rates and of the smallest value of a
                      distribution */
    int64_t max;
    int64_t preset;             /* value, constant of a distribution, index of a choice or policy */
    const char *preset_doc;     /* where the default follows from something else */
    const char *const *choices; /* NULL-terminated */
    const void *policies;       /* array of structs whose first two members are name and summary */
    size_t policy_size;
    size_t policy_count;
};

/* The head of every policy struct. */
struct policy_head {
    const char *name;
    const char *summary;
};

#define PARAM_FIELD(type, field) .name = #field, .offset = offsetof(type, field)
/* .min and .max where given by the table come later and win over the kind's own. */
#define PARAM_COUNT(type, field, ...)                                                              \
    PARAM_OF(PARAM_KIND_COUNT, type, field, .min = 0, .max = INT64_C(1000000000), __VA_ARGS__)
#define PARAM_RATIO(type, field, ...)                                                              \
    PARAM_OF(PARAM_KIND_RATIO, type, field, .min = 0, .max = INT64_C(1000000000000), __VA_ARGS__)
#define PARAM_BOOL(type, field, ...)                                                               \
    PARAM_OF(PARAM_KIND_BOOL, type, field, .min = 0, .max = 1, __VA_ARGS__)
#define PARAM_TIME(type, field, ...)                                                               \
    PARAM_OF(PARAM_KIND_TIME, type, field, .min = 0, .max = SIM_DURATION_MAX, __VA_ARGS__)
#define PARAM_SIZE(type, field, ...)                                                               \
    PARAM_OF(PARAM_KIND_SIZE, type, field, .min = 1, .max = INT64_C(1) << 40, __VA_ARGS__)
#define PARAM_RATE(type, field, ...)                                                               \
    PARAM_OF(PARAM_KIND_RATE, type, field, .min = 1, .max = INT64_C(1000000000000000), __VA_ARGS__)
#define PARAM_BIT_RATE(type, field, ...)                                                           \
    PARAM_OF(PARAM_KIND_BIT_RATE, type, field, .min = 1, .max = INT64_C(1000000000000000),         \
             __VA_ARGS__)
#define PARAM_DISTRIBUTION(type, field, ...)                                                       \
    PARAM_OF(PARAM_KIND_DISTRIBUTION, type, field, .min = 0, .max = SIM_DURATION_MAX, __VA_ARGS__)
#define PARAM_CHOICE(type, field, choice_names, ...)                                               \
    PARAM_OF(PARAM_KIND_CHOICE, type, field, .choices = (choice_names), __VA_ARGS__)
#define PARAM_CPU(type, field, ...) PARAM_OF(PARAM_KIND_CPU, type, field, __VA_ARGS__)
#define PARAM_POLICY(type, field, array, ...)                                                      \
    PARAM_OF(PARAM_KIND_POLICY, type, field, .policies = (array),                                  \
             .policy_size = sizeof((array)[0]), .policy_count = ARRAY_LENGTH(array), __VA_ARGS__)

/* Later initialisers of one member win on purpose. */
#define PARAM_OF(param_kind, type, field, ...)                                                     \
    {                                                                                              \
        .kind = param_kind, PARAM_FIELD(type, field), __VA_ARGS__                                  \
    }

struct model;

/* The parameter called `name`, or NULL. */
const struct param *param_find(const struct param *params, size_t count, const char *name);

/* Fills a zeroed state with every preset. */
void param_set_presets(const struct param *params, size_t count, void *state);

/* The value's place in a state. */
static inline void *param_field(const struct param *param, void *state)
{
    return (char *)state + param->offset;
}

/* Store a value; `where` may be NULL. False with an error that says the range, the kind or the
 * names allowed. */
bool param_set_integer(const struct param *param, void *state, int64_t value,
                       const struct place *where,
                       struct error *err); /* count ratio bool time size rate bit_rate */
bool param_set_distribution(const struct param *param, void *state, struct distribution value,
                            const struct place *where, struct error *err);
bool param_set_name(const struct param *param, void *state, const char *name,
                    const struct place *where, struct error *err); /* choice, policy */
bool param_set_cpu(const struct param *param, void *state, struct cpu *cpu,
                   const struct place *where, struct error *err);

/* The i-th name that a choice or policy parameter takes, NULL past the end; its summary may be
 * NULL. */
const char *param_name_at(const struct param *param, size_t i);
const char *param_summary_at(const struct param *param, size_t i);

/* "a count", "a time": what to call the kind in messages. */
const char *param_kind_noun(enum param_kind kind);

#endif
