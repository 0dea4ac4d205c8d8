/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/result.h"

#include <string.h>

#include "sim/run/result_store.h"

struct result result_create(struct arena *arena, const struct experiment *experiment)
{
    size_t count =
        experiment->variant_count * experiment->point_count * (size_t)experiment->repeats;
    return (struct result){
        .experiment = experiment,
        .version = RINGTAIL_VERSION,
        .runs = arena_array(arena, count, sizeof(struct run_result *)),
        .run_count = count,
    };
}

size_t result_place(const struct experiment *experiment, struct run_key key)
{
    return (key.repeat * experiment->point_count + key.point) * experiment->variant_count +
           key.variant;
}

struct run_key result_key(const struct experiment *experiment, size_t place)
{
    size_t rest = place / experiment->variant_count;
    return (struct run_key){
        .variant = place % experiment->variant_count,
        .point = rest % experiment->point_count,
        .repeat = rest / experiment->point_count,
    };
}

void result_totals_add(struct result_totals *totals, const struct experiment *experiment,
                       const struct run_result *run)
{
    int variant = (int)run->key.variant;
    bool compared = experiment->compare_from >= 0 &&
                    (variant == experiment->compare_from || variant == experiment->compare_to);
    for (size_t i = 0; i < run->load_count; i++) {
        const struct load_result *load = &run->loads[i];
        totals->arrivals += load->arrivals;
        totals->cut += load->cut;
        totals->dropped += load->dropped;
        totals->has_empty_side = totals->has_empty_side || (compared && load->completed == 0);
    }
}

void result_add(struct result *result, const struct run_result *run)
{
    result->runs[result_place(result->experiment, run->key)] = run;
    result->finished++;
    result->first = result->first == NULL ? run : result->first;
    result_totals_add(&result->totals, result->experiment, run);
}

static void copy_load(struct arena *arena, const struct load *load, struct load_result *copy)
{
    const struct record *record = &load->record;
    *copy = (struct load_result){
        .name = arena_strdup(arena, load->stage->name),
        .phase_count = load->phase_count,
        .lat_phases = sparse_attribution_copy(arena, &record->lat_phases),
        .slowest_count = record->slowest_count,
        .early = record->early,
        .first_count = record->first_count,
        .first_sum = record->first_sum,
        .arrivals = record->arrivals,
        .completed = record->completed,
        .dropped = record->dropped,
        .failed = record->failed,
        .unfinished = record->unfinished,
        .travelling = record->travelling,
        .oldest = record->oldest,
        .cut = record->cut,
        .completed_in_window = record->completed_in_window,
        .dropped_in_window = record->dropped_in_window,
        .outstanding = record->outstanding,
    };
    copy->ends[METRIC_LAT] = sparse_histogram_copy(arena, &record->lat);
    copy->ends[METRIC_CLAT] = sparse_histogram_copy(arena, &record->clat);
    copy->ends[METRIC_DELIVERED] = copy->ends[METRIC_LAT];
    copy->delivered_phases = copy->lat_phases;
    copy->delivered_in_window = record->completed_in_window; /* as done, hence delivered */
    if (record->early) {
        copy->ends[METRIC_DELIVERED] = sparse_histogram_copy(arena, &record->delivered);
        copy->delivered_phases = sparse_attribution_copy(arena, &record->delivered_phases);
        copy->delivered_in_window = record->delivered_in_window;
    }
    for (unsigned i = 0; i < load->phase_count; i++) {
        copy->phases[i] =
            arena_printf(arena, "%s: %s", load->phases[i].stage->name, load->phases[i].name);
        copy->unfinished_phases[i] = record->unfinished_phases[i];
    }
    memcpy(copy->slowest, record->slowest, sizeof(copy->slowest));
}

static const struct load_result *copy_loads(struct arena *arena, const struct engine *engine)
{
    struct load_result *loads = arena_array(arena, engine->load_count, sizeof(*loads));
    for (unsigned i = 0; i < engine->load_count; i++) {
        copy_load(arena, &engine->loads[i], &loads[i]);
    }
    return loads;
}

static const struct report_entry *copy_counters(struct arena *arena, const struct report *report)
{
    struct report_entry *counters = arena_array(arena, report->count, sizeof(*counters));
    for (size_t i = 0; i < report->count; i++) {
        counters[i] = report->entries[i];
        counters[i].owner = arena_strdup(arena, counters[i].owner);
        counters[i].name = arena_strdup(arena, counters[i].name);
    }
    return counters;
}

static const struct cpu_result *copy_cpus(struct arena *arena, const struct engine *engine)
{
    struct cpu_result *cpus = arena_array(arena, engine->cpu_count, sizeof(*cpus));
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        cpus[i].name = arena_strdup(arena, cpu_name(engine->cpus[i]));
        cpus[i].threads = cpu_threads(engine->cpus[i]);
        memcpy(cpus[i].busy, engine->cpu_busy[i], sizeof(cpus[i].busy));
    }
    return cpus;
}

const struct run_result *run_result_copy(struct arena *arena, struct run_key key,
                                         const struct engine *engine)
{
    struct run_result *run = arena_alloc(arena, sizeof(*run));
    *run = (struct run_result){
        .key = key,
        .window = engine->window_end - engine->window_begin,
        .loads = copy_loads(arena, engine),
        .load_count = engine->load_count,
        .counters = copy_counters(arena, &engine->report),
        .counter_count = engine->report.count,
        .cpus = copy_cpus(arena, engine),
        .cpu_count = engine->cpu_count,
    };
    return run;
}

void result_close_point(struct result *result)
{
    if (result->point_arena == NULL) {
        return;
    }
    const struct experiment *experiment = result->experiment;
    struct run_key key = { .point = result->point };
    for (key.repeat = 0; key.repeat < (size_t)experiment->repeats; key.repeat++) {
        for (key.variant = 0; key.variant < experiment->variant_count; key.variant++) {
            result->runs[result_place(experiment, key)] = NULL;
        }
    }
    arena_destroy(result->point_arena);
    result->point_arena = NULL;
}

bool result_open_point(struct result *result, size_t point, struct error *err)
{
    if (result->store == NULL) {
        return true;
    }
    result_close_point(result);
    result->point_arena = arena_create();
    result->point = point;
    const struct experiment *experiment = result->experiment;
    struct run_key key = { .point = point };
    for (key.repeat = 0; key.repeat < (size_t)experiment->repeats; key.repeat++) {
        for (key.variant = 0; key.variant < experiment->variant_count; key.variant++) {
            if (result_store_has(result->store, key)) {
                const struct run_result *run =
                    result_store_load(result->store, result->point_arena, key, err);
                if (run == NULL) {
                    return false;
                }
                result->runs[result_place(experiment, key)] = run;
            }
        }
    }
    return true;
}
