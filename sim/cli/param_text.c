/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/param_text.h"

#include <stdio.h>

#include "sim/base/units.h"
#include "sim/config/parameters.h"
#include "sim/engine/stack.h"

/* How a kind is written, and the widest range that its parameters have: not worth printing. */
struct kind {
    const char *name;
    enum units_quantity quantity;
    int64_t max; /* 0: no quantity */
};

static const struct kind kinds[] = {
    [PARAM_KIND_COUNT] = { "count", UNITS_COUNT, INT64_C(1000000000) },
    [PARAM_KIND_RATIO] = { "decimal number", UNITS_RATIO, INT64_C(1000000000000) },
    [PARAM_KIND_BOOL] = { "true or false", UNITS_COUNT, 0 },
    [PARAM_KIND_TIME] = { "time", UNITS_TIME, SIM_DURATION_MAX },
    [PARAM_KIND_SIZE] = { "size", UNITS_SIZE, INT64_C(1) << 40 },
    [PARAM_KIND_RATE] = { "rate", UNITS_RATE, INT64_C(1000000000000000) },
    [PARAM_KIND_BIT_RATE] = { "bit rate", UNITS_BIT_RATE, INT64_C(1000000000000000) },
    [PARAM_KIND_DISTRIBUTION] = { "time or distribution", UNITS_TIME, SIM_DURATION_MAX },
    [PARAM_KIND_CHOICE] = { "one of", UNITS_COUNT, 0 },
    [PARAM_KIND_POLICY] = { "policy", UNITS_COUNT, 0 },
    [PARAM_KIND_CPU] = { "cpu", UNITS_COUNT, 0 },
};

const char *param_text_kind(const struct param *param)
{
    return kinds[param->kind].name;
}

void param_text_range(const struct param *param, char *text)
{
    const struct kind *kind = &kinds[param->kind];
    char min[UNITS_TEXT_BYTES];
    char max[UNITS_TEXT_BYTES];
    text[0] = '\0';
    if (kind->max == 0) {
        return;
    }
    units_format_exact(kind->quantity, param->min, min, sizeof(min));
    units_format_exact(kind->quantity, param->max, max, sizeof(max));
    if (param->max < kind->max) {
        snprintf(text, PARAM_TEXT_BYTES, "%s to %s", min, max);
    } else if (param->min > 0) {
        snprintf(text, PARAM_TEXT_BYTES, "at least %s", min);
    }
}

void param_text_default(const struct param *param, char *text)
{
    text[0] = '\0';
    if (param->preset_doc != NULL) {
        snprintf(text, PARAM_TEXT_BYTES, "%s", param->preset_doc);
    } else if (!param->required) {
        parameter_preset(param, PARAM_TEXT_BYTES, text);
    }
}

/* A stage on its own, which has counted nothing. */
void param_text_counters(const struct model *model, struct report *report)
{
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, 0, 0);
    const struct stage *stage = stack_add_stage(engine, model->name, model);
    report->count = 0;
    report->owner = model->name;
    if (model->report != NULL) {
        model->report(stage, report);
    }
    arena_destroy(arena);
}
