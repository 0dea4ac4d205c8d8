/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/look.h"

#include <math.h>

#include "sim/config/until.h"
#include "sim/run/figure.h"
#include "sim/run/result_store.h"

static double share_of(const struct figure *figure)
{
    if (!figure->known || figure->interval != INTERVAL_BOTH) {
        return INFINITY;
    }
    double below = figure->value - figure->low;
    double above = figure->high - figure->value;
    double half = above > below ? above : below;
    return half > 0 ? half / figure->value : 0;
}

static void look_at_point(const struct result *result, size_t point, struct look *look)
{
    const struct experiment *experiment = result->experiment;
    for (size_t variant = 0; variant < experiment->variant_count; variant++) {
        struct arena *scratch = arena_create();
        struct series series = series_of(scratch, result, variant, point);
        struct figure figure = figure_of_series(scratch, &series, &experiment->until->metric);
        double share = share_of(&figure);
        arena_destroy(scratch);
        if (!(share <= look->share)) {
            *look = (struct look){ share <= experiment->until->within, share, variant, point };
        }
    }
}

bool look_is_due(const struct result *result)
{
    return result->experiment->until != NULL && result->finished == result->run_count;
}

bool look_at(struct result *result, struct look *look, struct error *err)
{
    struct look worst = { .reached = true };
    bool good = true;
    for (size_t point = 0; good && point < result->experiment->point_count; point++) {
        good = result_open_point(result, point, err);
        if (good) {
            look_at_point(result, point, &worst);
        }
    }
    result_close_point(result);
    if (good) {
        *look = worst;
    }
    return good;
}

bool look_at_store(struct result_store *store, int64_t repeats, struct look *look,
                   struct error *err)
{
    struct arena *arena = arena_create();
    struct experiment experiment = *store->experiment;
    experiment.repeats = repeats;
    struct result result = result_create(arena, &experiment);
    result.store = store;
    bool good = look_at(&result, look, err);
    arena_destroy(arena);
    return good;
}
