/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "sim/base/elementary.h"
#include "sim/base/random.h"
#include "sim/base/ziggurat.h"
#include "sim/run/baseline_differences.h"
#include "sim/run/baseline_judge.h"

enum { REPEATS = 8 };

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(baseline_judge, .init = set_up, .fini = tear_down);

static struct baseline make(uint64_t seed)
{
    return (struct baseline){
        .arena = arena,
        .version = "0.1.0",
        .title = "a title",
        .seed = seed,
        .repeats = REPEATS,
        .span = { .measure = SIM_S },
    };
}

static struct baseline_row *add(struct baseline *baseline, const char *variant, const char *metric,
                                const double *values)
{
    struct baseline_row row = { .key = { "depth = 64", variant, "fio" } };
    struct error error = { 0 };
    cr_assert(metric_parse(arena, metric, &(struct place){ 0 }, &row.metric, &error));
    double *copy = arena_array(arena, REPEATS, sizeof(*copy));
    memcpy(copy, values, REPEATS * sizeof(*copy));
    row.values = copy;
    baseline_add_row(baseline, &row);
    return &baseline->rows[baseline->row_count - 1];
}

/* Values about 1ms that vary by a part, the same for the same key. */
static const double *noise(uint64_t key, double factor, double part)
{
    struct random_stream stream = random_at(key, 0, 0);
    double *values = arena_array(arena, REPEATS, sizeof(*values));
    for (size_t i = 0; i < REPEATS; i++) {
        values[i] = 1e9 * factor * elementary_exp(part * ziggurat_normal(&stream));
    }
    return values;
}

static struct findings judge(struct baseline *before, struct baseline *after)
{
    struct findings findings;
    struct baseline_judge all;
    findings_init(&findings, arena);
    baseline_judge_init(&all, arena);
    baseline_end(before);
    baseline_end(after);
    baseline_judge_add(&all, before, after, BASELINE_TOLERANCE);
    baseline_judge_decide(&all);
    baseline_judge_find(&all, 0, &findings);
    return findings;
}

/* One metric that changes by a factor: what comes of it. */
static struct finding change(const char *metric, double factor)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    const double *old = noise(1, 1, 0.1);
    double new[REPEATS];
    for (size_t i = 0; i < REPEATS; i++) {
        new[i] = old[i] * factor *(i % 2 == 0 ? 1.001 : 0.999);
    }
    add(&before, "only", metric, old);
    add(&after, "only", metric, new);
    struct findings findings = judge(&before, &after);
    cr_assert_eq(findings.count, 1);
    return findings.items[0];
}

Test(baseline_judge, worse_beyond_the_tolerance_fails)
{
    cr_expect_eq(change("p99", 1.05).outcome, FINDING_FAILED);
    cr_expect_eq(change("p99", 1.02).outcome, FINDING_PASSED);
    cr_expect_eq(change("p99", 0.98).outcome, FINDING_PASSED);
    cr_expect_eq(change("p99", 0.9).outcome, FINDING_IMPROVED);
    cr_expect_eq(change("unfinished", 1.05).outcome, FINDING_FAILED);
    struct finding finding = change("p99", 1.5);
    cr_expect_str_eq(finding.name, "p99 of only, depth = 64");
    cr_expect_str_eq(finding.group, "baseline");
    cr_expect(strstr(finding.detail, "1.5x [1.49") != NULL, "%s", finding.detail);
}

/* Nothing reaches an end without a mean, so one stands beside the rate. */
Test(baseline_judge, a_rate_is_worse_when_it_is_lower)
{
    static const struct {
        double factor;
        enum outcome outcome;
    } cases[] = { { 0.95, FINDING_FAILED }, { 1.05, FINDING_IMPROVED }, { 0.99, FINDING_PASSED } };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct baseline before = make(1);
        struct baseline after = make(1);
        add(&before, "only", "rate", noise(1, 1, 0.001));
        add(&after, "only", "rate", noise(2, cases[i].factor, 0.001));
        add(&before, "only", "mean", noise(1, 1, 0));
        add(&after, "only", "mean", noise(1, 1, 0));
        struct findings findings = judge(&before, &after);
        cr_assert_eq(findings.count, 2);
        cr_expect_eq(findings.items[0].outcome, cases[i].outcome);
        cr_expect_eq(findings.items[1].outcome, FINDING_PASSED);
    }
}

