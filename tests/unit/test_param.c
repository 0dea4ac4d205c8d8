/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/engine/model.h"

struct policy {
    const char *name;
    const char *summary;
    int extra; /* so that policies are further apart than their heads */
};

static const struct policy policies[] = {
    { "first", "The first.", 1 },
    { "second", "The second.", 2 },
};

static const char *const colours[] = { "red", "green", NULL };

struct state {
    int64_t depth;
    bool fast;
    sim_time cost;
    int64_t size;
    int64_t rate;
    int64_t bit_rate;
    struct distribution service;
    int64_t colour;
    const struct policy *policy;
    struct cpu *cpu;
    struct cpu *worker;
};

static const struct param params[] = {
    PARAM_COUNT(struct state, depth, .min = 2, .max = 64, .preset = 8, .doc = "Depth."),
    PARAM_BOOL(struct state, fast, .preset = true, .doc = "Fast."),
    PARAM_TIME(struct state, cost, .preset = 5 * SIM_US, .doc = "Cost."),
    PARAM_SIZE(struct state, size, .preset = 4096, .doc = "Size."),
    PARAM_RATE(struct state, rate, .required = true, .doc = "Rate."),
    PARAM_BIT_RATE(struct state, bit_rate, .preset = 1000000, .doc = "Bit rate."),
    PARAM_DISTRIBUTION(struct state, service, .min = 10, .preset = 7 * SIM_US, .doc = "Service."),
    PARAM_CHOICE(struct state, colour, colours, .preset = 1, .doc = "Colour."),
    PARAM_POLICY(struct state, policy, policies, .preset = 1, .doc = "Policy."),
    PARAM_CPU(struct state, cpu, .doc = "May be left out."),
    PARAM_CPU(struct state, worker, .required = true, .doc = "May not."),
};

static struct state state;
static struct error err;

static void set_up(void)
{
    memset(&state, 0, sizeof(state));
    memset(&err, 0, sizeof(err));
    param_set_presets(params, ARRAY_LENGTH(params), &state);
}

TestSuite(param, .init = set_up);

static const struct param *find(const char *name)
{
    return param_find(params, ARRAY_LENGTH(params), name);
}

Test(param, are_found_by_name)
{
    cr_expect_eq(find("depth"), &params[0]);
    cr_expect_eq(find("worker"), &params[10]);
    cr_expect_null(find("dept"));
    cr_expect_null(find(""));
    cr_expect_null(param_find(NULL, 0, "depth"));
}

Test(param, presets_fill_the_state)
{
    cr_expect_eq(state.depth, 8);
    cr_expect(state.fast);
    cr_expect_eq(state.cost, 5 * SIM_US);
    cr_expect_eq(state.size, 4096);
    cr_expect_eq(state.service.kind, DISTRIBUTION_CONSTANT);
    cr_expect_eq(state.service.shift, 7 * SIM_US);
    cr_expect_eq(state.colour, 1);
    cr_expect_eq(state.policy, &policies[1]);
    cr_expect_null(state.cpu);
}

Test(param, integers_are_stored_within_their_range)
{
    cr_expect(param_set_integer(find("depth"), &state, 2, NULL, &err));
    cr_expect_eq(state.depth, 2);
    cr_expect(param_set_integer(find("depth"), &state, 64, NULL, &err));
    cr_expect_eq(state.depth, 64);
    cr_expect(param_set_integer(find("bit_rate"), &state, 8, NULL, &err));
    cr_expect_eq(state.bit_rate, 8);
    cr_expect(param_set_integer(find("fast"), &state, 0, NULL, &err));
    cr_expect_not(state.fast);
    cr_expect(param_set_integer(find("cost"), &state, SIM_DURATION_MAX, NULL, &err));
    cr_expect_eq(err.kind, ERROR_NONE);
}

