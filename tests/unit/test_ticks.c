/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "sim/base/random.h"
#include "sim/engine/ticks.h"

enum { INSTANTS = 20000 };

struct waits {
    sim_time min;
    sim_time max;
};

/* Of a timer of 1 ms that is set at many instants. */
static struct waits waits_at(int64_t hz)
{
    struct waits waits = { SIM_NEVER, 0 };
    struct random_stream stream = { random_key(1, (uint64_t)hz, "ticks") };
    for (int i = 0; i < INSTANTS; i++) {
        sim_time now = (sim_time)random_below(&stream, (uint64_t)(1000 * SIM_S));
        sim_time wait = ticks_expiry(hz, now, SIM_MS) - now;
        waits.min = wait < waits.min ? wait : waits.min;
        waits.max = wait > waits.max ? wait : waits.max;
    }
    return waits;
}

static void check_range(int64_t hz, sim_time low, sim_time high)
{
    struct waits waits = waits_at(hz);
    sim_time margin = (high - low) / 100;
    cr_expect_gt(waits.min, low);
    cr_expect_lt(waits.min, low + margin);
    cr_expect_leq(waits.max, high);
    cr_expect_gt(waits.max, high - margin);
}

Test(ticks, a_millisecond_waits_from_one_tick_to_two)
{
    check_range(250, 4 * SIM_MS, 8 * SIM_MS);
    check_range(1000, SIM_MS, 2 * SIM_MS);
    check_range(100, 10 * SIM_MS, 20 * SIM_MS);
}

/* Set again by what an expiry started, it waits nearly two ticks. */
Test(ticks, set_right_after_an_expiry_it_waits_longest)
{
    sim_time expiry = ticks_expiry(250, 123456789, SIM_MS);
    cr_expect_eq(expiry % (4 * SIM_MS), 0);
    cr_expect_eq(ticks_expiry(250, expiry, SIM_MS), expiry + 8 * SIM_MS);
    cr_expect_eq(ticks_expiry(250, expiry + 5 * SIM_US, SIM_MS), expiry + 8 * SIM_MS);
    cr_expect_eq(ticks_expiry(250, expiry - 1, SIM_MS), expiry + 4 * SIM_MS);
}

Test(ticks, without_ticks_timers_are_exact)
{
    cr_expect_eq(ticks_expiry(0, 123456789, 7), 123456796);
}

/* Ticks that are no whole number of picoseconds: the k-th begins at the first picosecond of it. */
Test(ticks, odd_rates_do_not_drift)
{
    for (int64_t k = 0; k < 3000; k++) {
        sim_time begin = (k * SIM_S + 299) / 300;
        cr_assert_eq(ticks_expiry(300, begin, 1), ((k + 2) * SIM_S + 299) / 300);
        cr_assert_eq(ticks_expiry(300, begin + 1, 1), ((k + 2) * SIM_S + 299) / 300);
    }
}

Test(ticks, delays_round_up_to_ticks)
{
    cr_expect_eq(ticks_expiry(1000, 0, SIM_MS), 2 * SIM_MS);
    cr_expect_eq(ticks_expiry(1000, 0, SIM_MS + 1), 3 * SIM_MS);
    cr_expect_eq(ticks_expiry(1000, 0, 1), 2 * SIM_MS);
    cr_expect_eq(ticks_expiry(1000000, 100 * SIM_S, SIM_DURATION_MAX),
                 100 * SIM_S + (SIM_DURATION_MAX / SIM_US + 2) * SIM_US);
}
