/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "sim/base/attribution.h"
#include "sim/base/random.h"

enum { PHASES = 5, REQUESTS = 5000 };

struct sample {
    sim_time latency;
    sim_time spent[PHASES];
};

static struct arena *arena;
static struct sample samples[REQUESTS];

/* Latencies of all magnitudes, divided at random between the phases. */
static void set_up(void)
{
    arena = arena_create();
    struct random_stream stream = { random_key(1, 0, "attribution") };
    for (int i = 0; i < REQUESTS; i++) {
        struct sample *sample = &samples[i];
        sample->latency = (sim_time)(random_next(&stream) >> (1 + random_below(&stream, 63)));
        sim_time rest = sample->latency;
        for (int phase = 0; phase < PHASES - 1; phase++) {
            sample->spent[phase] = (sim_time)random_below(&stream, (uint64_t)rest + 1);
            rest -= sample->spent[phase];
        }
        sample->spent[PHASES - 1] = rest;
    }
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(attribution, .init = set_up, .fini = tear_down);

static struct attribution attribution_of(const struct sample *from, int count)
{
    struct attribution attribution;
    attribution_init(&attribution, arena, PHASES);
    for (int i = 0; i < count; i++) {
        attribution_add(&attribution, from[i].latency, from[i].spent);
    }
    return attribution;
}

static uint32_t bucket_of(sim_time latency)
{
    return log_linear_bucket(latency, ATTRIBUTION_OCTAVE_BITS);
}

/* A band against the samples themselves. */
static void check_band(const struct attribution *attribution, sim_time above, sim_time upto)
{
    uint64_t count = 0;
    sim_sum expected[PHASES] = { 0 };
    for (int i = 0; i < REQUESTS; i++) {
        uint32_t bucket = bucket_of(samples[i].latency);
        if ((above < 0 || bucket > bucket_of(above)) && bucket <= bucket_of(upto)) {
            count++;
            for (int phase = 0; phase < PHASES; phase++) {
                expected[phase] += samples[i].spent[phase];
            }
        }
    }
    sim_sum spent[PHASES];
    memset(spent, 0xff, sizeof(spent)); /* it is filled, not added to */
    cr_expect_eq(attribution_band(attribution, above, upto, spent), count);
    for (int phase = 0; phase < PHASES; phase++) {
        cr_expect(spent[phase] == expected[phase], "phase %d", phase);
    }
}

Test(attribution, a_band_is_the_sum_of_its_requests)
{
    struct attribution attribution = attribution_of(samples, REQUESTS);
    check_band(&attribution, -1, INT64_MAX);
    check_band(&attribution, -1, 0);
    check_band(&attribution, 0, 100);
    check_band(&attribution, 100, SIM_US);
    check_band(&attribution, SIM_US, SIM_MS);
    check_band(&attribution, SIM_MS, INT64_MAX);
    check_band(&attribution, SIM_MS, SIM_MS); /* empty */
    check_band(&attribution, SIM_MS, SIM_US); /* empty */
    check_band(&attribution, INT64_MAX, INT64_MAX);
}

Test(attribution, bands_add_up_to_the_whole)
{
    struct attribution attribution = attribution_of(samples, REQUESTS);
    static const sim_time edges[] = { -1, 77, SIM_NS, SIM_US, 3 * SIM_MS, SIM_S, INT64_MAX };
    uint64_t count = 0;
    sim_sum sum = 0;
    for (size_t i = 1; i < ARRAY_LENGTH(edges); i++) {
        sim_sum spent[PHASES];
        count += attribution_band(&attribution, edges[i - 1], edges[i], spent);
        for (int phase = 0; phase < PHASES; phase++) {
            sum += spent[phase];
        }
    }
    sim_sum latencies = 0;
    for (int i = 0; i < REQUESTS; i++) {
        latencies += samples[i].latency;
    }
    cr_expect_eq(count, REQUESTS);
    cr_expect(sum == latencies);
}

Test(attribution, edges_are_those_of_the_bucket)
{
    sim_time spent[] = { 1000 };
    struct attribution attribution;
    attribution_init(&attribution, arena, 1);
    attribution_add(&attribution, 1000, spent);
    sim_sum sum[1];
    /* The bucket is 1000 .. 1007. */
    cr_expect_eq(attribution_band(&attribution, -1, 1000, sum), 1);
    cr_expect_eq(attribution_band(&attribution, -1, 999, sum), 0);
    cr_expect_eq(attribution_band(&attribution, 1007, INT64_MAX, sum), 0);
    cr_expect_eq(attribution_band(&attribution, 999, INT64_MAX, sum), 1);
    cr_expect_eq(attribution_band(&attribution, 999, 1000, sum), 1);
    cr_expect(sum[0] == 1000);
}

Test(attribution, a_merged_one_is_that_of_all_requests)
{
    struct attribution all = attribution_of(samples, REQUESTS);
    struct attribution merged = attribution_of(samples, REQUESTS / 3);
    struct attribution rest = attribution_of(samples + REQUESTS / 3, REQUESTS - REQUESTS / 3);
    attribution_merge(&merged, &rest);
    attribution_settle(&merged);
    attribution_settle(&all);
    cr_expect_arr_eq(merged.counts, all.counts, ATTRIBUTION_BUCKETS * sizeof(uint64_t));
    cr_expect_arr_eq(merged.spent, all.spent, ATTRIBUTION_BUCKETS * PHASES * sizeof(sim_sum));
    check_band(&merged, -1, INT64_MAX);
}

Test(attribution, what_does_not_fit_into_64_bits_is_kept)
{
    enum { COUNT = 64 };
    sim_time spent[] = { SIM_NEVER / 4, SIM_NEVER / 4 };
    struct attribution attribution;
    attribution_init(&attribution, arena, 2);
    for (int i = 0; i < COUNT; i++) {
        attribution_add(&attribution, spent[0] + spent[1], spent);
    }
    sim_sum sum[2];
    cr_expect_eq(attribution_band(&attribution, -1, INT64_MAX, sum), COUNT);
    cr_expect(sum[0] == (sim_sum)COUNT * spent[0] && sum[1] == (sim_sum)COUNT * spent[1]);
}

Test(attribution, phases_that_do_not_add_up_are_a_programmers_mistake, .signal = SIGABRT)
{
    sim_time spent[] = { 999 };
    struct attribution attribution;
    attribution_init(&attribution, arena, 1);
    attribution_add(&attribution, 1000, spent);
}

Test(attribution, merging_other_phases_is_a_programmers_mistake, .signal = SIGABRT)
{
    struct attribution five = attribution_of(NULL, 0);
    struct attribution one;
    attribution_init(&one, arena, 1);
    attribution_merge(&five, &one);
}
