/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "sim/base/time.h"
#include "sim/base/units.h"

static void expect_value(enum units_quantity quantity, const char *text, int64_t expected)
{
    int64_t value = -1;
    enum units_result result = units_parse(quantity, text, 0, INT64_MAX, &value);
    cr_expect_eq(result, UNITS_OK, "`%s`: result %d", text, (int)result);
    cr_expect_eq(value, expected, "`%s`: %" PRId64 ", not %" PRId64, text, value, expected);
}

/* The result, with the output untouched. */
static void expect_refused(enum units_quantity quantity, const char *text, enum units_result result)
{
    int64_t value = -77;
    enum units_result actual = units_parse(quantity, text, 0, INT64_MAX, &value);
    cr_expect_eq(actual, result, "`%s`: result %d, not %d", text, (int)actual, (int)result);
    cr_expect_eq(value, -77, "`%s`: the output changed", text);
}

Test(units, times_are_exact)
{
    expect_value(UNITS_TIME, "40us", 40000000);
    expect_value(UNITS_TIME, "0.31us", 310000);
    expect_value(UNITS_TIME, "0.1us", 100000);
    expect_value(UNITS_TIME, "36.6ns", 36600);
    expect_value(UNITS_TIME, "1.5 s", 1500000000000);
    expect_value(UNITS_TIME, "  2ms\t", 2000000000);
    expect_value(UNITS_TIME, ".5us", 500000);
    expect_value(UNITS_TIME, "1min", 60 * SIM_S);
    expect_value(UNITS_TIME, "2h", 7200 * SIM_S);
    expect_value(UNITS_TIME, "0us", 0);
    expect_value(UNITS_TIME, "5\u00b5s", 5000000);
    expect_value(UNITS_TIME, "5\u03bcs", 5000000);
    expect_value(UNITS_TIME, "0.000000000001s", 1);
    expect_value(UNITS_TIME, "0.0000000000000025h", 9);
    expect_value(UNITS_TIME, "1.5000000000000000000000000000000000us", 1500000);
    expect_value(UNITS_TIME, "00000000000000000000000000000000007ps", 7);
}

Test(units, times_end_at_the_longest_duration)
{
    cr_assert_eq(SIM_DURATION_MAX, INT64_C(2305843009213693951));
    expect_value(UNITS_TIME, "2305843009213693951ps", SIM_DURATION_MAX);
    expect_value(UNITS_TIME, "2305843.009213693951s", SIM_DURATION_MAX);
    expect_refused(UNITS_TIME, "2305843009213693952ps", UNITS_TOO_LARGE);
    expect_refused(UNITS_TIME, "2305843.009213693952s", UNITS_TOO_LARGE);
    expect_refused(UNITS_TIME, "641h", UNITS_TOO_LARGE);
    expect_refused(UNITS_TIME, "18446744073709551616h", UNITS_TOO_LARGE);
    expect_refused(UNITS_TIME, "99999999999999999999999999999999999999999ps", UNITS_TOO_LARGE);
}

Test(units, refusals_are_told_apart)
{
    expect_refused(UNITS_TIME, "", UNITS_EMPTY);
    expect_refused(UNITS_TIME, "  ", UNITS_EMPTY);
    expect_refused(UNITS_TIME, "abc", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "nan", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "us", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "-", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "+5us", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "5.us", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "1.2.3us", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "1,5us", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "1_000us", UNITS_MALFORMED);
    expect_refused(UNITS_TIME, "0x10us", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_TIME, "1e3us", UNITS_EXPONENT);
    expect_refused(UNITS_TIME, "1e30", UNITS_EXPONENT);
    expect_refused(UNITS_TIME, "1E-3s", UNITS_EXPONENT);
    expect_refused(UNITS_TIME, "40", UNITS_NO_UNIT);
    expect_refused(UNITS_TIME, "0", UNITS_NO_UNIT);
    expect_refused(UNITS_TIME, "4KiB", UNITS_WRONG_UNIT);
    expect_refused(UNITS_TIME, "5%", UNITS_WRONG_UNIT);
    expect_refused(UNITS_TIME, "40sec", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_TIME, "40us 3", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_TIME, "40 a unit of more than sixteen bytes", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_TIME, "-4us", UNITS_NEGATIVE);
    expect_refused(UNITS_TIME, "-4", UNITS_NEGATIVE);
    expect_refused(UNITS_TIME, "0.1ps", UNITS_TOO_FINE);
    expect_refused(UNITS_TIME, "1.0000000000000000001h", UNITS_TOO_FINE);
    expect_refused(UNITS_TIME, "0.0000000000001s", UNITS_TOO_FINE);
}