/* Repeats vary by 50 %, and each of the same seed by 1.001: only pairs can tell. */
Test(baseline_judge, pairs_are_of_the_same_seed_only)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct baseline before = make(1);
        struct baseline after = make(seed);
        const double *old = noise(1, 1, 0.5);
        double new[REPEATS];
        for (size_t i = 0; i < REPEATS; i++) {
            new[i] = old[i] * (i % 2 == 0 ? 1.06 : 1.05);
        }
        add(&before, "only", "p50", old);
        add(&after, "only", "p50", new);
        enum outcome expected = seed == 1 ? FINDING_FAILED : FINDING_PASSED;
        cr_expect_eq(judge(&before, &after).items[0].outcome, expected);
    }
}

Test(baseline_judge, zeros_are_compared_as_they_are)
{
    const double none[REPEATS] = { 0 };
    const double one[REPEATS] = { 0, 0, 0, 1, 0, 0, 0, 0 };
    const double some[REPEATS] = { 3, 4, 5, 4, 3, 5, 4, 4 };
    const struct {
        const double *old;
        const double *new;
        enum outcome outcome;
    } cases[] = { { none, none, FINDING_PASSED },
                  { none, one, FINDING_PASSED },
                  { none, some, FINDING_FAILED },
                  { one, some, FINDING_FAILED },
                  { some, none, FINDING_IMPROVED } };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct baseline before = make(1);
        struct baseline after = make(1);
        add(&before, "only", "unfinished", cases[i].old);
        add(&after, "only", "unfinished", cases[i].new);
        struct finding finding = judge(&before, &after).items[0];
        cr_expect_eq(finding.outcome, cases[i].outcome, "%zu: %s", i, finding.detail);
    }
}

/* Every repeat is equal: passed, whatever else there is to say. */
Test(baseline_judge, equal_repeats_pass)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    add(&before, "only", "p99.9", noise(1, 1, 0.1))->note = BASELINE_GROWING;
    add(&after, "only", "p99.9", noise(1, 1, 0.1))->note = BASELINE_AT_LEAST;
    cr_expect_eq(judge(&before, &after).items[0].outcome, FINDING_PASSED);
}

static enum outcome with_notes(double factor, enum baseline_note old, enum baseline_note new)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    add(&before, "only", "p99.9", noise(1, 1, 0.001))->note = old;
    add(&after, "only", "p99.9", noise(2, factor, 0.001))->note = new;
    struct finding finding = judge(&before, &after).items[0];
    cr_expect(finding.outcome != FINDING_INCONCLUSIVE || finding.advice != NULL);
    return finding.outcome;
}

Test(baseline_judge, what_cannot_be_trusted_is_inconclusive)
{
    cr_expect_eq(with_notes(2, BASELINE_PLAIN, BASELINE_GROWING), FINDING_INCONCLUSIVE);
    cr_expect_eq(with_notes(2, BASELINE_GROWING, BASELINE_PLAIN), FINDING_INCONCLUSIVE);
    cr_expect_eq(with_notes(1, BASELINE_PLAIN, BASELINE_AT_LEAST), FINDING_INCONCLUSIVE);
    cr_expect_eq(with_notes(0.5, BASELINE_PLAIN, BASELINE_AT_LEAST), FINDING_INCONCLUSIVE);
    cr_expect_eq(with_notes(2, BASELINE_AT_LEAST, BASELINE_PLAIN), FINDING_INCONCLUSIVE);
    /* More than at least so much, and at least so much more than it was. */
    cr_expect_eq(with_notes(2, BASELINE_PLAIN, BASELINE_AT_LEAST), FINDING_FAILED);
    cr_expect_eq(with_notes(0.5, BASELINE_AT_LEAST, BASELINE_PLAIN), FINDING_IMPROVED);
}

Test(baseline_judge, one_repeat_tells_nothing)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    add(&before, "only", "p50", noise(1, 1, 0.1));
    add(&after, "only", "p50", noise(1, 2, 0.1));
    after.repeats = 1;
    struct finding finding = judge(&before, &after).items[0];
    cr_expect_eq(finding.outcome, FINDING_INCONCLUSIVE);
    cr_expect_not_null(finding.advice);
}

