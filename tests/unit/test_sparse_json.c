/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/random.h"
#include "sim/run/sparse_json.h"

enum { PHASES = 5 };

static struct arena *arena;
static struct error error;

static void set_up(void)
{
    arena = arena_create();
    error = (struct error){ 0 };
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(sparse_json, .init = set_up, .fini = tear_down);

static uint64_t state = 1;

/* Of all magnitudes up to 2^bits. */
static uint64_t draw(unsigned bits)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t value = state >> (64 - bits);
    return value >> ((state >> 20) % bits);
}

struct sample {
    struct sparse_histogram histogram;
    struct sparse_attribution attribution;
};

static struct sample make(size_t count)
{
    struct histogram histogram;
    struct attribution attribution;
    histogram_init(&histogram, arena);
    attribution_init(&attribution, arena, PHASES);
    for (size_t i = 0; i < count; i++) {
        sim_time spent[PHASES] = { 0 };
        sim_time sum = 0;
        for (unsigned phase = 0; phase < PHASES; phase++) {
            spent[phase] = draw(2) == 0 ? 0 : (sim_time)draw(58);
            sum += spent[phase];
        }
        histogram_add(&histogram, sum);
        attribution_add(&attribution, sum, spent);
    }
    attribution_settle(&attribution);
    return (struct sample){
        sparse_histogram_copy(arena, &histogram),
        sparse_attribution_copy(arena, &attribution),
    };
}

static bool read_back(const json_t *histogram, const json_t *attribution, struct sample *back)
{
    const struct field_reader reader = { arena, { "r.jsonl", 2, 0 }, &error, NULL };
    return sparse_json_histogram(&reader, histogram, "lat", &back->histogram) &&
           sparse_json_attribution(&reader, attribution, "lat", PHASES, &back->histogram,
                                   &back->attribution);
}

static void expect_equal(const struct sample *a, const struct sample *b)
{
    size_t count = a->histogram.bucket_count;
    cr_assert(count == b->histogram.bucket_count && a->histogram.count == b->histogram.count);
    cr_expect(a->histogram.sum == b->histogram.sum && a->histogram.min == b->histogram.min &&
              a->histogram.max == b->histogram.max);
    for (size_t i = 0; i < count; i++) {
        cr_assert(a->histogram.buckets[i] == b->histogram.buckets[i] &&
                  a->histogram.counts[i] == b->histogram.counts[i]);
    }
    count = a->attribution.bucket_count;
    cr_assert_eq(count, b->attribution.bucket_count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(a->attribution.buckets[i] == b->attribution.buckets[i] &&
                  a->attribution.counts[i] == b->attribution.counts[i]);
    }
    for (size_t i = 0; i < count * PHASES; i++) {
        cr_assert(a->attribution.spent[i] == b->attribution.spent[i]);
    }
}

Test(sparse_json, there_and_back)
{
    const size_t counts[] = { 0, 1, 2, 10, 1000, 20000 };
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
        struct sample sample = make(counts[i]);
        struct sample back = { 0 };
        json_t *histogram = sparse_json_of_histogram(&sample.histogram);
        json_t *attribution = sparse_json_of_attribution(&sample.attribution);
        cr_assert(read_back(histogram, attribution, &back), "%s", error.message);
        expect_equal(&sample, &back);
        json_decref(histogram);
        json_decref(attribution);
    }
}

Test(sparse_json, the_form_is_the_documented_one)
{
    const uint32_t buckets[] = { 40960, 40961, 40965 };
    const uint64_t counts[] = { 1, 7, 2 };
    struct sparse_histogram histogram = { 3, buckets, counts, 10, 5, 9, 70 };
    json_t *json = sparse_json_of_histogram(&histogram);
    char *text = json_dumps(json, JSON_COMPACT);
    cr_expect_str_eq(text, "{\"count\":10,\"sum\":70,\"min\":5,\"max\":9,"
                           "\"buckets\":[40960,1,7,-3,2]}");
    free(text);
    json_decref(json);
}

/* Adds 1 to the integer at a place, counted over all of a document; false past the last. */
static bool damage(json_t *json, size_t *place)
{
    if (json_is_integer(json)) {
        if ((*place)-- == 0) {
            json_integer_set(json, json_integer_value(json) + 1);
            return true;
        }
        return false;
    }
    size_t index;
    const char *key;
    json_t *value;
    json_array_foreach(json, index, value)
    {
        if (damage(value, place)) {
            return true;
        }
    }
    json_object_foreach(json, key, value)
    {
        if (damage(value, place)) {
            return true;
        }
    }
    return false;
}

/* A changed minimum or maximum of the same bucket is the one thing that sums cannot tell, and a
 * sum that moves within its bounds is caught by the attribution. */
Test(sparse_json, every_changed_number_is_seen)
{
    struct sample sample = make(40);
    size_t seen = 0;
    size_t missed = 0;
    for (size_t place = 0;; place++) {
        json_t *both = json_object();
        json_object_set_new(both, "h", sparse_json_of_histogram(&sample.histogram));
        json_object_set_new(both, "a", sparse_json_of_attribution(&sample.attribution));
        size_t left = place;
        bool damaged = damage(both, &left);
        struct sample back = { 0 };
        bool good = read_back(json_object_get(both, "h"), json_object_get(both, "a"), &back);
        json_decref(both);
        if (!damaged) {
            break;
        }
        seen += !good;
        missed += good;
        error = (struct error){ 0 };
    }
    cr_expect(seen > 100 && missed <= 3, "%zu seen, %zu missed", seen, missed);
}