Test(units, sizes)
{
    expect_value(UNITS_SIZE, "43B", 43);
    expect_value(UNITS_SIZE, "4KiB", 4096);
    expect_value(UNITS_SIZE, "4kB", 4000);
    expect_value(UNITS_SIZE, "1MiB", 1048576);
    expect_value(UNITS_SIZE, "1.5KiB", 1536);
    expect_value(UNITS_SIZE, "9223372036854775807B", INT64_MAX);
    expect_refused(UNITS_SIZE, "9223372036854775808B", UNITS_TOO_LARGE);
    expect_refused(UNITS_SIZE, "8388608TiB", UNITS_TOO_LARGE);
    expect_refused(UNITS_SIZE, "0.3B", UNITS_TOO_FINE);
    expect_refused(UNITS_SIZE, "4K", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_SIZE, "4096", UNITS_NO_UNIT);
    expect_refused(UNITS_SIZE, "1Mbit/s", UNITS_WRONG_UNIT);
}

Test(units, ratios)
{
    expect_value(UNITS_RATIO, "1.43", 1430);
    expect_value(UNITS_RATIO, "2", 2000);
    expect_value(UNITS_RATIO, "0.001", 1);
    expect_refused(UNITS_RATIO, "1.4305", UNITS_TOO_FINE);
    expect_refused(UNITS_RATIO, "1.43us", UNITS_WRONG_UNIT);
    expect_refused(UNITS_RATIO, "5%", UNITS_WRONG_UNIT);
    expect_refused(UNITS_RATIO, "9223372036854775.808", UNITS_TOO_LARGE);
}

Test(units, rates)
{
    expect_value(UNITS_RATE, "80k/s", 80000000);
    expect_value(UNITS_RATE, "419.5/s", 419500);
    expect_value(UNITS_RATE, "1M/s", 1000000000);
    expect_value(UNITS_RATE, "0.001/s", 1);
    expect_refused(UNITS_RATE, "0.0005/s", UNITS_TOO_FINE);
    expect_refused(UNITS_RATE, "80k", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_RATE, "1Mbit/s", UNITS_WRONG_UNIT);
    expect_value(UNITS_BIT_RATE, "1Mbit/s", 1000000);
    expect_value(UNITS_BIT_RATE, "10Gbit/s", 10000000000);
    expect_value(UNITS_BIT_RATE, "3GB/s", 24000000000);
    expect_value(UNITS_BIT_RATE, "1MiB/s", 8388608);
    expect_refused(UNITS_BIT_RATE, "80k/s", UNITS_WRONG_UNIT);
}

