/* SPDX-License-Identifier: Apache-2.0 */
/* Both printed forms, in integers throughout: what is printed as exact is exact. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/base/units_table.h"

/* The exact decimal form in a unit, or false where 18 digits do not reach it. */
static bool format_in(const struct unit *unit, uint64_t value, char *text, size_t size)
{
    uint64_t scale = (uint64_t)unit->scale;
    uint64_t rest = value % scale;
    char digits[UNITS_FRACTION_DIGITS_MAX + 1];
    int count = 0;
    while (rest != 0 && count < UNITS_FRACTION_DIGITS_MAX) {
        __uint128_t next = (__uint128_t)rest * 10;
        digits[count++] = (char)('0' + (int)(next / scale));
        rest = (uint64_t)(next % scale);
    }
    digits[count] = '\0';
    snprintf(text, size, "%" PRIu64 "%s%s%s", value / scale, count > 0 ? "." : "", digits,
             unit->name);
    return rest == 0;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void units_format_exact(enum units_quantity quantity, int64_t value, char *text, size_t size)
{
    char best[UNITS_TEXT_BYTES] = "";
    char tried[UNITS_TEXT_BYTES];
    for (size_t i = 0; i < units_table_length; i++) {
        const struct unit *unit = &units_table[i];
        if (unit->quantity == quantity && (unit->printed & EXACT) != 0 &&
            format_in(unit, magnitude(value), tried, sizeof(tried)) &&
            (best[0] == '\0' || strlen(tried) < strlen(best))) {
            memcpy(best, tried, sizeof(best));
        }
    }
    assert(best[0] != '\0');
    snprintf(text, size, "%s%s", value < 0 ? "-" : "", best);
}

/* The value in tenth parts of the unit, to `decimals` of them, rounded half up. */
static uint64_t rounded(uint64_t value, const struct unit *unit, int decimals)
{
    __uint128_t scaled = (__uint128_t)value * (uint64_t)units_power_of_ten(decimals);
    return (uint64_t)((scaled + (uint64_t)unit->scale / 2) / (uint64_t)unit->scale);
}

void units_format_figures(enum units_quantity quantity, int64_t value, char *text, size_t size)
{
    uint64_t amount = magnitude(value);
    const struct unit *unit = NULL;
    for (size_t i = 0; i < units_table_length; i++) {
        if (units_table[i].quantity != quantity || (units_table[i].printed & FIGURES) == 0) {
            continue;
        }
        /* 999.6us is 1.00ms: a unit is reached when the one before it would round to 1000. */
        uint64_t scale = (uint64_t)units_table[i].scale;
        bool reached = amount >= scale ||
                       (unit != NULL && scale / (uint64_t)unit->scale <= rounded(amount, unit, 0));
        if (reached) {
            unit = &units_table[i];
        }
    }
    if (unit == NULL) { /* zero, and fractions of the smallest unit */
        units_format_exact(quantity, value, text, size);
        return;
    }
    int decimals = unit->scale == 1 ? 0 : 2;
    while (decimals > 0 && rounded(amount, unit, decimals) >= 1000) {
        decimals--;
    }
    uint64_t figures = rounded(amount, unit, decimals);
    uint64_t tenths = (uint64_t)units_power_of_ten(decimals);
    const char *sign = value < 0 ? "-" : "";
    if (decimals == 0) {
        snprintf(text, size, "%s%" PRIu64 "%s", sign, figures, unit->name);
    } else {
        snprintf(text, size, "%s%" PRIu64 ".%0*" PRIu64 "%s", sign, figures / tenths, decimals,
                 figures % tenths, unit->name);
    }
}
