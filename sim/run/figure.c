/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/figure.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- One run. ---- */

const struct load_result *run_result_load(const struct run_result *run, const char *name)
{
    if (name == NULL) {
        return run->load_count == 1 ? &run->loads[0] : NULL;
    }
    for (size_t i = 0; i < run->load_count; i++) {
        if (strcmp(run->loads[i].name, name) == 0) {
            return &run->loads[i];
        }
    }
    return NULL;
}

static double seconds(sim_time time)
{
    return (double)time / (double)SIM_S;
}

static double per_second(uint64_t count, const struct run_result *run)
{
    return (double)count / seconds(run->window);
}

static bool rate_of(const struct run_result *run, const struct load_result *load,
                    enum metric_end end, double *value)
{
    *value = per_second(
        end == METRIC_DELIVERED ? load->delivered_in_window : load->completed_in_window, run);
    return true;
}

static const struct sparse_attribution *phases_of(const struct load_result *load,
                                                  enum metric_end end)
{
    return end == METRIC_DELIVERED ? &load->delivered_phases : &load->lat_phases;
}

/* `STAGE:PHASE` as metrics name it, `STAGE: PHASE` as results do. */
static bool is_phase(const char *phase, const char *name)
{
    size_t stage = strcspn(name, ":");
    return strncmp(phase, name, stage) == 0 && phase[stage] == ':' && name[stage] == ':' &&
           strcmp(phase + stage + 2, name + stage + 1 + strspn(name + stage + 1, " ")) == 0;
}

static bool phases_mean(const struct load_result *load, const struct metric *metric, double *value)
{
    sim_sum spent[WAY_PHASES_MAX] = { 0 };
    uint64_t count =
        sparse_attribution_add_band(phases_of(load, metric->end), -1, SIM_NEVER, spent);
    sim_sum sum = 0;
    for (size_t i = 0; i < metric->name_count; i++) {
        bool found = false;
        for (unsigned phase = 0; phase < load->phase_count; phase++) {
            if (is_phase(load->phases[phase], metric->names[i])) {
                sum += spent[phase];
                found = true;
            }
        }
        if (!found) {
            return false;
        }
    }
    *value = count == 0 ? 0 : (double)sum / (double)count;
    return count > 0;
}

static const struct report_entry *find_counter(const struct run_result *run,
                                               const struct metric *metric)
{
    assert(metric->name_count == 2);
    for (size_t i = 0; i < run->counter_count; i++) {
        const struct report_entry *entry = &run->counters[i];
        if (strcmp(entry->owner, metric->names[0]) == 0 &&
            strcmp(entry->name, metric->names[1]) == 0) {
            return entry;
        }
    }
    return NULL;
}

static bool counter_of(const struct run_result *run, const struct metric *metric, double *value)
{
    const struct report_entry *entry = find_counter(run, metric);
    if (entry == NULL) {
        return false;
    }
    double divisors[] = {
        [REPORT_COUNT] = seconds(run->window),
        [REPORT_LEVEL] = 1,
        [REPORT_TIME] = (double)run->window,
        [REPORT_SPAN] = 1,
    };
    *value = (double)entry->value / divisors[entry->kind];
    return true;
}

enum metric_kind figure_shown_as(const struct run_result *run, const struct metric *metric)
{
    static const enum metric_kind kinds[] = {
        [REPORT_COUNT] = METRIC_COUNTER,
        [REPORT_LEVEL] = METRIC_UNFINISHED,
        [REPORT_TIME] = METRIC_UTILISATION,
        [REPORT_SPAN] = METRIC_MAX,
    };
    const struct report_entry *entry =
        run != NULL && metric->kind == METRIC_COUNTER ? find_counter(run, metric) : NULL;
    return entry == NULL ? metric->kind : kinds[entry->kind];
}

static bool utilisation_of(const struct run_result *run, const char *name, double *value)
{
    for (size_t i = 0; i < run->cpu_count; i++) {
        const struct cpu_result *cpu = &run->cpus[i];
        if (strcmp(cpu->name, name) == 0) {
            sim_sum busy = 0;
            for (unsigned class = 0; class < CPU_CLASSES; class ++) {
                busy += cpu->busy[class];
            }
            *value = (double)busy / ((double)cpu->threads * (double)run->window);
            return true;
        }
    }
    return false;
}

/* A metric of the requests that reached an end. */
static bool latency_of(const struct load_result *load, const struct metric *metric, double *value)
{
    const struct sparse_histogram *histogram = &load->ends[metric->end];
    if (histogram->count == 0) {
        return false;
    }
    if (metric->kind == METRIC_MEAN) {
        *value = (double)histogram->sum / (double)histogram->count;
    } else if (metric->kind == METRIC_MAX) {
        *value = (double)histogram->max;
    } else {
        *value = (double)sparse_histogram_quantile(histogram, metric->quantile);
    }
    return true;
}