Test(units, counts)
{
    expect_value(UNITS_COUNT, "64", 64);
    expect_value(UNITS_COUNT, "9223372036854775807", INT64_MAX);
    expect_refused(UNITS_COUNT, "9223372036854775808", UNITS_TOO_LARGE);
    expect_refused(UNITS_COUNT, "1e6", UNITS_EXPONENT);
    expect_refused(UNITS_COUNT, "1.5", UNITS_TOO_FINE);
    expect_refused(UNITS_COUNT, "1k", UNITS_UNKNOWN_UNIT);
    expect_refused(UNITS_COUNT, "64KiB", UNITS_WRONG_UNIT);
    int64_t count = 0;
    cr_expect_eq(units_parse(UNITS_COUNT, "0", 1, 10, &count), UNITS_TOO_SMALL);
    cr_expect_eq(units_parse(UNITS_COUNT, "11", 1, 10, &count), UNITS_TOO_LARGE);
    cr_expect_eq(units_parse(UNITS_COUNT, "-3", -5, 10, &count), UNITS_OK);
    cr_expect_eq(count, -3);
    cr_expect_eq(units_parse(UNITS_COUNT, "-9223372036854775808", INT64_MIN, 0, &count), UNITS_OK);
    cr_expect_eq(count, INT64_MIN);
}

Test(units, reals_are_correctly_rounded)
{
    double value = 0;
    cr_expect_eq(units_parse_real(UNITS_PERCENT, "5%", &value), UNITS_OK);
    cr_expect(value == 0.05);
    cr_expect_eq(units_parse_real(UNITS_PERCENT, "99.9 %", &value), UNITS_OK);
    cr_expect(value == 0.999);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "0.3", &value), UNITS_OK);
    cr_expect(value == 0.3);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "123456789.012345", &value), UNITS_OK);
    cr_expect(value == 123456789.012345);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "0.000000000000000001", &value), UNITS_OK);
    cr_expect(value == 1e-18);
    value = 7;
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "0.3%", &value), UNITS_WRONG_UNIT);
    cr_expect_eq(units_parse_real(UNITS_PERCENT, "5", &value), UNITS_NO_UNIT);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "-1", &value), UNITS_NEGATIVE);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "inf", &value), UNITS_MALFORMED);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "1e30", &value), UNITS_EXPONENT);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "1000000000000000", &value), UNITS_TOO_LARGE);
    cr_expect_eq(units_parse_real(UNITS_NUMBER, "10000000.123456789", &value), UNITS_TOO_FINE);
    cr_expect(value == 7);
}

Test(units, booleans)
{
    bool value = false;
    cr_expect(units_parse_bool("true", &value) && value);
    cr_expect(units_parse_bool("off", &value) && !value);
    cr_expect(units_parse_bool("Yes", &value) && value);
    cr_expect(units_parse_bool("no", &value) && !value);
    cr_expect(units_parse_bool("ON", &value) && value);
    cr_expect(!units_parse_bool("1", &value) && value);
    cr_expect(!units_parse_bool("", &value) && value);
}

static void expect_error(enum units_quantity quantity, const char *text, int64_t min, int64_t max,
                         const char *expected)
{
    struct place where = { "a.yaml", 3, 7 };
    struct error err = { 0 };
    char shown[1200];
    int64_t value = 0;
    enum units_result result = units_parse(quantity, text, min, max, &value);
    cr_expect_not(units_error(result, quantity, text, min, max, &where, &err));
    error_format(&err, shown, sizeof(shown));
    cr_expect_str_eq(shown, expected, "%s", shown);
}

