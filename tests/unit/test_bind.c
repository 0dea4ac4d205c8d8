/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/config/bind.h"

static bool bind(struct arena *arena, const char *text, sim_time min,
                 struct distribution *distribution, struct error *err)
{
    const struct node *node = yaml_parse(arena, "a.yaml", text, strlen(text), err);
    cr_assert_not_null(node, "%s: %s", text, err->message);
    const struct binding binding = { arena, NULL, values_create(arena) };
    return bind_distribution(&binding, node, min, SIM_DURATION_MAX, distribution, err);
}

static void expect_same(const char *text, struct distribution expected)
{
    struct arena *arena = arena_create();
    struct distribution got = { 0 };
    struct error err = { 0 };
    cr_assert(bind(arena, text, 0, &got, &err), "%s: %s", text, err.message);
    cr_expect_eq(got.kind, expected.kind, "%s", text);
    cr_expect_eq(got.shift, expected.shift, "%s", text);
    cr_expect_eq(got.span, expected.span, "%s", text);
    cr_expect(got.a == expected.a && got.b == expected.b && got.c == expected.c, "%s", text);
    arena_destroy(arena);
}

Test(bind, distributions)
{
    const sim_time us = SIM_US;
    expect_same("40us", distribution_constant(40 * us));
    expect_same("{exponential: 8.6us}", distribution_exponential(8600 * SIM_NS));
    expect_same("{uniform: [30us, 50us]}", distribution_uniform(30 * us, 50 * us));
    expect_same("{normal: {deviation: 5us, mean: 40us}}", distribution_normal(40 * us, 5 * us));
    expect_same("{lognormal: {mean: 40us, cv: 0.3}}", distribution_lognormal(40 * us, 0.3));
    expect_same("{pareto: {scale: 10us, shape: 2.5}}", distribution_pareto(10 * us, 2.5));
    expect_same("{gamma: {mean: 40us, shape: 2}}", distribution_gamma(40 * us, 2));
    expect_same("{plus: 1us, exponential: 2us}",
                distribution_plus(distribution_exponential(2 * us), us));
    expect_same("{plus: 1us, uniform: [30us, 50us]}", distribution_uniform(31 * us, 51 * us));
}

Test(bind, mixtures)
{
    struct arena *arena = arena_create();
    struct distribution got = { 0 };
    struct error err = { 0 };
    cr_assert(bind(arena,
                   "{mixture: [{weight: 9, value: 10us},"
                   " {weight: 1, value: {exponential: 1ms, plus: 2us}}], plus: 3us}",
                   0, &got, &err),
              "%s", err.message);
    cr_expect_eq(got.kind, DISTRIBUTION_MIXTURE);
    cr_expect_eq(got.shift, 3 * SIM_US);
    cr_assert_eq(got.count, 2u);
    cr_expect_eq(got.cumulative[0], 0.9);
    cr_expect_eq(got.cumulative[1], 1);
    cr_expect_eq(got.parts[0].shift, 10 * SIM_US);
    cr_expect_eq(got.parts[1].kind, DISTRIBUTION_EXPONENTIAL);
    cr_expect_eq(got.parts[1].shift, 2 * SIM_US);
    arena_destroy(arena);
}

Test(bind, lists_of_values)
{
    struct arena *arena = arena_create();
    struct distribution got = { 0 };
    struct error err = { 0 };
    cr_assert(bind(arena, "{sequence: [3us, 1us], plus: 1ns}", SIM_US, &got, &err), "%s",
              err.message);
    cr_expect_eq(got.kind, DISTRIBUTION_SEQUENCE);
    cr_expect_eq(got.shift, SIM_NS);
    cr_assert_eq(got.count, 2u);
    cr_expect_eq(got.values[0], 3 * SIM_US);
    cr_expect_eq(got.values[1], SIM_US);
    cr_assert(bind(arena, "{empirical: [1us]}", 0, &got, &err), "%s", err.message);
    cr_expect_eq(got.kind, DISTRIBUTION_EMPIRICAL);
    cr_expect_eq(got.count, 1u);
    arena_destroy(arena);
}

