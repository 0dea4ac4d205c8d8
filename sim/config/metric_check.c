/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/metric_check.h"

#include <string.h>

#include "sim/config/suggest.h"

static bool fail(struct suggest *suggest, const struct metric *metric, const char *what,
                 const struct place *where, struct error *err)
{
    error_user(err, where, "`%.60s` of `%.80s` is not there", suggest->word, metric->text);
    return suggest_hint(suggest, what, err);
}

static const struct load *find_load(const struct engine *engine, const struct metric *metric,
                                    const struct place *where, struct error *err)
{
    if (metric->load == NULL && engine->load_count > 1) {
        error_user(err, where, "`%.80s` of which load?", metric->text);
        error_hint(err, "write `%.60s.%.80s`", engine->loads[0].stage->name, metric->text);
        return NULL;
    }
    struct suggest suggest;
    suggest_start(&suggest, metric->load == NULL ? "" : metric->load);
    for (unsigned i = 0; i < engine->load_count; i++) {
        const struct load *load = &engine->loads[i];
        if (metric->load == NULL || strcmp(load->stage->name, metric->load) == 0) {
            return load;
        }
        suggest_offer(&suggest, load->stage->name);
    }
    fail(&suggest, metric, "loads", where, err);
    return NULL;
}

static bool check_phases(struct arena *arena, const struct load *load, const struct metric *metric,
                         const struct place *where, struct error *err)
{
    for (size_t n = 0; n < metric->name_count; n++) {
        struct suggest suggest;
        suggest_start(&suggest, metric->names[n]);
        bool found = false;
        for (unsigned i = 0; i < load->phase_count && !found; i++) {
            const struct way_phase *phase = &load->phases[i];
            const char *name = arena_printf(arena, "%s:%s", phase->stage->name, phase->name);
            found = strcmp(name, metric->names[n]) == 0;
            suggest_offer(&suggest, name);
        }
        if (!found) {
            return fail(&suggest, metric, "phases", where, err);
        }
    }
    return true;
}

static bool check_cpu(const struct engine *engine, const struct metric *metric,
                      const struct place *where, struct error *err)
{
    struct suggest suggest;
    suggest_start(&suggest, metric->names[0]);
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        if (strcmp(cpu_name(engine->cpus[i]), metric->names[0]) == 0) {
            return true;
        }
        suggest_offer(&suggest, cpu_name(engine->cpus[i]));
    }
    return fail(&suggest, metric, "cpus", where, err);
}

static bool check_counter(struct arena *arena, const struct engine *engine,
                          const struct metric *metric, const struct place *where,
                          enum units_quantity *quantity, struct error *err)
{
    static const enum units_quantity quantities[] = {
        [REPORT_COUNT] = UNITS_RATE,
        [REPORT_LEVEL] = UNITS_NUMBER,
        [REPORT_TIME] = UNITS_PERCENT,
        [REPORT_SPAN] = UNITS_TIME,
    };
    struct report *report = arena_alloc(arena, sizeof(*report));
    engine_report(engine, report);
    struct suggest suggest;
    suggest_start(&suggest, arena_printf(arena, "%s.%s", metric->names[0], metric->names[1]));
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *entry = &report->entries[i];
        const char *name = arena_printf(arena, "%s.%s", entry->owner, entry->name);
        if (strcmp(name, suggest.word) == 0) {
            *quantity = quantities[entry->kind];
            return true;
        }
        suggest_offer(&suggest, name);
    }
    return fail(&suggest, metric, "counters", where, err);
}

bool metric_check(const struct engine *engine, const struct metric *metric,
                  const struct place *where, enum units_quantity *quantity, struct error *err)
{
    if (metric->kind == METRIC_COUNTER) {
        return check_counter(engine->arena, engine, metric, where, quantity, err);
    }
    if (metric->kind == METRIC_UTILISATION) {
        *quantity = UNITS_PERCENT;
        return check_cpu(engine, metric, where, err);
    }
    const struct load *load = find_load(engine, metric, where, err);
    if (load == NULL) {
        return false;
    }
    switch (metric->kind) {
    case METRIC_RATE:
        *quantity = UNITS_RATE;
        return true;
    case METRIC_DROPS:
    case METRIC_UNFINISHED:
        *quantity = UNITS_NUMBER;
        return true;
    case METRIC_SHARE:
        *quantity = UNITS_PERCENT;
        return check_phases(engine->arena, load, metric, where, err);
    case METRIC_PHASE:
        *quantity = UNITS_TIME;
        return check_phases(engine->arena, load, metric, where, err);
    default:
        *quantity = UNITS_TIME;
        return true;
    }
}
