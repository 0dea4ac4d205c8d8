/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/theory/build.h"
#include "tests/unit/scripted.h"
#include "tests/unit/statistics.h"

static struct arena *arena;
static struct engine *engine;
static struct stage *load;
static struct watch *watch;

static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    load = add_stage(engine, "load", "open_load");
    watch = stack_add_stage(engine, "watch", &watch_model)->state;
    add_stage(engine, "device", "device");
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(open_load, .init = set_up, .fini = tear_down);

/* `rate_milli` is in thousandths of a request a second. */
static void run(const char *arrivals, int64_t rate_milli, sim_time measure)
{
    set_name(load, "arrivals", arrivals);
    set_value(load, "rate", rate_milli);
    build(engine);
    engine_run(engine, &(struct engine_span){ .measure = measure, .drain = SIM_S });
    cr_assert_leq(watch->down, WATCH_MAX);
}

/* ---- Constant arrivals. ---- */

Test(open_load, constant_arrivals_do_not_drift)
{
    static const int64_t rates_milli[] = { 3000, 7000 * 1000, INT64_C(333333333), 1000 * 1000 + 1 };
    for (size_t i = 0; i < ARRAY_LENGTH(rates_milli); i++) {
        tear_down();
        set_up();
        run("constant", rates_milli[i], 100 * SIM_MS);
        cr_assert_gt(watch->down, 0);
        for (int64_t k = 0; k < watch->down; k++) {
            sim_time due = (sim_time)((sim_sum)k * 1000 * SIM_S / rates_milli[i]);
            cr_assert_eq(watch->seen[k].down, due, "arrival %ld at %ld ps", k, watch->seen[k].down);
        }
    }
}

Test(open_load, sends_what_is_due_before_the_end)
{
    run("constant", 1000 * 1000, SIM_S);
    cr_expect_eq(watch->down, 1000, "the one due at 1 s is not sent");
    cr_expect_eq(engine->loads[0].record.lat.count, 1000u);
}

/* ---- Poisson arrivals. ---- */

enum { CELLS = 100, GAPS_MAX = WATCH_MAX };

static double gaps[GAPS_MAX];

static size_t fill_gaps(void)
{
    size_t count = (size_t)watch->down - 1;
    for (size_t i = 0; i < count; i++) {
        gaps[i] = (double)(watch->seen[i + 1].down - watch->seen[i].down);
    }
    return count;
}

/* Of exponential gaps with this mean, in deviations: their mean, their shape, their independence.
 */
static void check_exponential(size_t count, double mean)
{
    uint32_t cells[CELLS] = { 0 };
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += gaps[i];
        cells[cell_of(exp(-gaps[i] / mean), CELLS)]++;
    }
    double deviations = (sum / (double)count / mean - 1) * sqrt((double)count);
    cr_expect_lt(fabs(deviations), DEVIATIONS_MAX, "the mean is %g off", deviations);
    double shape = chi_square_deviations(cells, CELLS);
    cr_expect_lt(fabs(shape), DEVIATIONS_MAX, "the shape is %g off", shape);
    double correlation = correlation_deviations(gaps, gaps + 1, count - 1);
    cr_expect_lt(fabs(correlation), DEVIATIONS_MAX, "gaps are correlated: %g", correlation);
}

Test(open_load, poisson_gaps_are_exponential_and_independent)
{
    run("poisson", 100 * 1000 * 1000, SIM_S);
    check_exponential(fill_gaps(), 10e6);
}

/* ---- Bursty arrivals. ---- */