Test(baseline_judge, maxima_of_other_lengths_are_not_compared)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    after.span.measure *= 2;
    add(&before, "only", "max", noise(1, 1, 0.001));
    add(&after, "only", "max", noise(2, 2, 0.001));
    add(&before, "only", "p50", noise(1, 1, 0.001));
    add(&after, "only", "p50", noise(2, 2, 0.001));
    struct findings findings = judge(&before, &after);
    cr_expect_eq(findings.items[0].outcome, FINDING_FAILED);
    cr_expect_eq(findings.items[1].outcome, FINDING_INCONCLUSIVE);
}

Test(baseline_judge, a_missing_side_never_passes)
{
    const double *values = noise(1, 1, 0.1);
    struct baseline before = make(1);
    struct baseline after = make(1);
    cr_expect_eq(findings_outcome(&(struct findings){ 0 }), FINDING_PASSED);
    struct findings findings = judge(&before, &after);
    cr_expect_eq(findings_outcome(&findings), FINDING_FAILED);
    add(&before, "gone", "mean", values);
    findings = judge(&before, &after);
    cr_expect_eq(findings_outcome(&findings), FINDING_FAILED);
    findings = judge(&after, &before);
    cr_expect_eq(findings_outcome(&findings), FINDING_FAILED);
    /* A variant is said to be missing once. */
    add(&before, "gone", "p50", values);
    add(&after, "new", "mean", values);
    add(&after, "new", "p50", values);
    findings = judge(&before, &after);
    cr_assert_eq(findings.count, 2);
    cr_expect_str_eq(findings.items[0].name, "gone, depth = 64");
    cr_expect_eq(findings.items[0].outcome, FINDING_FAILED);
    cr_expect_str_eq(findings.items[1].name, "new, depth = 64");
    cr_expect_eq(findings.items[1].outcome, FINDING_INCONCLUSIVE);
}

Test(baseline_judge, a_metric_that_is_gone)
{
    const double *values = noise(1, 1, 0.1);
    struct baseline before = make(1);
    struct baseline after = make(1);
    add(&before, "only", "rate", values);
    add(&before, "only", "mean", values);
    add(&before, "only", "p99.9", values);
    add(&after, "only", "rate", values);
    struct findings findings = judge(&before, &after);
    cr_assert_eq(findings.count, 3);
    for (size_t i = 0; i < 3; i++) { /* nothing was completed */
        cr_expect_eq(findings.items[i].outcome, FINDING_FAILED, "%s", findings.items[i].name);
    }
    add(&after, "only", "mean", values);
    findings = judge(&before, &after); /* something was, but too little for a p99.9 */
    cr_expect_eq(findings.items[0].outcome, FINDING_PASSED);
    cr_expect_eq(findings.items[1].outcome, FINDING_PASSED);
    cr_expect_eq(findings.items[2].outcome, FINDING_INCONCLUSIVE);
}

Test(baseline_judge, a_baseline_of_another_experiment_fails)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    add(&before, "only", "mean", noise(1, 1, 0.1));
    add(&after, "only", "mean", noise(1, 1, 0.1));
    after.title = "another";
    struct findings findings = judge(&before, &after);
    cr_assert_eq(findings.count, 1);
    cr_expect_eq(findings.items[0].outcome, FINDING_FAILED);
}

Test(baseline_judge, the_phase_behind_a_regression_is_named)
{
    struct baseline before = make(1);
    struct baseline after = make(1);
    const char *metrics[] = { "mean", "p99.9" };
    for (size_t i = 0; i < 2; i++) {
        add(&before, "only", metrics[i], noise(1, 1, 0.001));
        add(&after, "only", metrics[i], noise(1, 2, 0.001));
    }
    static const struct baseline_phase then[] = {
        { "queue: pending", 100e6, 900e6 },
        { "disk: service", 200e6, 100e6 },
        { "disk: gone", 10e6, 10e6 },
    };
    static const struct baseline_phase now[] = {
        { "queue: pending", 150e6, 4100e6 },
        { "disk: service", 400e6, 310e6 },
    };
    const struct baseline_key key = { "depth = 64", "only", "fio" };
    baseline_add_phases(&before, &(struct baseline_phases){ key, METRIC_LAT, then, 3 });
    baseline_add_phases(&after, &(struct baseline_phases){ key, METRIC_LAT, now, 2 });
    struct findings findings = judge(&before, &after);
    cr_expect_str_eq(findings.items[0].where, "disk: service +200us (of +240us)");
    cr_expect_str_eq(findings.items[1].where,
                     "queue: pending +3.20ms (of +3.40ms) in the slowest 1 %");
}

