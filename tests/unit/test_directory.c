/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "sim/engine/directory.h"

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(directory, .init = set_up, .fini = tear_down);

/* How many entries from `first` on fit. */
static int64_t fit(const struct directory *directory, int64_t first, int64_t room_bytes)
{
    int64_t next = first;
    while (directory_goes_on(directory, first, next, room_bytes)) {
        next++;
    }
    return next - first;
}

/* f11, f10, f9 .. f0, `.`, `..` with 10 bytes each besides the name. */
Test(directory, entries_take_their_names)
{
    struct directory directory = { .files = 12, .name = 1 };
    cr_expect_eq(directory_init(&directory, 10, arena), 13);
    cr_expect_eq(directory.count, 14);
    cr_expect_eq(fit(&directory, 0, 12), 0);
    cr_expect_eq(fit(&directory, 0, 13), 1);
    cr_expect_eq(fit(&directory, 0, 13 + 13 + 12), 3);
    cr_expect_eq(fit(&directory, 2, 12 + 12 + 11), 2);
    cr_expect_eq(fit(&directory, 12, 11 + 12), 2);
    cr_expect_eq(fit(&directory, 12, 11 + 11), 1);
    cr_expect_eq(fit(&directory, 0, 1000), 14);
    cr_expect_eq(fit(&directory, 14, 1000), 0);
}

Test(directory, without_files_there_are_two_entries)
{
    struct directory directory = { .files = 0, .name = 100 };
    cr_expect_eq(directory_init(&directory, 0, arena), 2);
    cr_expect_eq(fit(&directory, 0, 3), 2);
}

Test(directory, a_read_costs_the_walk_where_there_is_one)
{
    struct directory directory = { .files = 3, .read = 100, .step = 7 };
    directory_init(&directory, 0, arena);
    cr_expect_eq(directory_read(&directory, 0), 100);
    cr_expect_eq(directory_read(&directory, 4), 100);
    cr_expect_eq(directory_read(&directory, 5), 0, "nothing is read at the end");
    cr_expect_eq(directory.visits, 0);
    directory.nsquare = true;
    cr_expect_eq(directory_read(&directory, 0), 100);
    cr_expect_eq(directory_read(&directory, 4), 100 + 4 * 7);
    cr_expect_eq(directory_read(&directory, 5), 5 * 7);
    cr_expect_eq(directory.visits, 9);
}

Test(directory, counts_replies)
{
    struct directory directory = { .files = 1, .name = 4 };
    directory_init(&directory, 10, arena);
    directory_replied(&directory, 0, 2);
    directory_replied(&directory, 2, 3);
    directory_replied(&directory, 3, 3);
    cr_expect_eq(directory.replies, 3);
    cr_expect_eq(directory.entries, 3);
    cr_expect_eq(directory.bytes, 15 + 11 + 12);
}
