/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/sparse_json.h"

/* ---- Writing. ---- */

static void append_zeros(json_t *list, uint64_t count)
{
    if (count > 0) {
        json_array_append_new(list, field_json_of(-(sim_sum)count));
    }
}

static json_t *json_of_buckets(const uint32_t *buckets, const uint64_t *counts, size_t count)
{
    json_t *list = json_array();
    uint32_t next = count > 0 ? buckets[0] : 0;
    if (count > 0) {
        json_array_append_new(list, json_integer(next));
    }
    for (size_t i = 0; i < count; i++) {
        append_zeros(list, buckets[i] - next);
        json_array_append_new(list, field_json_of(counts[i]));
        next = buckets[i] + 1;
    }
    return list;
}

json_t *sparse_json_of_histogram(const struct sparse_histogram *histogram)
{
    json_t *json = json_object();
    json_object_set_new(json, "count", field_json_of(histogram->count));
    if (histogram->count > 0) {
        json_object_set_new(json, "sum", field_json_of(histogram->sum));
        json_object_set_new(json, "min", field_json_of(histogram->min));
        json_object_set_new(json, "max", field_json_of(histogram->max));
        json_object_set_new(
            json, "buckets",
            json_of_buckets(histogram->buckets, histogram->counts, histogram->bucket_count));
    }
    return json;
}

static json_t *json_of_phase(const struct sparse_attribution *attribution, unsigned phase)
{
    json_t *list = json_array();
    uint64_t zeros = 0;
    for (size_t i = 0; i < attribution->bucket_count; i++) {
        sim_sum spent = attribution->spent[i * attribution->phase_count + phase];
        if (spent == 0) {
            zeros++;
            continue;
        }
        append_zeros(list, zeros);
        zeros = 0;
        json_array_append_new(list, field_json_of(spent));
    }
    append_zeros(list, zeros);
    return list;
}

json_t *sparse_json_of_attribution(const struct sparse_attribution *attribution)
{
    json_t *json = json_object();
    json_object_set_new(
        json, "buckets",
        json_of_buckets(attribution->buckets, attribution->counts, attribution->bucket_count));
    json_t *spent = json_array();
    for (unsigned phase = 0; phase < attribution->phase_count; phase++) {
        json_array_append_new(spent, json_of_phase(attribution, phase));
    }
    json_object_set_new(json, "spent", spent);
    return json;
}

/* ---- Reading. ---- */

/* The touched buckets of a list. */
struct bucket_list {
    size_t count;
    uint32_t *buckets;
    uint64_t *counts;
    sim_sum total;
};

/* Reads a list of buckets below `end`. */
static bool read_buckets(const struct field_reader *reader, const json_t *list, const char *name,
                         uint32_t end, struct bucket_list *read)
{
    size_t size = json_array_size(list);
    sim_sum next = 0;
    bool good = size == 0 || field_of_json(json_array_get(list, 0), &next);
    good = good && next >= 0;
    read->buckets = arena_array(reader->arena, size, sizeof(*read->buckets));
    read->counts = arena_array(reader->arena, size, sizeof(*read->counts));
    for (size_t i = 1; good && i < size; i++) {
        sim_sum value = 0;
        good = field_of_json(json_array_get(list, i), &value) && value != 0 && value <= INT64_MAX;
        if (good && value < 0) {
            next += -value;
            continue;
        }
        good = good && next < end;
        if (good) {
            read->buckets[read->count] = (uint32_t)next++;
            read->counts[read->count++] = (uint64_t)value;
            read->total += value;
        }
    }
    return good || field_error(reader, "the buckets of `%s` are wrong", name);
}

static bool fits_buckets(const struct sparse_histogram *histogram, const struct bucket_list *read)
{
    return read->count > 0 && read->total == (sim_sum)histogram->count &&
           read->buckets[0] == log_linear_bucket(histogram->min, HISTOGRAM_OCTAVE_BITS) &&
           read->buckets[read->count - 1] ==
               log_linear_bucket(histogram->max, HISTOGRAM_OCTAVE_BITS) &&
           histogram->sum >= (sim_sum)histogram->min * (sim_sum)histogram->count &&
           histogram->sum <= (sim_sum)histogram->max * (sim_sum)histogram->count;
}