Test(baseline_judge, differences_are_named)
{
    struct baseline before = make(1);
    struct baseline after = make(2);
    const struct parameter old[] = { { "", "queue.gone", "1" },
                                     { "", "queue.hz", "250" },
                                     { "", "queue.same", "5" },
                                     { "before", "queue.policy", "timer_retry" } };
    const struct parameter new[] = { { "", "queue.hz", "100" },
                                     { "", "queue.same", "5" },
                                     { "after", "queue.policy", "timer_retry" } };
    before.parameters = (struct parameters){ old, ARRAY_LENGTH(old) };
    after.parameters = (struct parameters){ new, ARRAY_LENGTH(new) };
    after.version = "0.2.0";
    after.span.requests = 100;
    struct differences found = baseline_differences(arena, &before, &after);
    static const char *const expected[] = {
        "ringtail 0.1.0 -> 0.2.0",
        "seed 1 -> 2",
        "measure 1s -> 100 requests",
        "queue.gone 1 -> (not there)",
        "queue.hz 250 -> 100",
        "after: queue.policy (not there) -> timer_retry",
        "before: queue.policy timer_retry -> (not there)",
    };
    cr_assert_eq(found.count, ARRAY_LENGTH(expected));
    for (size_t i = 0; i < found.count; i++) {
        cr_expect_str_eq(found.texts[i], expected[i]);
    }
    cr_expect_eq(baseline_differences(arena, &before, &before).count, 0);
}

/* Metrics of one variant rise and fall together; the last of them are the heaviest in their tails:
 * the maximum of a lognormal sample. 1 when any was judged a regression. */
static int alarms(uint64_t trial, uint64_t variants, double factor, uint64_t new_seed)
{
    static const char *const metrics[] = { "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max" };
    struct baseline sides[2] = { make(1), make(new_seed) };
    for (uint64_t variant = 0; variant < variants; variant++) {
        for (size_t side = 0; side < 2; side++) {
            struct random_stream stream = random_at(trial, variant, side);
            double values[ARRAY_LENGTH(metrics)][REPEATS];
            for (size_t i = 0; i < REPEATS; i++) {
                double common = ziggurat_normal(&stream);
                for (size_t m = 0; m < ARRAY_LENGTH(metrics); m++) {
                    double tail = 0;
                    for (size_t draw = 0; draw < 4 * m; draw++) {
                        tail = fmax(tail, elementary_exp(ziggurat_normal(&stream)));
                    }
                    values[m][i] = 1e9 * (side == 1 ? factor : 1) *
                                   elementary_exp(0.05 * (double)(m + 1) * common + 0.1 * tail);
                }
            }
            const char *name = arena_printf(arena, "%d", (int)variant);
            for (size_t m = 0; m < ARRAY_LENGTH(metrics); m++) {
                add(&sides[side], name, metrics[m], values[m]);
            }
        }
    }
    struct findings findings = judge(&sides[0], &sides[1]);
    return findings_outcome(&findings) == FINDING_FAILED;
}

/* At most 5 % of checks of an unchanged model may alarm; of 400, 20 and 2.4 deviations. */
Test(baseline_judge, an_unchanged_model_seldom_alarms)
{
    int count = 0;
    for (uint64_t trial = 0; trial < 400; trial++) {
        count += alarms(trial, 12, 1, 2);
    }
    cr_expect_leq(count, 30, "%d of 400", count);
    int found = 0;
    for (uint64_t trial = 0; trial < 50; trial++) {
        found += alarms(trial, 12, 1.5, 2);
    }
    cr_expect_eq(found, 50, "%d of 50", found);
}