/* On for 1 ms, off for 4 ms: a gap above 0.1 ms holds a quiet time, the others are Poisson. */
Test(open_load, bursts_are_poisson_between_quiet_times)
{
    set_value(load, "on", SIM_MS);
    set_value(load, "off", 4 * SIM_MS);
    run("bursty", INT64_C(200000) * 1000, 2 * SIM_S);
    size_t count = fill_gaps();
    size_t quiet = 0;
    size_t busy = 0;
    double quiet_sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (gaps[i] > 0.1e9) {
            quiet++;
            quiet_sum += gaps[i];
        } else {
            gaps[busy++] = gaps[i];
        }
    }
    double n = (double)quiet;
    cr_expect_lt(fabs(n / 400 - 1), 0.2, "%zu quiet times in 2 s", quiet);
    /* Those below 0.1 ms are not seen; the mean of the others is that much longer. */
    cr_expect_lt(fabs(quiet_sum / n / 4.1e9 - 1), DEVIATIONS_MAX / sqrt(n));
    double mean = 0;
    for (size_t i = 0; i < busy; i++) {
        mean += gaps[i] / (double)busy;
    }
    cr_expect_lt(fabs(mean / 5e6 - 1), 0.02, "gaps within a burst: %g ps", mean);
}

/* With the same rate in both states nothing tells them apart. */
Test(open_load, bursts_of_one_rate_are_poisson)
{
    set_value(load, "rate_off", 100 * 1000 * 1000);
    set_value(load, "on", 30 * SIM_US);
    set_value(load, "off", 10 * SIM_US);
    run("bursty", 100 * 1000 * 1000, SIM_S);
    check_exponential(fill_gaps(), 10e6);
}

/* ---- The sender. ---- */

/* Due every 5 us, and 10 us each to send: request k is sent at 20 + 10 (k + 1) us, and its latency
 * counts from 5 k us. */
Test(open_load, latency_counts_from_due_where_the_sender_is_late)
{
    struct cpu *cpu = add_cpu(engine, "cpu", 1, distribution_constant(20 * SIM_US));
    set_cpu(load, "cpu", cpu);
    set_value(load, "submit", 10 * SIM_US);
    run("constant", 200 * 1000 * 1000, SIM_MS);
    cr_assert_eq(watch->down, 200);
    for (int64_t k = 0; k < 200; k++) {
        cr_expect_eq(watch->seen[k].down, (30 + 10 * k) * SIM_US);
    }
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->lat.min, 30 * SIM_US);
    cr_expect_eq(record->lat.max, (30 + 5 * 199) * SIM_US);
}

Test(open_load, without_a_cpu_sending_is_a_delay)
{
    set_value(load, "submit", 10 * SIM_US);
    run("constant", 200 * 1000 * 1000, SIM_MS);
    for (int64_t k = 0; k < 200; k++) {
        cr_expect_eq(watch->seen[k].down, (10 + 5 * k) * SIM_US);
    }
}

/* ---- What is sent. ---- */

static double share_of_reads(void)
{
    double reads = 0;
    for (int64_t k = 0; k < watch->down; k++) {
        reads += watch->seen[k].op == REQUEST_READ;
    }
    return reads / (double)watch->down;
}

Test(open_load, sends_reads_by_default)
{
    run("constant", 1000 * 1000, SIM_S);
    cr_expect_eq(share_of_reads(), 1);
}

Test(open_load, sends_writes)
{
    set_name(load, "op", "write");
    run("constant", 1000 * 1000, SIM_S);
    cr_expect_eq(share_of_reads(), 0);
}

Test(open_load, sends_a_mix)
{
    set_name(load, "op", "mix");
    set_value(load, "rwmixread", 70);
    run("constant", 100 * 1000 * 1000, SIM_S);
    double deviation = sqrt(0.7 * 0.3 / (double)watch->down);
    cr_expect_lt(fabs(share_of_reads() - 0.7), DEVIATIONS_MAX * deviation);
}

/* Draws of the mix are the request's: a slower load sends the same ones. */
Test(open_load, a_mix_does_not_depend_on_the_arrivals)
{
    set_name(load, "op", "mix");
    run("constant", 1000 * 1000, SIM_S);
    uint8_t ops[1000];
    for (int k = 0; k < 1000; k++) {
        ops[k] = watch->seen[k].op;
    }
    tear_down();
    set_up();
    set_name(load, "op", "mix");
    run("poisson", 2000 * 1000, SIM_S);
    cr_assert_geq(watch->down, 1000);
    for (int k = 0; k < 1000; k++) {
        cr_expect_eq(ops[k], watch->seen[k].op);
    }
}
