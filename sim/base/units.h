/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities as users write them, `40us`, `4KiB`, `80k/s`, to exact integers and back. A quantity
 * is decimal digits with an optional fraction, optional spaces and a unit; no double is on the way,
 * so that 0.31us is 310000 ps and nothing else. Exponents, signs before a plus, digit separators
 * and decimal commas are refused.
 *
 *   quantity        units                              value, int64_t
 *   UNITS_TIME      ps ns us ms s min h (also µs)      picoseconds, at most SIM_DURATION_MAX
 *   UNITS_SIZE      B kB MB GB TB KiB MiB GiB TiB      bytes
 *   UNITS_RATE      /s k/s M/s G/s                     thousandths of an event per second
 *   UNITS_BIT_RATE  bit/s kbit/s ... B/s ... KiB/s ... bits per second
 *   UNITS_COUNT     none                               the count
 *   UNITS_RATIO     none                               thousandths, 1.43 is 1430
 *   UNITS_PERCENT   %                                  double, 5% is 0.05: units_parse_real
 *   UNITS_NUMBER    none                               double: units_parse_real
 */
#ifndef RINGTAIL_SIM_BASE_UNITS_H
#define RINGTAIL_SIM_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"

enum units_quantity {
    UNITS_TIME,
    UNITS_SIZE,
    UNITS_RATE,
    UNITS_BIT_RATE,
    UNITS_COUNT,
    UNITS_RATIO,
    UNITS_PERCENT,
    UNITS_NUMBER,
};

enum units_result {
    UNITS_OK,
    UNITS_EMPTY,        /* nothing but spaces */
    UNITS_MALFORMED,    /* no number: `abc`, `1,5us`, `nan`, `1_000` */
    UNITS_EXPONENT,     /* `1e3us` */
    UNITS_NO_UNIT,      /* `40` where a unit is needed; `0` too */
    UNITS_WRONG_UNIT,   /* a unit of another quantity: `4KiB` for a time */
    UNITS_UNKNOWN_UNIT, /* `40sec` */
    UNITS_NEGATIVE,     /* and the range starts at 0 or above */
    UNITS_TOO_FINE,     /* not a whole number of the value's unit: `0.1ps`, 1.5 as a count */
    UNITS_TOO_SMALL,    /* below the range */
    UNITS_TOO_LARGE,    /* above the range, or what the type holds */
};

/* Enough for every text that the functions below write. */
enum { UNITS_TEXT_BYTES = 48 };

/* Parses a quantity other than a percentage or a number into [min, max]; `*value` is untouched
 * unless the result is UNITS_OK. */
enum units_result units_parse(enum units_quantity quantity, const char *text, int64_t min,
                              int64_t max, int64_t *value);

/* Parses UNITS_PERCENT or UNITS_NUMBER: not negative, at most 15 digits without leading and
 * trailing zeros, correctly rounded, independent of the locale. */
enum units_result units_parse_real(enum units_quantity quantity, const char *text, double *value);

/* true yes on, false no off, in any case. False when it is none of them. */
bool units_parse_bool(const char *text, bool *value);

/* Sets the error, with its hint, for what units_parse or units_parse_real answered about `text`;
 * min and max are those of the call and only used for the range. Returns false. `where` may be
 * NULL. */
bool units_error(enum units_result result, enum units_quantity quantity, const char *text,
                 int64_t min, int64_t max, const struct place *where, struct error *err);
bool units_error_bool(const char *text, const struct place *where, struct error *err);

/* Writes the value in the shortest form that units_parse reads back as the same value: `17.2us`,
 * `4KiB`, `0.5/s`. Of two equally short forms it is the one with the larger number (500ps). */
void units_format_exact(enum units_quantity quantity, int64_t value, char *text, size_t size);

/* Writes three significant figures, rounded half up, in the largest unit that the value reaches:
 * 86.6us, 1.10ms, 321ms, 58.0k/s, 4.00KiB. Whole units have no fraction (7ps), values beyond 1000
 * of the largest unit keep all digits (1234s), below the smallest the form is exact (0.5/s). Counts
 * are written in full. */
void units_format_figures(enum units_quantity quantity, int64_t value, char *text, size_t size);

#endif
