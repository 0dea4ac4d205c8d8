/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/record_json.h"

#include <string.h>

#include "sim/run/sparse_json.h"

/* Counts of a load: one list for writing and for reading. */
static const struct count_field {
    const char *key;
    size_t offset;
} count_fields[] = {
    { "first_count", offsetof(struct load_result, first_count) },
    { "arrivals", offsetof(struct load_result, arrivals) },
    { "completed", offsetof(struct load_result, completed) },
    { "dropped", offsetof(struct load_result, dropped) },
    { "failed", offsetof(struct load_result, failed) },
    { "unfinished", offsetof(struct load_result, unfinished) },
    { "travelling", offsetof(struct load_result, travelling) },
    { "cut", offsetof(struct load_result, cut) },
    { "completed_in_window", offsetof(struct load_result, completed_in_window) },
    { "delivered_in_window", offsetof(struct load_result, delivered_in_window) },
    { "dropped_in_window", offsetof(struct load_result, dropped_in_window) },
};

static const char *const counter_kinds[] = {
    [REPORT_COUNT] = "count",
    [REPORT_LEVEL] = "level",
    [REPORT_TIME] = "time",
    [REPORT_SPAN] = "span",
};

static const char *const classes[CPU_CLASSES] = {
    [CPU_INTERRUPT] = "interrupt",
    [CPU_THREAD] = "thread",
    [CPU_IDLE] = "idle",
};

/* Larger than any sum of a run, and so small that sums of them do not overflow. */
static const sim_sum SUM_MAX = (sim_sum)INT64_MAX << 48;

/* ---- Writing. ---- */

static json_t *json_of_load(const struct load_result *load)
{
    json_t *json = json_object();
    json_object_set_new(json, "name", json_string(load->name));
    for (size_t i = 0; i < ARRAY_LENGTH(count_fields); i++) {
        uint64_t count;
        memcpy(&count, (const char *)load + count_fields[i].offset, sizeof(count));
        json_object_set_new(json, count_fields[i].key, field_json_of(count));
    }
    json_object_set_new(json, "first_sum", field_json_of(load->first_sum));
    json_object_set_new(json, "oldest", field_json_of(load->oldest));
    json_object_set_new(json, "outstanding", field_json_of(load->outstanding));
    json_t *phases = json_array();
    json_t *unfinished = json_array();
    for (unsigned i = 0; i < load->phase_count; i++) {
        json_array_append_new(phases, json_string(load->phases[i]));
        json_array_append_new(unfinished, field_json_of(load->unfinished_phases[i]));
    }
    json_object_set_new(json, "phases", phases);
    json_object_set_new(json, "unfinished_phases", unfinished);
    json_t *slowest = json_array();
    for (unsigned i = 0; i < load->slowest_count; i++) {
        json_array_append_new(slowest, field_json_of((sim_sum)load->slowest[i].number));
        json_array_append_new(slowest, field_json_of(load->slowest[i].latency));
    }
    json_object_set_new(json, "slowest", slowest);
    json_object_set_new(json, "lat", sparse_json_of_histogram(&load->ends[METRIC_LAT]));
    json_object_set_new(json, "clat", sparse_json_of_histogram(&load->ends[METRIC_CLAT]));
    json_object_set_new(json, "lat_phases", sparse_json_of_attribution(&load->lat_phases));
    if (load->early) {
        json_object_set_new(json, "delivered",
                            sparse_json_of_histogram(&load->ends[METRIC_DELIVERED]));
        json_object_set_new(json, "delivered_phases",
                            sparse_json_of_attribution(&load->delivered_phases));
    }
    return json;
}

static json_t *json_of_counter(const struct report_entry *entry)
{
    json_t *json = json_object();
    json_object_set_new(json, "owner", json_string(entry->owner));
    json_object_set_new(json, "name", json_string(entry->name));
    json_object_set_new(json, "kind", json_string(counter_kinds[entry->kind]));
    json_object_set_new(json, "value", field_json_of(entry->value));
    return json;
}

static json_t *json_of_cpu(const struct cpu_result *cpu)
{
    json_t *json = json_object();
    json_object_set_new(json, "name", json_string(cpu->name));
    json_object_set_new(json, "threads", field_json_of(cpu->threads));
    for (size_t i = 0; i < CPU_CLASSES; i++) {
        json_object_set_new(json, classes[i], field_json_of(cpu->busy[i]));
    }
    return json;
}

json_t *record_json_of_run(const struct experiment *experiment, const struct run_result *run)
{
    json_t *json = json_object();
    json_object_set_new(json, "variant", json_string(experiment->variants[run->key.variant].name));
    json_object_set_new(json, "point", field_json_of((sim_sum)run->key.point));
    json_object_set_new(json, "repeat", field_json_of((sim_sum)run->key.repeat));
    json_object_set_new(json, "window", field_json_of(run->window));
    json_t *loads = json_array();
    for (size_t i = 0; i < run->load_count; i++) {
        json_array_append_new(loads, json_of_load(&run->loads[i]));
    }
    json_object_set_new(json, "loads", loads);
    json_t *counters = json_array();
    for (size_t i = 0; i < run->counter_count; i++) {
        json_array_append_new(counters, json_of_counter(&run->counters[i]));
    }
    json_object_set_new(json, "counters", counters);
    json_t *cpus = json_array();
    for (size_t i = 0; i < run->cpu_count; i++) {
        json_array_append_new(cpus, json_of_cpu(&run->cpus[i]));
    }
    json_object_set_new(json, "cpus", cpus);
    return json;
}

