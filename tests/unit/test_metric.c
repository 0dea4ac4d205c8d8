/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/config/metric.h"

static struct metric parse(struct arena *arena, const char *text)
{
    struct metric metric = { 0 };
    struct error err = { 0 };
    cr_assert(metric_parse(arena, text, NULL, &metric, &err), "%s: %s", text, err.message);
    cr_expect_str_eq(metric.text, text);
    return metric;
}

Test(metric, names)
{
    static const struct {
        const char *text;
        enum metric_kind kind;
        enum metric_end end;
        const char *load;
    } cases[] = {
        { "rate", METRIC_RATE, METRIC_LAT, NULL },
        { "mean", METRIC_MEAN, METRIC_LAT, NULL },
        { "lat.mean", METRIC_MEAN, METRIC_LAT, NULL },
        { "clat.max", METRIC_MAX, METRIC_CLAT, NULL },
        { "delivered.rate", METRIC_RATE, METRIC_DELIVERED, NULL },
        { "fio.drops", METRIC_DROPS, METRIC_LAT, "fio" },
        { "fio.clat.p99.9", METRIC_PERCENTILE, METRIC_CLAT, "fio" },
        { "p50", METRIC_PERCENTILE, METRIC_LAT, NULL },
        { "unfinished", METRIC_UNFINISHED, METRIC_LAT, NULL },
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct metric metric = parse(arena, cases[i].text);
        cr_expect_eq(metric.kind, cases[i].kind, "%s", cases[i].text);
        cr_expect_eq(metric.end, cases[i].end, "%s", cases[i].text);
        cr_expect_eq(metric.load == NULL, cases[i].load == NULL, "%s", cases[i].text);
        if (metric.load != NULL && cases[i].load != NULL) {
            cr_expect_str_eq(metric.load, cases[i].load);
        }
    }
    arena_destroy(arena);
}

Test(metric, percentiles_are_exact_fractions)
{
    static const struct {
        const char *text;
        uint64_t numerator;
        uint64_t denominator;
    } cases[] = {
        { "p50", 50, 100 },       { "p99.9", 999, 1000 },         { "p99.99", 9999, 10000 },
        { "p0", 0, 100 },         { "p100", 100, 100 },           { "p100.0", 1000, 1000 },
        { "fio.p2.5", 25, 1000 }, { "p0.000001", 1, 100000000u },
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct quantile quantile = parse(arena, cases[i].text).quantile;
        cr_expect_eq(quantile.numerator, cases[i].numerator, "%s", cases[i].text);
        cr_expect_eq(quantile.denominator, cases[i].denominator, "%s", cases[i].text);
    }
    arena_destroy(arena);
}

Test(metric, parts_of_a_run)
{
    struct arena *arena = arena_create();
    struct metric phase = parse(arena, "fio.phase.queue:pending+disk:service");
    cr_expect_eq(phase.kind, METRIC_PHASE);
    cr_expect_str_eq(phase.load, "fio");
    cr_assert_eq(phase.name_count, 2u);
    cr_expect_str_eq(phase.names[0], "queue:pending");
    cr_expect_str_eq(phase.names[1], "disk:service");
    struct metric ring = parse(arena, "phase.queue:in ring");
    cr_expect_str_eq(ring.names[0], "queue:in ring");
    struct metric counter = parse(arena, "counter.queue.parked");
    cr_expect_eq(counter.kind, METRIC_COUNTER);
    cr_expect_str_eq(counter.names[0], "queue");
    cr_expect_str_eq(counter.names[1], "parked");
    struct metric cpu = parse(arena, "utilisation.kworker");
    cr_expect_eq(cpu.kind, METRIC_UTILISATION);
    cr_expect_str_eq(cpu.names[0], "kworker");
    arena_destroy(arena);
}

Test(metric, not_metrics)
{
    static const char *const texts[] = {
        "",
        ".",
        "p",
        "p.5",
        "p99.",
        "p101",
        "p100.1",
        "p99.9999999",
        "mean.",
        ".mean",
        "fio",
        "fio.lat",
        "clat.fio.mean",
        "fio.clat.lat.mean",
        "phase.",
        "phase.queue",
        "phase.a:b+",
        "phase.:b",
        "counter.queue",
        "counter.a.b.c",
        "utilisation.",
        "fio.utilisation.app",
        "99.9",
        "p99 ",
        "P99",
        "fio.counter.queue.parked",
        "p18446744073709551667",
        "phase.a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b+a:b", /* 17 */
    };
    const struct place where = { "a.yaml", 3, 9 };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct metric metric = { .name_count = 7 };
        struct error err = { 0 };
        cr_expect_not(metric_parse(arena, texts[i], &where, &metric, &err), "%s", texts[i]);
        cr_expect_eq(metric.name_count, 7u, "%s", texts[i]);
        cr_expect_eq(err.kind, ERROR_USER);
        cr_expect_eq(err.column, 9);
        cr_expect(strstr(err.hint, "[LOAD.][END.]NAME") != NULL);
    }
    arena_destroy(arena);
}

Test(metric, equality)
{
    static const struct {
        const char *a;
        const char *b;
        bool equal;
    } cases[] = {
        { "p50", "lat.p50", true },
        { "p50", "p50.0", true },
        { "p50", "clat.p50", false },
        { "p99", "p99.9", false },
        { "mean", "max", false },
        { "fio.mean", "mean", true },
        { "fio.mean", "app.mean", false },
        { "counter.queue.parked", "counter.queue.placed", false },
        { "phase.a:b+c:d", "phase.a:b", false },
        { "phase.a:b", "phase.a:b", true },
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct metric a = parse(arena, cases[i].a);
        struct metric b = parse(arena, cases[i].b);
        cr_expect_eq(metric_equals(&a, &b), cases[i].equal, "%s %s", cases[i].a, cases[i].b);
        cr_expect_eq(metric_equals(&b, &a), cases[i].equal, "%s %s", cases[i].b, cases[i].a);
    }
    arena_destroy(arena);
}
