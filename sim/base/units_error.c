/* SPDX-License-Identifier: Apache-2.0 */
/* What to tell the user about a quantity that was refused. */
#include <assert.h>
#include <string.h>

#include "sim/base/time.h"
#include "sim/base/units.h"
#include "sim/base/units_table.h"

/* Words for the messages. */
static const struct {
    const char *noun;
    const char *example;
    const char *unit_list;
    const char *finest;
} words[] = {
    [UNITS_TIME] = { "a time", "40us", "ps, ns, us, ms, s, min and h", "1ps" },
    [UNITS_SIZE] = { "a size", "4KiB", "B, KiB, MiB, GiB, TiB, kB, MB, GB and TB", "1B" },
    [UNITS_RATE] = { "a rate", "80k/s", "/s, k/s, M/s and G/s", "0.001/s" },
    [UNITS_BIT_RATE] = { "a bit rate", "1Mbit/s",
                         "bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, and B/s, kB/s, KiB/s and so on",
                         "1bit/s" },
    [UNITS_COUNT] = { "a count", "64", NULL, "1" },
    [UNITS_RATIO] = { "a decimal number", "1.5", NULL, "0.001" },
    [UNITS_PERCENT] = { "a percentage", "5%", "% alone", "15 digits" },
    [UNITS_NUMBER] = { "a number", "0.3", NULL, "15 digits" },
};

static bool hint_example(enum units_quantity quantity, struct error *err)
{
    if (units_is_bare(quantity)) {
        return error_hint(err, "write it without a unit, for example `%s`",
                          words[quantity].example);
    }
    return error_hint(err, "write for example `%s`; the units are %s", words[quantity].example,
                      words[quantity].unit_list);
}

static bool error_no_unit(enum units_quantity quantity, const char *text, const struct place *where,
                          struct error *err)
{
    const char *unit = words[quantity].example;
    while (*unit >= '0' && *unit <= '9') {
        unit++;
    }
    error_user(err, where, "%s needs a unit, and `%.60s` has none", words[quantity].noun, text);
    return error_hint(err, "write for example `%.30s%s`; the units are %s", text, unit,
                      words[quantity].unit_list);
}

static bool error_wrong_unit(enum units_quantity quantity, const char *text,
                             const struct place *where, struct error *err)
{
    struct number number = { 0 };
    units_read_number(text, &number);
    const struct unit *unit = units_find(&number);
    assert(unit != NULL);
    error_user(err, where, "`%.60s` is %s, and %s is needed here", text, words[unit->quantity].noun,
               words[quantity].noun);
    return hint_example(quantity, err);
}

static bool error_range(enum units_result result, enum units_quantity quantity, const char *text,
                        int64_t limit, const struct place *where, struct error *err)
{
    bool small = result == UNITS_TOO_SMALL;
    error_user(err, where, "`%.60s` is too %s", text, small ? "small" : "large");
    if (quantity == UNITS_PERCENT || quantity == UNITS_NUMBER) {
        return error_hint(err, "write at most %d digits before the point", UNITS_REAL_DIGITS_MAX);
    }
    if (quantity == UNITS_TIME && limit >= SIM_DURATION_MAX) {
        return error_hint(err, "write at most 26 days, `640h`");
    }
    char shown[UNITS_TEXT_BYTES];
    units_format_exact(quantity, limit, shown, sizeof(shown));
    return error_hint(err, "write at %s `%s`", small ? "least" : "most", shown);
}

bool units_error(enum units_result result, enum units_quantity quantity, const char *text,
                 int64_t min, int64_t max, const struct place *where, struct error *err)
{
    const char *noun = words[quantity].noun;
    switch (result) {
    case UNITS_OK:
        break;
    case UNITS_EMPTY:
        error_user(err, where, "%s is missing here", noun);
        return hint_example(quantity, err);
    case UNITS_MALFORMED:
        error_user(err, where, "`%.60s` is not %s", text, noun);
        return hint_example(quantity, err);
    case UNITS_EXPONENT:
        error_user(err, where, "`%.60s` has an exponent, which %s does not take", text, noun);
        return error_hint(err, "write the digits out, as in `%s`", words[quantity].example);
    case UNITS_NO_UNIT:
        return error_no_unit(quantity, text, where, err);
    case UNITS_WRONG_UNIT:
        return error_wrong_unit(quantity, text, where, err);
    case UNITS_UNKNOWN_UNIT:
        error_user(err, where, "`%.60s` is not %s: its unit is unknown", text, noun);
        return hint_example(quantity, err);
    case UNITS_NEGATIVE:
        error_user(err, where, "`%.60s` is negative, and %s cannot be", text, noun);
        return error_hint(err, "write it without the minus");
    case UNITS_TOO_FINE:
        error_user(err, where, "`%.60s` is finer than %s allows", text, noun);
        return error_hint(err, "the finest step is %s", words[quantity].finest);
    case UNITS_TOO_SMALL:
        return error_range(result, quantity, text, min, where, err);
    case UNITS_TOO_LARGE:
        return error_range(result, quantity, text, max, where, err);
    }
    assert(result != UNITS_OK);
    return false;
}

bool units_error_bool(const char *text, const struct place *where, struct error *err)
{
    error_user(err, where, "`%.60s` is neither true nor false", text);
    return error_hint(err, "write `true` or `false`");
}