Test(bind, bit_rates)
{
    static const struct param param = {
        .kind = PARAM_KIND_BIT_RATE, .name = "rate", .min = 1, .max = INT64_C(1000000000000)
    };
    static const struct {
        const char *text;
        int64_t rate; /* 0: refused */
    } cases[] = {
        { "1Mbit/s", 1000000 }, { "1.5 kbit/s", 1500 }, { "1MB/s", 8000000 }, { "1KiB/s", 8192 },
        { "80k/s", 0 },         { "1000", 0 },          { "0bit/s", 0 },      { "2Tbit/s", 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct error err = { 0 };
        const struct binding binding = { arena, NULL, NULL };
        int64_t rate = 0;
        const struct node *node =
            yaml_parse(arena, "a.yaml", cases[i].text, strlen(cases[i].text), &err);
        cr_expect_eq(bind_param(&binding, &param, node, &rate, &err), cases[i].rate > 0, "%s",
                     cases[i].text);
        cr_expect_eq(rate, cases[i].rate, "%s", cases[i].text);
        arena_destroy(arena);
    }
}

Test(bind, ratios)
{
    static const struct param param = {
        .kind = PARAM_KIND_RATIO, .name = "ratio", .min = 1000, .max = 5000
    };
    static const struct {
        const char *text;
        int64_t ratio; /* 0: refused */
        const char *hint;
    } cases[] = {
        { "1.43", 1430, "" },
        { "5", 5000, "" },
        { "0.5", 0, "write at least `1`" },
        { "5.001", 0, "write at most `5`" },
        { "1.4301", 0, "the finest step is 0.001" },
        { "2us", 0, "write it without a unit, for example `1.5`" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct error err = { 0 };
        const struct binding binding = { arena, NULL, NULL };
        int64_t ratio = 0;
        const struct node *node =
            yaml_parse(arena, "a.yaml", cases[i].text, strlen(cases[i].text), &err);
        cr_expect_eq(bind_param(&binding, &param, node, &ratio, &err), cases[i].ratio > 0, "%s",
                     cases[i].text);
        cr_expect_eq(ratio, cases[i].ratio, "%s", cases[i].text);
        cr_expect_str_eq(err.hint, cases[i].hint, "%s", err.hint);
        arena_destroy(arena);
    }
}

/* The smallest value counts, wherever it comes from. */
Test(bind, smallest_value)
{
    static const struct {
        const char *text;
        bool fits;
    } cases[] = {
        { "1us", true },
        { "999ns", false },
        { "{exponential: 5us}", false },
        { "{exponential: 5us, plus: 1us}", true },
        { "{uniform: [1us, 2us]}", true },
        { "{uniform: [500ns, 2us]}", false },
        { "{pareto: {scale: 1us, shape: 2}}", true },
        { "{pareto: {scale: 999ns, shape: 2}}", false },
        { "{sequence: [2us, 1us]}", true },
        { "{empirical: [2us, 999ns]}", false },
        { "{mixture: [{weight: 1, value: 1us}, {weight: 1, value: 2us}]}", true },
        { "{mixture: [{weight: 1, value: 1us}, {weight: 1, value: {exponential: 2us}}]}", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct distribution got = { 0 };
        struct error err = { 0 };
        cr_expect_eq(bind(arena, cases[i].text, SIM_US, &got, &err), cases[i].fits, "%s",
                     cases[i].text);
        arena_destroy(arena);
    }
}

/* Whatever is written, no assert of distribution.h is reached; the error has the place. */
Test(bind, mistakes)
{
    static const struct {
        const char *text;
        int column;
        const char *message;
    } cases[] = {
        { "40", 1, "a time needs a unit, and `40` has none" },
        { "[40us]", 1, "a list stands where a time or a distribution is needed" },
        { "{}", 1, "a distribution is missing here" },
        { "{plus: 4us}", 1, "a distribution is missing here" },
        { "{exponential: [4us]}", 15, "a list stands where a time is needed" },
        { "{exponential: -4us}", 15, "`-4us` is negative, and a time cannot be" },
        { "{exponential: 641h}", 15, "`641h` is too large" },
        { "{exponential: 4us, plus: 641h}", 26, "`641h` is too large" },
        { "{uniform: 4us}", 11, "`uniform` is a single value, and a list is needed" },
        { "{uniform: [4us]}", 11, "`uniform` takes two times, and there are 1" },
        { "{uniform: [5us, 4us]}", 11, "`uniform` ends before it begins" },
        { "{normal: {mean: 4us}}", 10, "`deviation:` is missing in `normal`" },
        { "{normal: {mean: 4us, deviaton: 1us}}", 22, "unknown key `deviaton` in `normal`" },
        { "{normal: 4us}", 10, "`normal` is a single value, and a mapping is needed" },
        { "{lognormal: {mean: 4us, cv: 0}}", 29, "`0` is too small" },
        { "{lognormal: {mean: 4us, cv: 1000001}}", 29, "`1000001` is too large" },
        { "{lognormal: {mean: 4us, cv: 30%}}", 29,
          "`30%` is a percentage, and a number is needed here" },
        { "{pareto: {scale: 4us, shape: 0.0001}}", 30, "`0.0001` is too small" },
        { "{gamma: {mean: 4us, shape: 10000000}}", 28, "`10000000` is too large" },
        { "{mixture: []}", 11, "`mixture` has no parts" },
        { "{mixture: [4us]}", 12,
          "a part of `mixture` is a single value, and a mapping is needed" },
        { "{mixture: [{weight: 1}]}", 12, "`value:` is missing in a part of `mixture`" },
        { "{sequenc: x}", 2, "unknown distribution `sequenc`" },
        { "{sequence: []}", 12, "`sequence` has no values" },
        { "{sequence: [1ms, 2]}", 18, "a time needs a unit, and `2` has none" },
        { "{empirical: {file: a.csv}}", 13, "`column:` is missing in `empirical`" },
        { "{empirical: nosuch.txt}", 13, "`nosuch.txt`: there is no such file" },
        { "{mixture: [{weight: 1, value: {sequence: [1ms]}}]}", 31,
          "a `sequence` cannot be a part of a `mixture`" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_create();
        struct distribution got = { .count = 7 };
        struct error err = { 0 };
        cr_expect_not(bind(arena, cases[i].text, 0, &got, &err), "%s", cases[i].text);
        cr_expect_str_eq(err.message, cases[i].message, "%s: %s", cases[i].text, err.message);
        cr_expect_eq(err.column, cases[i].column, "%s: %d", cases[i].text, err.column);
        cr_expect_str_neq(err.hint, "", "%s", cases[i].text);
        cr_expect_eq(got.count, 7u, "%s", cases[i].text);
        arena_destroy(arena);
    }
}
