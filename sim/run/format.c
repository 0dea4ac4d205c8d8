/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/format.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/units.h"

static const char *format_units(struct arena *arena, enum units_quantity quantity, double value)
{
    char text[UNITS_TEXT_BYTES];
    assert(fabs(value) < 9e18);
    units_format_figures(quantity, (int64_t)(value + (value < 0 ? -0.5 : 0.5)), text, sizeof(text));
    return arena_strdup(arena, text);
}

const char *format_value(struct arena *arena, enum metric_kind kind, double value)
{
    switch (kind) {
    case METRIC_RATE:
    case METRIC_COUNTER: { /* thousandths; below one in a second the figures would be exact ones */
        double thousandths = value * 1000;
        return value < 1 ? arena_printf(arena, "%.3g/s", value)
                         : format_units(arena, UNITS_RATE, thousandths);
    }
    case METRIC_MEAN:
    case METRIC_PERCENTILE:
    case METRIC_MAX:
    case METRIC_PHASE:
        return format_units(arena, UNITS_TIME, value);
    case METRIC_UTILISATION:
    case METRIC_SHARE:
        return arena_printf(arena, "%.1f %%", value * 100);
    default:
        return arena_printf(arena, "%.0f", value);
    }
}

static const char *unit_of(const char *text)
{
    return text + strspn(text, "-0123456789.");
}

/* The text without its unit when that is the reader's already. */
static const char *without_unit(struct arena *arena, const char *text, const char *unit)
{
    const char *own = unit_of(text);
    return strcmp(own, unit) == 0 ? arena_strndup(arena, text, (size_t)(own - text)) : text;
}

const char *format_interval(struct arena *arena, enum metric_kind kind, const struct figure *figure)
{
    if (!figure->known || figure->interval == INTERVAL_NONE) {
        return "";
    }
    const char *unit = unit_of(format_value(arena, kind, figure->value));
    const char *low = without_unit(arena, format_value(arena, kind, figure->low), unit);
    if (figure->interval == INTERVAL_OPEN) {
        return arena_printf(arena, "[> %s]", low);
    }
    const char *high = without_unit(arena, format_value(arena, kind, figure->high), unit);
    return arena_printf(arena, "[%s, %s]", low, high);
}

const char *format_error(struct arena *arena, double value, double reference)
{
    if (reference == 0) {
        return "";
    }
    double percent = 100 * (value / reference - 1);
    return arena_printf(arena, "%+.*f %%", fabs(percent) < 999.95 ? 1 : 0, percent);
}

const char *format_ratio(struct arena *arena, const struct comparison *comparison)
{
    if (comparison->verdict == VERDICT_NONE) {
        return "";
    }
    if (comparison->verdict == VERDICT_SAME) {
        return "same";
    }
    double ratio = comparison->ratio < 1 ? 1 / comparison->ratio : comparison->ratio;
    int decimals = ratio < 1.995 ? 2 : ratio < 9.95 ? 1 : 0;
    return arena_printf(arena, "%.*fx", decimals, ratio);
}

const char *format_direction(const struct comparison *comparison, enum metric_kind kind)
{
    bool is_latency = kind == METRIC_MEAN || kind == METRIC_PERCENTILE || kind == METRIC_MAX ||
                      kind == METRIC_PHASE;
    switch (comparison->verdict) {
    case VERDICT_LOWER:
        return is_latency ? "faster" : "lower";
    case VERDICT_HIGHER:
        return is_latency ? "slower" : "higher";
    case VERDICT_UNCLEAR:
        return "unclear";
    default:
        return "";
    }
}