/* ---- Reading. ---- */

static bool read_phases(const struct field_reader *reader, const json_t *json,
                        struct load_result *load)
{
    const json_t *phases = field_array(reader, json, "phases");
    const json_t *unfinished =
        phases == NULL ? NULL : field_array(reader, json, "unfinished_phases");
    if (unfinished == NULL) {
        return false;
    }
    size_t count = json_array_size(phases);
    if (count < 1 || count > WAY_PHASES_MAX || json_array_size(unfinished) != count) {
        return field_error(reader, "the number of phases is wrong");
    }
    load->phase_count = (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(phases, i));
        sim_sum *sum = &load->unfinished_phases[i];
        if (name == NULL || !field_of_json(json_array_get(unfinished, i), sum) || *sum < 0 ||
            *sum > SUM_MAX) {
            return field_error(reader, "a phase is wrong");
        }
        load->phases[i] = arena_strdup(reader->arena, name);
    }
    return true;
}

static bool read_slowest(const struct field_reader *reader, const json_t *json,
                         struct load_result *load)
{
    const json_t *slowest = field_array(reader, json, "slowest");
    if (slowest == NULL) {
        return false;
    }
    size_t count = json_array_size(slowest) / 2;
    bool good = json_array_size(slowest) % 2 == 0 && count <= RECORD_SLOWEST;
    load->slowest_count = good ? (unsigned)count : 0;
    for (size_t i = 0; good && i < count; i++) {
        sim_sum number = 0;
        sim_sum latency = 0;
        good = field_of_json(json_array_get(slowest, 2 * i), &number) &&
               field_of_json(json_array_get(slowest, 2 * i + 1), &latency) && number >= 0 &&
               number <= INT64_MAX && latency >= 0 && latency <= INT64_MAX &&
               (i == 0 || latency <= load->slowest[i - 1].latency);
        load->slowest[i] = (struct slow_request){ (sim_time)latency, (uint64_t)number };
    }
    return good || field_error(reader, "`slowest` is wrong");
}

/* The identities that the engine asserts. */
static bool check_load(const struct field_reader *reader, const struct load_result *load)
{
    const struct sparse_histogram *lat = &load->ends[METRIC_LAT];
    if (load->arrivals != load->completed + load->unfinished) {
        return field_error(reader, "`arrivals` of `%s` are not completed and unfinished",
                           load->name);
    }
    if (lat->count > load->completed || load->ends[METRIC_CLAT].count != lat->count) {
        return field_error(reader, "`completed` of `%s` does not add up", load->name);
    }
    if (load->first_count > lat->count || load->first_sum > lat->sum) {
        return field_error(reader, "`first_count` of `%s` does not add up", load->name);
    }
    uint64_t listed = lat->count < RECORD_SLOWEST ? lat->count : RECORD_SLOWEST;
    if (load->slowest_count != listed || (listed > 0 && load->slowest[0].latency != lat->max)) {
        return field_error(reader, "`slowest` of `%s` does not fit", load->name);
    }
    return true;
}

static bool read_end(const struct field_reader *reader, const json_t *json, const char *end,
                     const char *phases, unsigned phase_count, struct sparse_histogram *histogram,
                     struct sparse_attribution *attribution)
{
    const json_t *object = field_object(reader, json, end);
    const json_t *table = object == NULL ? NULL : field_object(reader, json, phases);
    return table != NULL && sparse_json_histogram(reader, object, end, histogram) &&
           sparse_json_attribution(reader, table, end, phase_count, histogram, attribution);
}

static bool read_ends(const struct field_reader *reader, const json_t *json,
                      struct load_result *load)
{
    const json_t *clat = field_object(reader, json, "clat");
    if (clat == NULL || !sparse_json_histogram(reader, clat, "clat", &load->ends[METRIC_CLAT]) ||
        !read_end(reader, json, "lat", "lat_phases", load->phase_count, &load->ends[METRIC_LAT],
                  &load->lat_phases)) {
        return false;
    }
    load->early = json_object_get(json, "delivered") != NULL;
    load->ends[METRIC_DELIVERED] = load->ends[METRIC_LAT];
    load->delivered_phases = load->lat_phases;
    return !load->early ||
           read_end(reader, json, "delivered", "delivered_phases", load->phase_count,
                    &load->ends[METRIC_DELIVERED], &load->delivered_phases);
}

