/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/report/table.h"
#include "sim/run/format.h"

static struct arena *arena;

static void set_up(void)
{
    arena = arena_create();
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(report_table, .init = set_up, .fini = tear_down);

static void expect_text(const struct table *table, size_t fixed, size_t width, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    table_write(table, fixed, width, file);
    fclose(file);
    cr_expect_str_eq(text, expected);
    free(text);
}

static void add_row(struct table *table, const char *const *texts, size_t count)
{
    table_begin_row(table);
    for (size_t i = 0; i < count; i++) {
        table_add(table, texts[i]);
    }
}

Test(report_table, columns_are_aligned_and_lines_end_in_no_space)
{
    struct table table;
    table_init(&table, arena, "lr");
    add_row(&table, (const char *const[]){ "a", "1", NULL, "22" }, 4);
    table_note(&table, "note");
    add_row(&table,
            (const char *const[]){ "b\xc2\xb5"
                                   "c",
                                   "333", "", "4" },
            4);
    add_row(&table, (const char *const[]){ "", "5", "" }, 3);
    expect_text(&table, 1, 80,
                "a      1    22\nnote\nb\xc2\xb5"
                "c  333     4\n       5\n");
}

Test(report_table, a_wide_table_continues_below)
{
    struct table table;
    table_init(&table, arena, "lr");
    add_row(&table, (const char *const[]){ "x", "11", "22", "33" }, 4);
    expect_text(&table, 1, 9, "x  11  22\n\nx  33\n");
}

static const char *ratio_text(double ratio, enum verdict verdict)
{
    return format_ratio(arena, &(struct comparison){ verdict, ratio, ratio, ratio });
}

Test(report_table, numbers_have_three_figures_and_a_unit)
{
    cr_expect_str_eq(format_value(arena, METRIC_RATE, 419.4), "419/s");
    cr_expect_str_eq(format_value(arena, METRIC_RATE, 58030.4), "58.0k/s");
    cr_expect_str_eq(format_value(arena, METRIC_RATE, 0.125), "0.125/s");
    cr_expect_str_eq(format_value(arena, METRIC_MEAN, 1.1e9), "1.10ms");
    cr_expect_str_eq(format_value(arena, METRIC_UTILISATION, 0.4521), "45.2 %");
    cr_expect_str_eq(format_value(arena, METRIC_DROPS, 12345), "12345");
    cr_expect_str_eq(format_error(arena, 103.2, 100), "+3.2 %");
    cr_expect_str_eq(format_error(arena, 3000, 100), "+2900 %");
    cr_expect_str_eq(format_error(arena, 1, 0), "");
}

Test(report_table, ratios_say_their_direction)
{
    cr_expect_str_eq(ratio_text(3.14, VERDICT_HIGHER), "3.1x");
    cr_expect_str_eq(ratio_text(1 / 68.4, VERDICT_LOWER), "68x");
    cr_expect_str_eq(ratio_text(1.13, VERDICT_HIGHER), "1.13x");
    cr_expect_str_eq(ratio_text(1.001, VERDICT_SAME), "same");
    struct comparison lower = { VERDICT_LOWER, 0.5, 0.4, 0.6 };
    cr_expect_str_eq(format_direction(&lower, METRIC_PERCENTILE), "faster");
    cr_expect_str_eq(format_direction(&lower, METRIC_RATE), "lower");
}

Test(report_table, intervals_leave_out_a_unit_that_is_the_values)
{
    struct figure figure = {
        .known = true, .value = 321e9, .interval = INTERVAL_BOTH, .low = 310e9, .high = 1.2e12
    };
    cr_expect_str_eq(format_interval(arena, METRIC_PERCENTILE, &figure), "[310, 1.20s]");
    figure.interval = INTERVAL_OPEN;
    cr_expect_str_eq(format_interval(arena, METRIC_PERCENTILE, &figure), "[> 310]");
    figure.interval = INTERVAL_NONE;
    cr_expect_str_eq(format_interval(arena, METRIC_PERCENTILE, &figure), "");
}
