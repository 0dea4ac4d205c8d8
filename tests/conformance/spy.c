/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/conformance/spy.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct spied_model {
    struct model model; /* first, so that a stage's model leads here */
    const struct model *real;
    size_t spy_offset; /* in the state, behind the model's own */
};

static const struct spied_model *spied_of(const struct stage *stage)
{
    return (const struct spied_model *)(const void *)stage->model;
}

struct spy *spy_of(const struct stage *stage)
{
    return (struct spy *)(void *)((char *)stage->state + spied_of(stage)->spy_offset);
}

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return random_mix(hash ^ word) + RANDOM_STEP_WORD;
}

/* ---- Doors. ---- */

static void note(struct stage *self, const struct request *req, uint8_t *const *counts, int door)
{
    struct spy *spy = spy_of(self);
    assert(req->number < SPY_REQUESTS && req->child < SPY_CHILDREN);
    uint8_t *count = &counts[req->load][req->number * SPY_CHILDREN + req->child];
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
    spy->hash = hash_word(spy->hash, (uint64_t)stage_now(self));
    spy->hash = hash_word(spy->hash, req->number << 16 | req->child << 8 | req->load);
    spy->hash = hash_word(spy->hash, (uint64_t)door << 8 | req->op);
}

static void submit(struct stage *self, struct request *req)
{
    const struct model *real = spied_of(self)->real;
    note(self, req, spy_of(self)->down, 0);
    if (real->submit != NULL) {
        real->submit(self, req);
    } else {
        stage_submit_below(self, req);
    }
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    const struct model *real = spied_of(self)->real;
    const struct engine *engine = self->engine;
    struct spy *spy = spy_of(self);
    sim_time now = stage_now(self);
    note(self, req, spy->up, 1 + (int)status);
    spy->done += status == REQUEST_DONE;
    spy->dropped += status == REQUEST_DROPPED;
    if (status == REQUEST_DONE && engine_is_in_window(engine, req->due)) {
        spy->latency += now - req->due;
    }
    spy->outstanding += engine_part_in_window(engine, req->due, now);
    if (real->complete != NULL) {
        real->complete(self, req, status);
    } else {
        stage_complete_above(self, req, status);
    }
}

static bool init(struct stage *self, struct error *err)
{
    const struct model *real = spied_of(self)->real;
    struct spy *spy = spy_of(self);
    for (unsigned l = 0; l < self->engine->load_count; l++) {
        spy->down[l] = arena_alloc(stage_arena(self), SPY_REQUESTS * SPY_CHILDREN);
        spy->up[l] = arena_alloc(stage_arena(self), SPY_REQUESTS * SPY_CHILDREN);
    }
    return real->init == NULL || real->init(self, err);
}

struct stage *spy_add_stage(struct engine *engine, const char *name, const struct model *real)
{
    struct spied_model *spied = arena_alloc(engine->arena, sizeof(*spied));
    size_t align = _Alignof(max_align_t);
    spied->real = real;
    spied->spy_offset = (real->state_size + align - 1) / align * align;
    spied->model = *real;
    spied->model.state_size = spied->spy_offset + sizeof(struct spy);
    spied->model.submit = real->load ? NULL : submit;
    spied->model.complete = complete;
    spied->model.init = init;
    return stack_add_stage(engine, name, &spied->model);
}

/* ---- What must hold. ---- */

static void check_doors(struct tap *tap, const struct load *load, unsigned l)
{
    for (unsigned level = 1; level < load->level_count; level++) {
        const struct stage *stage = load->way[level];
        const uint8_t *down = spy_of(stage)->down[l];
        const uint8_t *up = spy_of(load->way[level - 1])->up[l];
        for (size_t i = 0; i < SPY_REQUESTS * SPY_CHILDREN; i++) {
            CHECK(tap, down[i] == up[i] && down[i] <= 1,
                  "request %zu.%zu of %s entered %s %u times and came back %u times",
                  i / SPY_CHILDREN, i % SPY_CHILDREN, load->stage->name, stage->name, down[i],
                  up[i]);
        }
    }
    const uint8_t *ended = spy_of(load->stage)->up[l];
    for (uint64_t number = 0; number < SPY_REQUESTS; number++) {
        CHECK(tap, ended[number * SPY_CHILDREN] == (number < load->created),
              "request %" PRIu64 " of %s came back %u times", number, load->stage->name,
              ended[number * SPY_CHILDREN]);
    }
}

/* All that was attributed, of any latency. */
static void check_attribution(struct tap *tap, const struct attribution *attribution,
                              const struct histogram *histogram, const char *name)
{
    sim_sum spent[WAY_PHASES_MAX];
    sim_sum sum = 0;
    uint64_t count = attribution_band(attribution, -1, INT64_MAX, spent);
    for (unsigned i = 0; i < attribution->phase_count; i++) {
        sum += spent[i];
    }
    CHECK(tap, count == histogram->count && sum == histogram->sum,
          "%s: the attributed times are not the latencies", name);
}

