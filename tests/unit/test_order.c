/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "sim/run/order.h"

/* Two variants at three points: row = place % 6, repeat = place / 6. */
static const struct experiment experiment = { .variant_count = 2, .point_count = 3, .repeats = 3 };
static struct arena *arena;
static struct order order;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(order, .init = set_up, .fini = tear_down);

static size_t next(void)
{
    struct order_item item;
    cr_assert(order_next(&order, &item));
    return item.place;
}

static void assert_none(void)
{
    struct order_item item;
    cr_assert_not(order_next(&order, &item));
}

Test(order, the_first_of_each_as_listed_then_the_longest_of_a_repeat)
{
    static const uint64_t events[] = { 10, 60, 20, 50, 30, 40 };
    static const size_t longest_first[] = { 1, 3, 5, 4, 2, 0 };
    order_init(&order, arena, &experiment, NULL, 18);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(next(), i);
        order_learn(&order, i, events[i]);
    }
    for (size_t i = 0; i < 12; i++) {
        cr_expect_eq(next(), longest_first[i % 6] + 6 * (1 + i / 6));
    }
    assert_none();
}

Test(order, what_has_not_ended_yet_counts_as_the_longest)
{
    order_init(&order, arena, &experiment, NULL, 12);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(next(), i);
        if (i != 2) {
            order_learn(&order, i, 100 + i);
        }
    }
    cr_expect_eq(next(), 6 + 2);
    cr_expect_eq(next(), 6 + 5);
    cr_expect_eq(next(), 6 + 4);
}

Test(order, a_list_with_gaps)
{
    /* Row 0: repeats 1, 2; row 4: repeat 0; row 5: repeats 0, 1, 2. */
    static const size_t places[] = { 4, 5, 6, 11, 12, 17 };
    order_init(&order, arena, &experiment, places, 6);
    struct order_item item;
    for (size_t i = 0; i < 3; i++) {
        cr_assert(order_next(&order, &item));
        cr_expect_eq(item.place, places[i]);
        cr_expect_eq(item.index, i);
        order_learn(&order, item.place, 5);
    }
    order_learn(&order, 6, 7);
    cr_expect_eq(next(), 11);
    cr_expect_eq(next(), 12);
    cr_expect_eq(next(), 17);
    assert_none();
}

Test(order, one_repeat_keeps_the_list)
{
    order_init(&order, arena, &experiment, NULL, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_expect_eq(next(), i);
    }
    assert_none();
    order_init(&order, arena, &experiment, NULL, 0);
    assert_none();
}