Test(units, messages)
{
    expect_error(UNITS_TIME, "40", 0, INT64_MAX,
                 "a.yaml:3:7: error: a time needs a unit, and `40` has none\n  hint: write for "
                 "example `40us`; the units are ps, ns, us, ms, s, min and h");
    expect_error(
        UNITS_TIME, "4KiB", 0, INT64_MAX,
        "a.yaml:3:7: error: `4KiB` is a size, and a time is needed here\n  hint: write for "
        "example `40us`; the units are ps, ns, us, ms, s, min and h");
    expect_error(UNITS_COUNT, "64KiB", 0, 9,
                 "a.yaml:3:7: error: `64KiB` is a size, and a count is needed here\n  hint: write "
                 "it without a unit, for example `64`");
    expect_error(UNITS_COUNT, "11", 1, 10,
                 "a.yaml:3:7: error: `11` is too large\n  hint: write at most `10`");
    expect_error(UNITS_TIME, "0us", 1, SIM_S,
                 "a.yaml:3:7: error: `0us` is too small\n  hint: write at least `1ps`");
    expect_error(UNITS_TIME, "2s", 0, SIM_S,
                 "a.yaml:3:7: error: `2s` is too large\n  hint: write at most `1s`");
    expect_error(UNITS_TIME, "700h", 0, INT64_MAX,
                 "a.yaml:3:7: error: `700h` is too large\n  hint: write at most 26 days, `640h`");
    expect_error(UNITS_TIME, "-4us", 0, SIM_S,
                 "a.yaml:3:7: error: `-4us` is negative, and a time cannot be\n  hint: write it "
                 "without the minus");
    expect_error(UNITS_TIME, "1e3us", 0, SIM_S,
                 "a.yaml:3:7: error: `1e3us` has an exponent, which a time does not take\n  hint: "
                 "write the digits out, as in `40us`");
    expect_error(UNITS_RATE, "0.0001/s", 0, SIM_S,
                 "a.yaml:3:7: error: `0.0001/s` is finer than a rate allows\n  hint: the finest "
                 "step is 0.001/s");
    expect_error(UNITS_RATE, "80", 0, SIM_S,
                 "a.yaml:3:7: error: a rate needs a unit, and `80` has none\n  hint: write for "
                 "example `80k/s`; the units are /s, k/s, M/s and G/s");
    expect_error(UNITS_SIZE, "4K", 0, SIM_S,
                 "a.yaml:3:7: error: `4K` is not a size: its unit is unknown\n  hint: write for "
                 "example `4KiB`; the units are B, KiB, MiB, GiB, TiB, kB, MB, GB and TB");
    expect_error(UNITS_COUNT, "", 0, 9,
                 "a.yaml:3:7: error: a count is missing here\n  hint: write it without a unit, for "
                 "example `64`");
    struct error err = { 0 };
    cr_expect_not(units_error_bool("maybe", NULL, &err));
    cr_expect_str_eq(err.message, "`maybe` is neither true nor false");
}

static void expect_exact(enum units_quantity quantity, int64_t value, const char *expected)
{
    char text[UNITS_TEXT_BYTES];
    units_format_exact(quantity, value, text, sizeof(text));
    cr_expect_str_eq(text, expected, "%s, not %s", text, expected);
}

Test(units, exact_form)
{
    expect_exact(UNITS_TIME, 17200000, "17.2us");
    expect_exact(UNITS_TIME, 500, "500ps");
    expect_exact(UNITS_TIME, 310000, "310ns");
    expect_exact(UNITS_TIME, 0, "0s");
    expect_exact(UNITS_TIME, 30 * SIM_S, "30s");
    expect_exact(UNITS_TIME, -1500000, "-1.5us");
    expect_exact(UNITS_TIME, SIM_DURATION_MAX, "2305843009213693951ps");
    expect_exact(UNITS_SIZE, 4096, "4KiB");
    expect_exact(UNITS_SIZE, 298, "298B");
    expect_exact(UNITS_SIZE, 4000, "4kB");
    expect_exact(UNITS_RATE, 80000000, "80k/s");
    expect_exact(UNITS_RATE, 500, "0.5/s");
    expect_exact(UNITS_BIT_RATE, 1000000, "1Mbit/s");
    expect_exact(UNITS_RATIO, 1430, "1.43");
    expect_exact(UNITS_RATIO, 2000, "2");
    expect_exact(UNITS_COUNT, INT64_MIN, "-9223372036854775808");
}

static void expect_figures(enum units_quantity quantity, int64_t value, const char *expected)
{
    char text[UNITS_TEXT_BYTES];
    units_format_figures(quantity, value, text, sizeof(text));
    cr_expect_str_eq(text, expected, "%s, not %s", text, expected);
}