static void check_record(struct tap *tap, const struct load *load)
{
    const struct record *record = &load->record;
    const struct spy *spy = spy_of(load->stage);
    const char *name = load->stage->name;
    check_attribution(tap, &record->lat_phases, &record->lat, name);
    if (record->early) {
        check_attribution(tap, &record->delivered_phases, &record->delivered, name);
    }
    CHECK(tap, load->finished == load->created && load->unfinished == 0, "%s: some are left", name);
    CHECK(tap, load->travelling == 0, "%s: some still travel", name);
    CHECK(tap, load->finished == spy->done + spy->dropped, "%s", name);
    CHECK(tap, record->lat.count == record->clat.count, "%s", name);
    if (strcmp(load->stage->model->name, "open_load") == 0) { /* ends them as they come back */
        CHECK(tap, record->lat.sum == spy->latency, "%s: other latencies", name);
        CHECK(tap, record->outstanding == spy->outstanding, "%s: another integral", name);
    }
}

void spy_check(struct tap *tap, const struct engine *engine)
{
    CHECK(tap, !engine->stalled && !engine->exhausted, "the run failed");
    CHECK(tap, engine->pool.live == 0, "%" PRId64 " requests live", engine->pool.live);
    for (unsigned l = 0; l < engine->load_count; l++) {
        check_doors(tap, &engine->loads[l], l);
        check_record(tap, &engine->loads[l]);
    }
}

/* ---- Digest. ---- */

static uint64_t hash_sum(uint64_t hash, sim_sum sum)
{
    return hash_word(hash_word(hash, (uint64_t)sum), (uint64_t)(sum >> 64));
}

static uint64_t hash_histogram(uint64_t hash, const struct histogram *histogram)
{
    hash = hash_word(hash, histogram->count);
    if (histogram->count == 0) {
        return hash;
    }
    uint32_t first = log_linear_bucket(histogram->min, HISTOGRAM_OCTAVE_BITS);
    uint32_t last = log_linear_bucket(histogram->max, HISTOGRAM_OCTAVE_BITS);
    for (uint32_t bucket = first; bucket <= last; bucket++) {
        if (histogram->counts[bucket] > 0) {
            hash = hash_word(hash_word(hash, bucket), histogram->counts[bucket]);
        }
    }
    hash = hash_word(hash, (uint64_t)histogram->min);
    return hash_sum(hash_word(hash, (uint64_t)histogram->max), histogram->sum);
}

static uint64_t hash_attribution(uint64_t hash, const struct attribution *attribution)
{
    for (uint32_t bucket = 0; bucket < ATTRIBUTION_BUCKETS; bucket++) {
        if (attribution->counts[bucket] > 0) {
            hash = hash_word(hash_word(hash, bucket), attribution->counts[bucket]);
            for (unsigned i = 0; i < attribution->phase_count; i++) {
                size_t place = (size_t)bucket * attribution->phase_count + i;
                hash = hash_sum(hash, attribution->spent[place]);
            }
        }
    }
    return hash;
}

static uint64_t hash_record(uint64_t hash, const struct record *record)
{
    const uint64_t counts[] = {
        record->arrivals,
        record->completed,
        record->dropped,
        record->failed,
        record->unfinished,
        record->travelling,
        record->cut,
        record->completed_in_window,
        record->delivered_in_window,
        record->dropped_in_window,
    };
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
        hash = hash_word(hash, counts[i]);
    }
    for (unsigned i = 0; i < record->slowest_count; i++) {
        hash = hash_word(hash, (uint64_t)record->slowest[i].latency);
        hash = hash_word(hash, record->slowest[i].number);
    }
    hash = hash_histogram(hash, &record->lat);
    hash = hash_histogram(hash, &record->clat);
    hash = hash_attribution(hash, &record->lat_phases);
    if (record->early) {
        hash = hash_histogram(hash, &record->delivered);
        hash = hash_attribution(hash, &record->delivered_phases);
    }
    return hash_sum(hash, record->outstanding);
}

uint64_t spy_digest(const struct engine *engine)
{
    uint64_t hash = hash_word(0, engine->event_count);
    for (unsigned l = 0; l < engine->load_count; l++) {
        hash = hash_word(hash, engine->loads[l].created);
        hash = hash_record(hash, &engine->loads[l].record);
    }
    for (unsigned i = 0; i < engine->stage_count; i++) {
        hash = hash_word(hash, spy_of(engine->stages[i])->hash);
    }
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        for (unsigned class = 0; class < CPU_CLASSES; class ++) {
            hash = hash_sum(hash, engine->cpu_busy[i][class]);
        }
    }
    for (size_t i = 0; i < engine->report.count; i++) {
        hash = hash_word(hash, (uint64_t)engine->report.entries[i].value);
    }
    return hash;
}
