/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "sim/base/random.h"
#include "sim/engine/record.h"

static struct arena *arena;
static struct record record;

static void set_up(void)
{
    arena = arena_create();
    record_init(&record, arena, 2, false);
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(record, .init = set_up, .fini = tear_down);

static void add(uint64_t number, sim_time latency)
{
    sim_time spent[2] = { latency, 0 };
    record_lat(&record, number, latency, latency / 2, spent);
}

static int compare_slow(const void *a, const void *b)
{
    const struct slow_request *x = a;
    const struct slow_request *y = b;
    if (x->latency != y->latency) {
        return x->latency > y->latency ? -1 : 1;
    }
    return x->number < y->number ? -1 : 1;
}

/* Numbers end in a random order; few different latencies make many ties. */
static void check_slowest(size_t count, uint64_t different)
{
    static struct slow_request all[5000];
    struct random_stream stream = { random_key(1, count, "slowest") };
    for (size_t i = 0; i < count; i++) {
        all[i] = (struct slow_request){ (sim_time)random_below(&stream, different), i };
    }
    for (size_t i = count; i-- > 1;) {
        size_t k = random_below(&stream, i + 1);
        struct slow_request other = all[i];
        all[i] = all[k];
        all[k] = other;
    }
    for (size_t i = 0; i < count; i++) {
        add(all[i].number, all[i].latency);
    }
    qsort(all, count, sizeof(all[0]), compare_slow);
    size_t kept = count < RECORD_SLOWEST ? count : RECORD_SLOWEST;
    cr_assert_eq(record.slowest_count, kept);
    for (size_t i = 0; i < kept; i++) {
        cr_assert_eq(record.slowest[i].latency, all[i].latency, "place %zu", i);
        cr_assert_eq(record.slowest[i].number, all[i].number, "place %zu", i);
    }
}

Test(record, the_slowest_are_those_of_the_sorted_requests)
{
    check_slowest(5000, 1000000000);
}

Test(record, ties_are_kept_by_number)
{
    check_slowest(5000, 40);
}

Test(record, all_equal)
{
    check_slowest(1000, 1);
}

Test(record, fewer_than_are_kept)
{
    check_slowest(31, 10);
}

Test(record, one_more_than_is_kept)
{
    check_slowest(33, 10);
}

Test(record, counts_each_end)
{
    record_init(&record, arena, 2, true);
    add(0, 10 * SIM_US);
    sim_time spent[2] = { 3, 4 };
    record_delivered(&record, 7, spent);
    record_settle(&record);
    cr_expect_eq(record.lat.count, 1);
    cr_expect_eq(record.clat.max, 5 * SIM_US);
    cr_expect_eq(record.delivered.max, 7);
    sim_sum sums[WAY_PHASES_MAX];
    cr_expect_eq(attribution_band(&record.delivered_phases, -1, INT64_MAX, sums), 1);
    cr_expect(sums[0] == 3 && sums[1] == 4);
}

Test(record, what_is_unfinished_has_an_age_and_phases)
{
    sim_time first[2] = { 3, 4 };
    sim_time second[2] = { 1, 0 };
    record_unfinished(&record, 7, first);
    record_unfinished(&record, 1, second);
    cr_expect_eq(record.unfinished, 2);
    cr_expect_eq(record.oldest, 7);
    cr_expect(record.unfinished_phases[0] == 4 && record.unfinished_phases[1] == 4);
}