Test(units, three_figures)
{
    expect_figures(UNITS_TIME, 269 * SIM_US, "269us");
    expect_figures(UNITS_TIME, 1100 * SIM_US, "1.10ms");
    expect_figures(UNITS_TIME, 320900 * SIM_US, "321ms");
    expect_figures(UNITS_TIME, 3030 * SIM_MS, "3.03s");
    expect_figures(UNITS_TIME, 86600 * SIM_NS, "86.6us");
    expect_figures(UNITS_TIME, 850 * SIM_NS, "850ns");
    expect_figures(UNITS_TIME, 7, "7ps");
    expect_figures(UNITS_TIME, 0, "0s");
    expect_figures(UNITS_TIME, 1234 * SIM_S, "1234s");
    expect_figures(UNITS_TIME, 999499999, "999us");
    expect_figures(UNITS_TIME, 999500000, "1.00ms");
    expect_figures(UNITS_TIME, 9994999, "9.99us");
    expect_figures(UNITS_TIME, 9995000, "10.0us");
    expect_figures(UNITS_TIME, 99950000, "100us");
    expect_figures(UNITS_TIME, -86600 * SIM_NS, "-86.6us");
    expect_figures(UNITS_RATE, 58000000, "58.0k/s");
    expect_figures(UNITS_RATE, 419400, "419/s");
    expect_figures(UNITS_RATE, 2340000000, "2.34M/s");
    expect_figures(UNITS_RATE, 500, "0.5/s");
    expect_figures(UNITS_RATE, 999600, "1.00k/s");
    expect_figures(UNITS_SIZE, 4096, "4.00KiB");
    expect_figures(UNITS_SIZE, 43, "43B");
    expect_figures(UNITS_SIZE, 1023 * 1024, "1023KiB");
    expect_figures(UNITS_BIT_RATE, 9500000, "9.50Mbit/s");
    expect_figures(UNITS_RATIO, 1430, "1.43");
    expect_figures(UNITS_RATIO, 12345, "12.3");
    expect_figures(UNITS_RATIO, 500, "0.5");
    expect_figures(UNITS_COUNT, 123456, "123456");
}

/* xorshift64; any spread of magnitudes will do. */
static int64_t random_value(uint64_t *state, int64_t max)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (int64_t)(*state >> 1 >> (*state & 63)) % max;
}

Test(units, exact_form_reads_back)
{
    uint64_t state = 88172645463325252;
    for (int i = 0; i < 200000; i++) {
        enum units_quantity quantity = (enum units_quantity)(i % 5);
        int64_t max = quantity == UNITS_TIME ? SIM_DURATION_MAX : INT64_MAX;
        int64_t value = random_value(&state, max);
        value = i % 3 == 0 && value < max / 1000000 ? value * 1000000 : value;
        char text[UNITS_TEXT_BYTES];
        int64_t back = -1;
        units_format_exact(quantity, value, text, sizeof(text));
        cr_assert_eq(units_parse(quantity, text, 0, max, &back), UNITS_OK, "%s", text);
        cr_assert_eq(back, value, "%s", text);
    }
}

/* What three figures show is within half a unit of the third one. */
Test(units, figures_are_near)
{
    uint64_t state = 88172645463325252;
    for (int i = 0; i < 200000; i++) {
        enum units_quantity quantity = i % 2 == 0 ? UNITS_TIME : UNITS_RATE;
        int64_t value = random_value(&state, SIM_DURATION_MAX);
        char text[UNITS_TEXT_BYTES];
        int64_t back = -1;
        units_format_figures(quantity, value, text, sizeof(text));
        enum units_result result = units_parse(quantity, text, 0, INT64_MAX, &back);
        cr_assert_eq(result, UNITS_OK, "%s", text);
        int64_t off = back > value ? back - value : value - back;
        cr_assert_leq(off, value / 199 + (value < 1000 ? 0 : 1), "%s for %" PRId64, text, value);
    }
}
