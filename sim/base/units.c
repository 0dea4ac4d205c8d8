/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One table of units serves parsing, both printed forms and the messages. A number is read as a
 * whole part and a fraction of at most 18 digits; the value is their sum times the unit, in 128
 * bits. 18 digits are enough for every time: an hour is 2^16 x 3^2 x 5^14 ps, so a fraction of an
 * hour that is a whole number of picoseconds has at most 16.
 */
#include "sim/base/units.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "sim/base/time.h"
#include "sim/base/units_table.h"

const struct unit units_table[] = {
    { UNITS_TIME, "ps", SIM_PS, PRINTED },
    { UNITS_TIME, "ns", SIM_NS, PRINTED },
    { UNITS_TIME, "us", SIM_US, PRINTED },
    { UNITS_TIME, "ms", SIM_MS, PRINTED },
    { UNITS_TIME, "s", SIM_S, PRINTED },
    { UNITS_TIME, "min", 60 * SIM_S, PARSED_ONLY },
    { UNITS_TIME, "h", 3600 * SIM_S, PARSED_ONLY },
    { UNITS_TIME, "\u00b5s", SIM_US, PARSED_ONLY }, /* micro sign */
    { UNITS_TIME, "\u03bcs", SIM_US, PARSED_ONLY }, /* Greek mu */
    { UNITS_SIZE, "B", 1, PRINTED },
    { UNITS_SIZE, "kB", INT64_C(1000), EXACT },
    { UNITS_SIZE, "KiB", INT64_C(1) << 10, PRINTED },
    { UNITS_SIZE, "MB", INT64_C(1000000), EXACT },
    { UNITS_SIZE, "MiB", INT64_C(1) << 20, PRINTED },
    { UNITS_SIZE, "GB", INT64_C(1000000000), EXACT },
    { UNITS_SIZE, "GiB", INT64_C(1) << 30, PRINTED },
    { UNITS_SIZE, "TB", INT64_C(1000000000000), EXACT },
    { UNITS_SIZE, "TiB", INT64_C(1) << 40, PRINTED },
    { UNITS_RATE, "/s", INT64_C(1000), PRINTED },
    { UNITS_RATE, "k/s", INT64_C(1000000), PRINTED },
    { UNITS_RATE, "M/s", INT64_C(1000000000), PRINTED },
    { UNITS_RATE, "G/s", INT64_C(1000000000000), PRINTED },
    { UNITS_BIT_RATE, "bit/s", 1, PRINTED },
    { UNITS_BIT_RATE, "kbit/s", INT64_C(1000), PRINTED },
    { UNITS_BIT_RATE, "Mbit/s", INT64_C(1000000), PRINTED },
    { UNITS_BIT_RATE, "Gbit/s", INT64_C(1000000000), PRINTED },
    { UNITS_BIT_RATE, "Tbit/s", INT64_C(1000000000000), PRINTED },
    { UNITS_BIT_RATE, "B/s", 8, PARSED_ONLY },
    { UNITS_BIT_RATE, "kB/s", INT64_C(8000), PARSED_ONLY },
    { UNITS_BIT_RATE, "MB/s", INT64_C(8000000), PARSED_ONLY },
    { UNITS_BIT_RATE, "GB/s", INT64_C(8000000000), PARSED_ONLY },
    { UNITS_BIT_RATE, "KiB/s", INT64_C(8) << 10, PARSED_ONLY },
    { UNITS_BIT_RATE, "MiB/s", INT64_C(8) << 20, PARSED_ONLY },
    { UNITS_BIT_RATE, "GiB/s", INT64_C(8) << 30, PARSED_ONLY },
    { UNITS_COUNT, "", 1, PRINTED },
    { UNITS_RATIO, "", 1000, PRINTED },
    { UNITS_PERCENT, "%", 1, PARSED_ONLY },
    { UNITS_NUMBER, "", 1, PARSED_ONLY },
};

const size_t units_table_length = ARRAY_LENGTH(units_table);

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_spaces(const char *text)
{
    while (is_space(*text)) {
        text++;
    }
    return text;
}

static const char *read_whole(const char *text, struct number *number)
{
    for (; is_digit(*text); text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (__builtin_mul_overflow(number->whole, UINT64_C(10), &number->whole) ||
            __builtin_add_overflow(number->whole, digit, &number->whole)) {
            number->whole = UINT64_MAX;
            while (is_digit(*text)) {
                text++;
            }
            return text;
        }
    }
    return text;
}

static const char *read_fraction(const char *text, struct number *number)
{
    const char *end = text;
    while (is_digit(*end)) {
        end++;
    }
    const char *last = end;
    while (last > text && last[-1] == '0') {
        last--;
    }
    if (last - text > UNITS_FRACTION_DIGITS_MAX) {
        number->fraction_digits = UNITS_FRACTION_DIGITS_MAX + 1;
        return end;
    }
    number->fraction_digits = (int)(last - text);
    for (; text < last; text++) {
        number->fraction = number->fraction * 10 + (uint64_t)(*text - '0');
    }
    return end;
}

static bool is_exponent(const char *text)
{
    return (text[0] == 'e' || text[0] == 'E') &&
           (is_digit(text[1]) || ((text[1] == '-' || text[1] == '+') && is_digit(text[2])));
}

