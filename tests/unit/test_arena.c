/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdint.h>
#include <string.h>

#include "sim/base/arena.h"

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(arena, .init = set_up, .fini = tear_down);

/* Blocks of all sizes, small and large mixed: each is aligned, zero, and keeps its own bytes. */
Test(arena, blocks_are_aligned_zero_and_apart)
{
    enum { BLOCKS = 600 };
    unsigned char *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = i * i % 40000;
        blocks[i] = arena_alloc(arena, size);
        cr_assert_eq((uintptr_t)blocks[i] % 64, 0);
        for (size_t k = 0; k < size; k++) {
            cr_assert_eq(blocks[i][k], 0);
        }
        memset(blocks[i], (int)(i % 255 + 1), size);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t k = 0; k < i * i % 40000; k++) {
            cr_assert_eq(blocks[i][k], i % 255 + 1);
        }
    }
}

Test(arena, arrays_have_room_for_every_element)
{
    uint64_t *array = arena_array(arena, 100000, sizeof(uint64_t));
    array[0] = 1;
    array[99999] = 2;
    cr_expect_eq(array[50000], 0);
    cr_expect_not_null(arena_array(arena, 0, sizeof(uint64_t)));
}

Test(arena, bytes_count_what_the_system_gave)
{
    cr_expect_eq(arena_bytes(arena), 0);
    arena_alloc(arena, 1);
    size_t one_chunk = arena_bytes(arena);
    cr_expect_gt(one_chunk, 0);
    for (int i = 0; i < 100; i++) {
        arena_alloc(arena, 1);
    }
    cr_expect_eq(arena_bytes(arena), one_chunk);
    arena_alloc(arena, 1000000);
    cr_expect_geq(arena_bytes(arena), one_chunk + 1000000);
    cr_expect_leq(arena_bytes(arena), one_chunk + 1000000 + 256);
}

Test(arena, copies_texts)
{
    char text[] = "in ring";
    char *copy = arena_strdup(arena, text);
    char *part = arena_strndup(arena, text, 2);
    char *all = arena_strndup(arena, text, 100);
    text[0] = 'X';
    cr_expect_str_eq(copy, "in ring");
    cr_expect_str_eq(part, "in");
    cr_expect_str_eq(all, "in ring");
    cr_expect_str_eq(arena_strdup(arena, ""), "");
    cr_expect_str_eq(arena_strndup(arena, "abc", 0), "");
}

Test(arena, prints)
{
    cr_expect_str_eq(arena_printf(arena, "%s.%d", "fio", 64), "fio.64");
    cr_expect_str_eq(arena_printf(arena, "%s", ""), "");
    char *wide = arena_printf(arena, "%*d", 100000, 7);
    cr_expect_eq(strlen(wide), 100000);
    cr_expect_eq(wide[99999], '7');
}

/* A text that fills its cache lines: what comes next must not sit on its terminating zero. */
Test(arena, terminating_zeros_have_their_place)
{
    char *printed = arena_printf(arena, "%*d", 64, 7);
    memset(arena_alloc(arena, 64), '#', 64);
    char *copied = arena_strndup(arena, printed, 64);
    memset(arena_alloc(arena, 64), '#', 64);
    cr_expect_eq(strlen(printed), 64);
    cr_expect_eq(strlen(copied), 64);
}

Test(arena, destroying_nothing_is_allowed)
{
    arena_destroy(NULL);
}

Test(arena, a_product_that_overflows_ends_the_program_with_4, .exit_code = 4)
{
    cr_redirect_stderr();
    arena_array(arena, SIZE_MAX / 2, 4);
}

Test(arena, a_size_nobody_has_ends_the_program_with_4, .exit_code = 4)
{
    cr_redirect_stderr();
    arena_alloc(arena, SIZE_MAX);
}
