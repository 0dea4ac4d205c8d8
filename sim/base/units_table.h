/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of units.h share: the table of units and the reading of a number. */
#ifndef RINGTAIL_SIM_BASE_UNITS_TABLE_H
#define RINGTAIL_SIM_BASE_UNITS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/units.h"

enum { UNITS_FRACTION_DIGITS_MAX = 18, UNITS_REAL_DIGITS_MAX = 15 };

/* Where a unit is printed. */
enum { PARSED_ONLY = 0, EXACT = 1, FIGURES = 2, PRINTED = EXACT | FIGURES };

struct unit {
    enum units_quantity quantity;
    const char *name;
    int64_t scale; /* values in one of it */
    int printed;
};

/* Within a quantity the printed ones rise, for each printed form. */
extern const struct unit units_table[];
extern const size_t units_table_length;

/* A decimal number and the text behind it. */
struct number {
    bool negative;
    uint64_t whole; /* UINT64_MAX: that or more */
    uint64_t fraction;
    int fraction_digits; /* without trailing zeros; FRACTION_DIGITS_MAX + 1: more than fit */
    const char *unit;
    int unit_length;
};

enum units_result units_read_number(const char *text, struct number *number);

/* The unit of that number in any quantity, NULL where there is none of that name. */
const struct unit *units_find(const struct number *number);

/* Whether a quantity is written without a unit. */
bool units_is_bare(enum units_quantity quantity);

int64_t units_power_of_ten(int exponent); /* 0 to 18 */

#endif