static bool read_load(const struct field_reader *reader, const json_t *json,
                      struct load_result *load)
{
    load->name = field_text(reader, json, "name");
    for (size_t i = 0; load->name != NULL && i < ARRAY_LENGTH(count_fields); i++) {
        uint64_t count = 0;
        if (!field_count(reader, json, count_fields[i].key, &count)) {
            return false;
        }
        memcpy((char *)load + count_fields[i].offset, &count, sizeof(count));
    }
    return load->name != NULL &&
           field_sum(reader, json, "first_sum", 0, SUM_MAX, &load->first_sum) &&
           field_time(reader, json, "oldest", &load->oldest) &&
           field_sum(reader, json, "outstanding", 0, SUM_MAX, &load->outstanding) &&
           read_phases(reader, json, load) && read_slowest(reader, json, load) &&
           read_ends(reader, json, load) && check_load(reader, load);
}

static bool read_counter(const struct field_reader *reader, const json_t *json,
                         struct report_entry *entry)
{
    sim_sum value = 0;
    entry->owner = field_text(reader, json, "owner");
    entry->name = entry->owner == NULL ? NULL : field_text(reader, json, "name");
    const char *kind = entry->name == NULL ? NULL : field_text(reader, json, "kind");
    if (kind == NULL || !field_sum(reader, json, "value", INT64_MIN, INT64_MAX, &value)) {
        return false;
    }
    entry->value = (int64_t)value;
    for (size_t i = 0; i < ARRAY_LENGTH(counter_kinds); i++) {
        if (strcmp(counter_kinds[i], kind) == 0) {
            entry->kind = (enum report_kind)i;
            return true;
        }
    }
    return field_error(reader, "a counter of the kind `%.40s`", kind);
}

static bool read_cpu(const struct field_reader *reader, const json_t *json, struct cpu_result *cpu)
{
    sim_sum threads = 0;
    cpu->name = field_text(reader, json, "name");
    if (cpu->name == NULL || !field_sum(reader, json, "threads", 1, INT32_MAX, &threads)) {
        return false;
    }
    cpu->threads = (int64_t)threads;
    for (size_t i = 0; i < CPU_CLASSES; i++) {
        if (!field_sum(reader, json, classes[i], 0, SUM_MAX, &cpu->busy[i])) {
            return false;
        }
    }
    return true;
}

static bool read_key(const struct field_reader *reader, const struct experiment *experiment,
                     const json_t *json, struct run_result *run)
{
    sim_sum point = 0;
    sim_sum repeat = 0;
    sim_sum window = 0;
    const char *variant = field_text(reader, json, "variant");
    if (variant == NULL ||
        !field_sum(reader, json, "point", 0, (sim_sum)experiment->point_count - 1, &point) ||
        !field_sum(reader, json, "repeat", 0, EXPERIMENT_REPEATS_MAX - 1, &repeat) ||
        !field_sum(reader, json, "window", 1, SIM_DURATION_MAX, &window)) {
        return false;
    }
    run->window = (sim_time)window;
    for (size_t i = 0; i < experiment->variant_count; i++) {
        if (strcmp(experiment->variants[i].name, variant) == 0) {
            run->key = (struct run_key){ i, (size_t)point, (size_t)repeat };
            return true;
        }
    }
    return field_error(reader, "there is no variant `%.60s`", variant);
}

static bool read_loads(const struct field_reader *reader, const json_t *json,
                       struct run_result *run)
{
    const json_t *list = field_array(reader, json, "loads");
    size_t count = json_array_size(list);
    if (list == NULL || count < 1 || count > ENGINE_LOADS_MAX) {
        return list != NULL && field_error(reader, "the number of loads is wrong");
    }
    struct load_result *loads = arena_array(reader->arena, count, sizeof(*loads));
    run->loads = loads;
    run->load_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!read_load(reader, json_array_get(list, i), &loads[i])) {
            return false;
        }
    }
    return true;
}

static bool read_costs(const struct field_reader *reader, const json_t *json,
                       struct run_result *run)
{
    const json_t *counter_list = field_array(reader, json, "counters");
    const json_t *cpu_list = counter_list == NULL ? NULL : field_array(reader, json, "cpus");
    size_t counter_count = json_array_size(counter_list);
    size_t cpu_count = json_array_size(cpu_list);
    if (cpu_list == NULL || counter_count > REPORT_ENTRIES_MAX || cpu_count > ENGINE_CPUS_MAX) {
        return cpu_list != NULL && field_error(reader, "too many counters or cpus");
    }
    struct report_entry *counters = arena_array(reader->arena, counter_count, sizeof(*counters));
    struct cpu_result *cpus = arena_array(reader->arena, cpu_count, sizeof(*cpus));
    run->counters = counters;
    run->counter_count = counter_count;
    run->cpus = cpus;
    run->cpu_count = cpu_count;
    for (size_t i = 0; i < counter_count; i++) {
        if (!read_counter(reader, json_array_get(counter_list, i), &counters[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < cpu_count; i++) {
        if (!read_cpu(reader, json_array_get(cpu_list, i), &cpus[i])) {
            return false;
        }
    }
    return true;
}

const struct run_result *record_json_run(const struct field_reader *reader,
                                         const struct experiment *experiment, const json_t *json)
{
    struct run_result *run = arena_alloc(reader->arena, sizeof(*run));
    bool good = read_key(reader, experiment, json, run) && read_loads(reader, json, run) &&
                read_costs(reader, json, run);
    return good ? run : NULL;
}