bool sparse_json_histogram(const struct field_reader *reader, const json_t *json, const char *name,
                           struct sparse_histogram *histogram)
{
    struct sparse_histogram read = { 0 };
    if (!field_count(reader, json, "count", &read.count)) {
        return false;
    }
    if (read.count == 0) {
        *histogram = read;
        return true;
    }
    if (!field_sum(reader, json, "sum", 0, (sim_sum)INT64_MAX << 62, &read.sum) ||
        !field_time(reader, json, "min", &read.min) ||
        !field_time(reader, json, "max", &read.max)) {
        return false;
    }
    struct bucket_list buckets = { 0 };
    const json_t *list = field_array(reader, json, "buckets");
    if (list == NULL || !read_buckets(reader, list, name, HISTOGRAM_BUCKETS, &buckets)) {
        return false;
    }
    if (!fits_buckets(&read, &buckets)) {
        return field_error(reader, "`%s` does not add up", name);
    }
    read.bucket_count = buckets.count;
    read.buckets = buckets.buckets;
    read.counts = buckets.counts;
    *histogram = read;
    return true;
}

/* `left` is what the phases may still add up to. */
static bool read_phase(const struct field_reader *reader, const json_t *list, size_t bucket_count,
                       sim_sum *spent, size_t stride, sim_sum *left)
{
    size_t size = json_array_size(list);
    sim_sum next = 0;
    for (size_t i = 0; i < size; i++) {
        sim_sum value = 0;
        if (!field_of_json(json_array_get(list, i), &value) || value == 0 || value > *left ||
            next >= (sim_sum)bucket_count) {
            return field_error(reader, "the times of a phase are wrong");
        }
        if (value > 0) {
            spent[(size_t)next * stride] = value;
            *left -= value;
        }
        next += value < 0 ? -value : 1;
    }
    return next == (sim_sum)bucket_count ||
           field_error(reader, "the times of a phase do not cover its buckets");
}

/* The requests of each bucket have latencies in it. */
static bool fits_rows(const struct bucket_list *buckets, const sim_sum *spent, unsigned phase_count)
{
    for (size_t i = 0; i < buckets->count; i++) {
        uint32_t bucket = buckets->buckets[i];
        sim_sum least = bucket == 0 ? 0 : log_linear_upper(bucket - 1, ATTRIBUTION_OCTAVE_BITS) + 1;
        sim_sum most = log_linear_upper(bucket, ATTRIBUTION_OCTAVE_BITS);
        sim_sum sum = 0;
        for (unsigned phase = 0; phase < phase_count; phase++) {
            sum += spent[i * phase_count + phase];
        }
        if (sum < least * (sim_sum)buckets->counts[i] || sum > most * (sim_sum)buckets->counts[i]) {
            return false;
        }
    }
    return true;
}

bool sparse_json_attribution(const struct field_reader *reader, const json_t *json,
                             const char *name, unsigned phase_count,
                             const struct sparse_histogram *histogram,
                             struct sparse_attribution *attribution)
{
    struct bucket_list buckets = { 0 };
    const json_t *list = field_array(reader, json, "buckets");
    const json_t *phases = list == NULL ? NULL : field_array(reader, json, "spent");
    if (phases == NULL || !read_buckets(reader, list, name, ATTRIBUTION_BUCKETS, &buckets)) {
        return false;
    }
    if (json_array_size(phases) != phase_count || buckets.total != (sim_sum)histogram->count) {
        return field_error(reader, "`%s` does not cover its requests", name);
    }
    sim_sum *spent = arena_array(reader->arena, buckets.count * phase_count, sizeof(*spent));
    sim_sum left = histogram->sum;
    for (unsigned phase = 0; phase < phase_count; phase++) {
        const json_t *times = json_array_get(phases, phase);
        if (!read_phase(reader, times, buckets.count, spent + phase, phase_count, &left)) {
            return false;
        }
    }
    if (left != 0 || !fits_rows(&buckets, spent, phase_count)) {
        return field_error(reader, "the phases of `%s` do not add up to its latencies", name);
    }
    *attribution = (struct sparse_attribution){
        .bucket_count = buckets.count,
        .phase_count = phase_count,
        .buckets = buckets.buckets,
        .counts = buckets.counts,
        .spent = spent,
    };
    return true;
}