static bool share_of(const struct load_result *load, const struct metric *metric, double *value)
{
    const struct sparse_histogram *histogram = &load->ends[metric->end];
    double mean = 0;
    if (histogram->sum == 0 || !phases_mean(load, metric, &mean)) {
        return false;
    }
    *value = mean * (double)histogram->count / (double)histogram->sum;
    return true;
}

bool figure_of_run(const struct run_result *run, const struct metric *metric, double *value)
{
    if (metric->kind == METRIC_COUNTER) {
        return counter_of(run, metric, value);
    }
    if (metric->kind == METRIC_UTILISATION) {
        return utilisation_of(run, metric->names[0], value);
    }
    const struct load_result *load = run_result_load(run, metric->load);
    if (load == NULL) {
        return false;
    }
    switch (metric->kind) {
    case METRIC_RATE:
        return rate_of(run, load, metric->end, value);
    case METRIC_DROPS:
        *value = (double)load->dropped;
        return true;
    case METRIC_UNFINISHED:
        *value = (double)load->unfinished;
        return true;
    case METRIC_PHASE:
        return phases_mean(load, metric, value);
    case METRIC_SHARE:
        return share_of(load, metric, value);
    default:
        return latency_of(load, metric, value);
    }
}

/* ---- Repeats. ---- */

struct series series_of(struct arena *arena, const struct result *result, size_t variant,
                        size_t point)
{
    size_t repeats = (size_t)result->experiment->repeats;
    const struct run_result **runs = arena_array(arena, repeats, sizeof(*runs));
    size_t count = 0;
    for (size_t repeat = 0; repeat < repeats; repeat++) {
        struct run_key key = { .variant = variant, .point = point, .repeat = repeat };
        const struct run_result *run = result->runs[result_place(result->experiment, key)];
        if (run != NULL) {
            runs[count++] = run;
        }
    }
    return (struct series){ runs, count };
}

struct histogram figure_pool(struct arena *arena, const struct series *series, const char *load,
                             enum metric_end end)
{
    struct histogram pooled;
    histogram_init(&pooled, arena);
    for (size_t i = 0; i < series->count; i++) {
        const struct load_result *one = run_result_load(series->runs[i], load);
        if (one != NULL) {
            sparse_histogram_merge(&pooled, &one->ends[end]);
        }
    }
    return pooled;
}

static struct unfinished unfinished_of(const struct series *series, const char *name)
{
    struct unfinished unfinished = { 0 };
    for (size_t i = 0; i < series->count; i++) {
        const struct load_result *load = run_result_load(series->runs[i], name);
        unfinished.count += load->unfinished;
        for (unsigned phase = 0; phase < load->phase_count; phase++) {
            unfinished.ages += load->unfinished_phases[phase];
        }
    }
    return unfinished;
}

static struct figure percentile_of(struct arena *arena, const struct series *series,
                                   const struct metric *metric)
{
    struct histogram pooled = figure_pool(arena, series, metric->load, metric->end);
    if (pooled.count == 0) {
        return (struct figure){ .known = false };
    }
    const struct sparse_histogram **repeats = arena_array(arena, series->count, sizeof(*repeats));
    for (size_t i = 0; i < series->count; i++) {
        repeats[i] = &run_result_load(series->runs[i], metric->load)->ends[metric->end];
    }
    struct unfinished unfinished = unfinished_of(series, metric->load);
    struct percentile percentile =
        statistics_percentile(repeats, series->count, &pooled, unfinished, metric->quantile);
    return (struct figure){
        .known = true,
        .value = (double)percentile.value,
        .interval = percentile.interval,
        .low = (double)percentile.low,
        .high = (double)percentile.high,
        .few = percentile.few,
        .at_least = percentile.at_least,
        .raised = percentile.raised == SIM_NEVER ? INFINITY : (double)percentile.raised,
    };
}

/* The mean of all requests: longer repeats weigh more. Requests that did not finish would raise it
 * at least to what their ages make of it. */
static struct figure mean_of(const struct series *series, const struct metric *metric, double half)
{
    struct unfinished unfinished = unfinished_of(series, metric->load);
    sim_sum sum = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct load_result *load = run_result_load(series->runs[i], metric->load);
        sum += load->ends[metric->end].sum;
        count += load->ends[metric->end].count;
    }
    double mean = (double)sum / (double)count;
    double raised = (double)(sum + unfinished.ages) / (double)(count + unfinished.count);
    bool at_least =
        raised > mean * (1 + STATISTICS_RATIO_TINY) && (series->count == 1 || raised > mean + half);
    return (struct figure){
        .known = true,
        .value = mean,
        .interval = series->count > 1 ? INTERVAL_BOTH : INTERVAL_NONE,
        .low = mean - half,
        .high = mean + half,
        .at_least = at_least,
        .raised = at_least ? INFINITY : mean, /* ages are not the latencies yet */
        .likely = mean + 2 * (raised - mean),
    };
}