enum units_result units_read_number(const char *text, struct number *number)
{
    text = skip_spaces(text);
    if (*text == '\0') {
        return UNITS_EMPTY;
    }
    number->negative = *text == '-';
    text += number->negative;
    const char *start = text;
    text = read_whole(text, number);
    bool any = text > start;
    if (*text == '.') {
        if (!is_digit(text[1])) {
            return UNITS_MALFORMED;
        }
        text = read_fraction(text + 1, number);
        any = true;
    }
    if (!any) {
        return UNITS_MALFORMED;
    }
    if (is_exponent(text)) {
        return UNITS_EXPONENT;
    }
    if (*text == ',' || *text == '_' || *text == '.') {
        return UNITS_MALFORMED;
    }
    number->unit = skip_spaces(text);
    size_t length = strlen(number->unit);
    while (length > 0 && is_space(number->unit[length - 1])) {
        length--;
    }
    number->unit_length = length > 16 ? 16 : (int)length; /* longer than any unit */
    return UNITS_OK;
}

const struct unit *units_find(const struct number *number)
{
    for (size_t i = 0; number->unit_length > 0 && i < units_table_length; i++) {
        if (strlen(units_table[i].name) == (size_t)number->unit_length &&
            memcmp(units_table[i].name, number->unit, (size_t)number->unit_length) == 0) {
            return &units_table[i];
        }
    }
    return NULL;
}

bool units_is_bare(enum units_quantity quantity)
{
    return quantity == UNITS_COUNT || quantity == UNITS_RATIO || quantity == UNITS_NUMBER;
}

static enum units_result find_scale(enum units_quantity quantity, const struct number *number,
                                    int64_t *scale)
{
    if (number->unit_length == 0) {
        *scale = quantity == UNITS_RATIO ? 1000 : 1;
        return units_is_bare(quantity) ? UNITS_OK : UNITS_NO_UNIT;
    }
    const struct unit *unit = units_find(number);
    if (unit == NULL) {
        return UNITS_UNKNOWN_UNIT;
    }
    if (unit->quantity != quantity) {
        return UNITS_WRONG_UNIT;
    }
    *scale = unit->scale;
    return UNITS_OK;
}

int64_t units_power_of_ten(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

enum units_result units_parse(enum units_quantity quantity, const char *text, int64_t min,
                              int64_t max, int64_t *value)
{
    assert(quantity != UNITS_PERCENT && quantity != UNITS_NUMBER && min <= max);
    struct number number = { 0 };
    int64_t scale = 0;
    enum units_result result = units_read_number(text, &number);
    if (result != UNITS_OK) {
        return result;
    }
    if (number.negative && min >= 0) {
        return UNITS_NEGATIVE;
    }
    result = find_scale(quantity, &number, &scale);
    if (result != UNITS_OK) {
        return result;
    }
    if (number.fraction_digits > UNITS_FRACTION_DIGITS_MAX) {
        return UNITS_TOO_FINE;
    }
    /* A scale is below 2^52, so nothing overflows. */
    __int128 part = (__int128)number.fraction * scale;
    int64_t tenths = units_power_of_ten(number.fraction_digits);
    if (part % tenths != 0) {
        return UNITS_TOO_FINE;
    }
    __int128 total = (__int128)number.whole * scale + part / tenths;
    total = number.negative ? -total : total;
    if (quantity == UNITS_TIME && max > SIM_DURATION_MAX) {
        max = SIM_DURATION_MAX;
    }
    if (total < min || total > max) {
        return total < min ? UNITS_TOO_SMALL : UNITS_TOO_LARGE;
    }
    *value = (int64_t)total;
    return UNITS_OK;
}

enum units_result units_parse_real(enum units_quantity quantity, const char *text, double *value)
{
    assert(quantity == UNITS_PERCENT || quantity == UNITS_NUMBER);
    struct number number = { 0 };
    int64_t scale = 0;
    enum units_result result = units_read_number(text, &number);
    if (result != UNITS_OK) {
        return result;
    }
    if (number.negative) {
        return UNITS_NEGATIVE;
    }
    result = find_scale(quantity, &number, &scale);
    if (result != UNITS_OK) {
        return result;
    }
    const __int128 limit = units_power_of_ten(UNITS_REAL_DIGITS_MAX);
    if (number.whole >= (uint64_t)limit) {
        return UNITS_TOO_LARGE;
    }
    if (number.fraction_digits > UNITS_FRACTION_DIGITS_MAX) {
        return UNITS_TOO_FINE;
    }
    /* Both sides of the division are exact doubles, so that its result is correctly rounded. */
    __int128 digits =
        (__int128)number.whole * units_power_of_ten(number.fraction_digits) + number.fraction;
    if (digits >= limit) {
        return UNITS_TOO_FINE;
    }
    double divisor = (double)units_power_of_ten(number.fraction_digits);
    *value = (double)digits / (quantity == UNITS_PERCENT ? divisor * 100.0 : divisor);
    return UNITS_OK;
}

bool units_parse_bool(const char *text, bool *value)
{
    static const char *const names[] = { "false", "true", "no", "yes", "off", "on" };
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (strcasecmp(text, names[i]) == 0) {
            *value = i % 2 == 1;
            return true;
        }
    }
    return false;
}