Test(param, what_is_out_of_range_changes_nothing)
{
    struct place place = { "a.yaml", 3, 7 };
    cr_expect_not(param_set_integer(find("depth"), &state, 1, &place, &err));
    cr_expect_eq(state.depth, 8);
    cr_expect_eq(err.kind, ERROR_USER);
    cr_expect_eq(err.line, 3);
    cr_expect_eq(err.column, 7);
    cr_expect_not_null(strstr(err.message, "`depth`"));
    cr_expect_not_null(strstr(err.message, "small"));
    cr_expect_not_null(strstr(err.hint, "at least 2"));
    memset(&err, 0, sizeof(err));
    cr_expect_not(param_set_integer(find("depth"), &state, 65, NULL, &err));
    cr_expect_not_null(strstr(err.message, "large"));
    cr_expect_not_null(strstr(err.hint, "at most 64"));
    cr_expect_not(param_set_integer(find("fast"), &state, 2, NULL, &err));
    cr_expect_not(param_set_integer(find("size"), &state, 0, NULL, &err));
    cr_expect_not(param_set_integer(find("rate"), &state, 0, NULL, &err));
    cr_expect_not(param_set_integer(find("bit_rate"), &state, 0, NULL, &err));
    cr_expect_eq(state.bit_rate, 1000000);
    cr_expect_not(param_set_integer(find("cost"), &state, -1, NULL, &err));
    cr_expect_eq(state.cost, 5 * SIM_US);
}

Test(param, a_constant_has_the_range_of_its_parameter)
{
    struct distribution wide = distribution_exponential(SIM_MS);
    cr_expect(param_set_distribution(find("service"), &state, wide, NULL, &err));
    cr_expect_eq(state.service.kind, DISTRIBUTION_EXPONENTIAL);
    cr_expect_not(
        param_set_distribution(find("service"), &state, distribution_constant(9), NULL, &err));
    cr_expect_eq(state.service.kind, DISTRIBUTION_EXPONENTIAL);
}

Test(param, names_choose)
{
    cr_expect(param_set_name(find("colour"), &state, "red", NULL, &err));
    cr_expect_eq(state.colour, 0);
    cr_expect(param_set_name(find("policy"), &state, "first", NULL, &err));
    cr_expect_eq(state.policy, &policies[0]);
    cr_expect_not(param_set_name(find("colour"), &state, "blue", NULL, &err));
    cr_expect_eq(state.colour, 0);
    cr_expect_not_null(strstr(err.message, "`blue`"));
    memset(&err, 0, sizeof(err));
    cr_expect_not(param_set_name(find("policy"), &state, "third", NULL, &err));
    cr_expect_not_null(strstr(err.message, "policy `third`"));
    cr_expect_eq(state.policy, &policies[0]);
}

Test(param, names_can_be_listed)
{
    cr_expect_str_eq(param_name_at(find("colour"), 0), "red");
    cr_expect_str_eq(param_name_at(find("colour"), 1), "green");
    cr_expect_null(param_name_at(find("colour"), 2));
    cr_expect_null(param_summary_at(find("colour"), 0));
    cr_expect_str_eq(param_name_at(find("policy"), 1), "second");
    cr_expect_str_eq(param_summary_at(find("policy"), 1), "The second.");
    cr_expect_null(param_name_at(find("policy"), 2));
}

Test(param, a_required_cpu_may_not_be_left_out)
{
    struct cpu *cpu = (struct cpu *)(void *)&state; /* only its address is kept */
    cr_expect(param_set_cpu(find("cpu"), &state, cpu, NULL, &err));
    cr_expect_eq(state.cpu, cpu);
    cr_expect(param_set_cpu(find("cpu"), &state, NULL, NULL, &err));
    cr_expect_null(state.cpu);
    cr_expect_not(param_set_cpu(find("worker"), &state, NULL, NULL, &err));
    cr_expect_not_null(strstr(err.message, "`worker`"));
}

Test(param, kinds_have_nouns)
{
    for (size_t i = 0; i < ARRAY_LENGTH(params); i++) {
        cr_expect_not_null(param_kind_noun(params[i].kind));
    }
    cr_expect_str_eq(param_kind_noun(PARAM_KIND_TIME), "a time");
}