static double joined(const double *values, size_t count, enum metric_kind kind)
{
    double sum = 0;
    double max = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        max = values[i] > max ? values[i] : max;
    }
    if (kind == METRIC_MAX) {
        return max;
    }
    return kind == METRIC_DROPS || kind == METRIC_UNFINISHED ? sum : sum / (double)count;
}

struct figure figure_of_series(struct arena *arena, const struct series *series,
                               const struct metric *metric)
{
    if (metric->kind == METRIC_PERCENTILE) {
        return percentile_of(arena, series, metric);
    }
    double *values = arena_array(arena, series->count, sizeof(*values));
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        count += figure_of_run(series->runs[i], metric, &values[count]);
    }
    struct figure figure = { .known = count > 0 };
    if (count == 0) {
        return figure;
    }
    double half = statistics_spread(values, count).half;
    if (metric->kind == METRIC_MEAN) {
        return mean_of(series, metric, half);
    }
    figure.value = joined(values, count, metric->kind);
    bool is_total = metric->kind == METRIC_MAX || metric->kind == METRIC_DROPS ||
                    metric->kind == METRIC_UNFINISHED;
    if (count > 1 && !is_total) {
        figure.interval = INTERVAL_BOTH;
        figure.low = figure.value - half;
        figure.high = figure.value + half;
    }
    return figure;
}

/* ---- Two variants. ---- */

/* Whether the figures themselves allow the verdict. */
static bool is_firm(struct arena *arena, const struct series *before, const struct series *after,
                    const struct metric *metric, enum verdict verdict)
{
    struct figure a = figure_of_series(arena, before, metric);
    struct figure b = figure_of_series(arena, after, metric);
    bool overturned = (verdict == VERDICT_LOWER && b.at_least && b.raised >= a.value) ||
                      (verdict == VERDICT_HIGHER && a.at_least && a.raised >= b.value);
    bool tails = a.interval == INTERVAL_BOTH && b.interval == INTERVAL_BOTH;
    return !overturned && (tails || metric->kind != METRIC_PERCENTILE);
}

struct comparison figure_compare(struct arena *arena, const struct result *result, size_t point,
                                 size_t from, size_t to, const struct metric *metric)
{
    struct series before = series_of(arena, result, from, point);
    struct series after = series_of(arena, result, to, point);
    double *values_before = arena_array(arena, before.count, sizeof(double));
    double *values_after = arena_array(arena, before.count, sizeof(double));
    size_t count = 0;
    for (size_t i = 0, j = 0; i < before.count; i++) {
        while (j < after.count && after.runs[j]->key.repeat < before.runs[i]->key.repeat) {
            j++;
        }
        if (j < after.count && after.runs[j]->key.repeat == before.runs[i]->key.repeat) {
            count += figure_of_run(before.runs[i], metric, &values_before[count]) &&
                     figure_of_run(after.runs[j], metric, &values_after[count]);
        }
    }
    if (count == 0) {
        return (struct comparison){ .verdict = VERDICT_NONE };
    }
    struct comparison comparison = statistics_compare(values_before, values_after, count);
    bool differs = comparison.low != 1 || comparison.high != 1;
    if (comparison.verdict != VERDICT_NONE && differs &&
        !is_firm(arena, &before, &after, metric, comparison.verdict)) {
        comparison.verdict = VERDICT_UNCLEAR;
    }
    return comparison;
}

struct drift figure_drift(struct arena *arena, const struct series *series, const char *load)
{
    double *first = arena_array(arena, series->count, sizeof(*first));
    double *rest = arena_array(arena, series->count, sizeof(*rest));
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct load_result *one = run_result_load(series->runs[i], load);
        const struct sparse_histogram *lat = &one->ends[METRIC_LAT];
        if (one->first_count > 0 && lat->count > one->first_count) {
            first[count] = (double)one->first_sum / (double)one->first_count;
            rest[count++] =
                (double)(lat->sum - one->first_sum) / (double)(lat->count - one->first_count);
        }
    }
    return statistics_drift(first, rest, count);
}

bool figure_is_growing(struct arena *arena, const struct series *series, const char *load)
{
    struct growth *repeats = arena_array(arena, series->count, sizeof(*repeats));
    for (size_t i = 0; i < series->count; i++) {
        const struct run_result *run = series->runs[i];
        const struct load_result *one = run_result_load(run, load);
        repeats[i] = (struct growth){
            .arrivals = one->arrivals,
            .completed = one->completed_in_window,
            .outstanding = (double)one->outstanding / (double)run->window,
        };
    }
    return series->count > 0 && statistics_is_growing(repeats, series->count);
}
