/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/result_store.h"

#include <assert.h>
#include <string.h>

#include "sim/run/output.h"
#include "sim/run/record_json.h"

struct result_store *result_store_open(const char *path, struct error *err)
{
    struct result_source source;
    if (!result_source_open_any(path, &source, err)) {
        return NULL;
    }
    struct result_store *store = result_store_create(&source);
    if (!result_store_scan(store, err)) {
        result_store_destroy(store);
        return NULL;
    }
    return store;
}

struct result_store *result_store_create(struct result_source *source)
{
    struct arena *arena = arena_create();
    struct result_store *store = arena_alloc(arena, sizeof(*store));
    store->arena = arena;
    store->sources[0] = *source;
    store->source_count = 1;
    store->header = &store->sources[0].header;
    store->experiment = store->header->experiment;
    const struct experiment *experiment = store->experiment;
    store->place_count =
        experiment->variant_count * experiment->point_count * (size_t)experiment->repeats;
    store->places = arena_array(arena, store->place_count, sizeof(*store->places));
    *source = (struct result_source){ 0 };
    return store;
}

void result_store_destroy(struct result_store *store)
{
    if (store == NULL) {
        return;
    }
    for (size_t i = 0; i < store->source_count; i++) {
        result_source_close(&store->sources[i]);
    }
    arena_destroy(store->arena);
}

bool result_store_add(struct result_store *store, struct result_source *source, struct error *err)
{
    const struct result_source *first = &store->sources[0];
    const struct place where = { .file = source->name, .line = 1 };
    if (store->source_count == RESULT_SOURCES_MAX) {
        return error_user(err, &where, "more than %d results at once", RESULT_SOURCES_MAX);
    }
    if (strcmp(source->header.hash, first->header.hash) != 0) {
        error_user(err, &where, "this is of another experiment than `%.200s`", first->name);
        return error_hint(err, "stack, variants, sweep, seed and lengths have to be the same");
    }
    if (strcmp(source->header.version, first->header.version) != 0) {
        error_user(err, &where, "this was made by ringtail %.20s, and `%.200s` by %.20s",
                   source->header.version, first->name, first->header.version);
        return error_hint(err, "run the experiment again with one of them");
    }
    store->sources[store->source_count++] = *source;
    *source = (struct result_source){ 0 };
    return true;
}

/* ---- Records. ---- */

static struct record_place *place_of(const struct result_store *store, struct run_key key)
{
    const struct experiment *experiment = store->experiment;
    size_t row = key.point * experiment->variant_count + key.variant;
    return &store->places[row * (size_t)experiment->repeats + key.repeat];
}

bool result_store_has(const struct result_store *store, struct run_key key)
{
    return place_of(store, key)->source > 0;
}

static const struct run_result *parse(struct result_store *store, struct result_source *source,
                                      const struct line *line, struct arena *arena,
                                      struct error *err)
{
    const struct field_reader reader = { arena, { source->name, line->number, 0 }, err, NULL };
    json_error_t found;
    json_t *json = json_loadb(source->bytes, line->size, JSON_REJECT_DUPLICATES, &found);
    if (json == NULL) {
        field_error(&reader, "%.200s", found.text);
        return NULL;
    }
    const struct run_result *run = record_json_run(&reader, store->experiment, json);
    json_decref(json);
    return run;
}

static bool are_loads_alike(const struct load_result *a, const struct load_result *b)
{
    bool alike =
        strcmp(a->name, b->name) == 0 && a->phase_count == b->phase_count && a->early == b->early;
    for (unsigned i = 0; alike && i < a->phase_count; i++) {
        alike = strcmp(a->phases[i], b->phases[i]) == 0;
    }
    return alike;
}

/* Reports take the names from one record for all. */
static bool are_alike(const struct run_result *a, const struct run_result *b)
{
    bool alike = a->load_count == b->load_count && a->counter_count == b->counter_count &&
                 a->cpu_count == b->cpu_count;
    for (size_t i = 0; alike && i < a->load_count; i++) {
        alike = are_loads_alike(&a->loads[i], &b->loads[i]);
    }
    for (size_t i = 0; alike && i < a->counter_count; i++) {
        alike = strcmp(a->counters[i].owner, b->counters[i].owner) == 0 &&
                strcmp(a->counters[i].name, b->counters[i].name) == 0 &&
                a->counters[i].kind == b->counters[i].kind;
    }
    for (size_t i = 0; alike && i < a->cpu_count; i++) {
        alike = strcmp(a->cpus[i].name, b->cpus[i].name) == 0;
    }
    return alike;
}

/* The same run twice: whether both say the same. */
static bool check_twin(struct result_store *store, const struct result_source *source,
                       const struct line *line, const struct run_result *run, struct error *err)
{
    const struct record_place *place = place_of(store, run->key);
    struct result_source *other = &store->sources[place->source - 1];
    struct arena *arena = arena_create();
    const char *bytes = arena_strndup(arena, source->bytes, line->size);
    const char *others = result_source_line(other, &place->line, err);
    bool equal =
        others != NULL && line->size == place->line.size && memcmp(bytes, others, line->size) == 0;
    arena_destroy(arena);
    if (others != NULL && !equal) {
        const struct place where = { .file = source->name, .line = line->number };
        const struct experiment *experiment = store->experiment;
        error_user(err, &where, "variant `%.40s`, point %zu, repeat %zu differs from %.200s:%d",
                   experiment->variants[run->key.variant].name, run->key.point + 1,
                   run->key.repeat + 1, other->name, place->line.number);
        error_hint(err, "one of them is damaged: leave its file out, or run it again");
    }
    return equal;
}

static bool enter(struct result_store *store, size_t source, const struct line *line,
                  const struct run_result *run, struct error *err)
{
    if (run->key.repeat >= (size_t)store->experiment->repeats) {
        return true;
    }
    if (store->first != NULL && !are_alike(store->first, run)) {
        const struct field_reader reader = {
            store->arena,
            { store->sources[source].name, line->number, 0 },
            err,
            NULL,
        };
        return field_error(&reader, "its loads or counters are not those of the other records");
    }
    struct record_place *place = place_of(store, run->key);
    if (place->source > 0) {
        return check_twin(store, &store->sources[source], line, run, err);
    }
    *place = (struct record_place){ source + 1, *line };
    store->finished++;
    result_totals_add(&store->totals, store->experiment, run);
    return true;
}

/* The first record is kept. */
static bool enter_line(struct result_store *store, size_t source, const struct line *line,
                       struct error *err)
{
    struct result_source *from = &store->sources[source];
    struct arena *scratch = arena_create();
    struct arena *arena = store->first == NULL ? store->arena : scratch;
    const struct run_result *run = parse(store, from, line, arena, err);
    bool good = run != NULL && enter(store, source, line, run, err);
    if (good && store->first == NULL) {
        store->first = run;
    }
    arena_destroy(scratch);
    return good;
}

static bool scan(struct result_store *store, size_t source, struct error *err)
{
    struct result_source *from = &store->sources[source];
    struct line line = from->first;
    for (;;) {
        switch (result_source_next(from, &line, err)) {
        case SOURCE_LINE:
            if (!enter_line(store, source, &line, err)) {
                return false;
            }
            from->end = line.offset + line.size + 1;
            from->lines = line.number;
            break;
        case SOURCE_CUT:
            if (from->use == SOURCE_BROKEN_OFF) {
                return true;
            }
            const struct place where = { .file = from->name, .line = line.number };
            error_user(err, &where, "the file is cut: its last line has no end");
            return error_hint(err, "get the whole file, or run the experiment again");
        case SOURCE_END:
            return true;
        case SOURCE_FAILED:
            return false;
        }
    }
}

bool result_store_scan(struct result_store *store, struct error *err)
{
    for (size_t i = 0; i < store->source_count; i++) {
        if (!scan(store, i, err)) {
            return false;
        }
    }
    return true;
}

bool result_store_append(struct result_store *store, const struct run_result *run,
                         struct error *err)
{
    struct record_place *place = place_of(store, run->key);
    struct result_source *spool = &store->sources[0];
    struct line line = { 0 };
    assert(place->source == 0);
    if (!result_source_append(spool, record_json_of_run(store->experiment, run), &line, err)) {
        return false;
    }
    *place = (struct record_place){ 1, line };
    store->finished++;
    result_totals_add(&store->totals, store->experiment, run);
    if (store->first != NULL) {
        return true;
    }
    store->first = parse(store, spool, &line, store->arena, err);
    return store->first != NULL;
}

/* ---- Out of it. ---- */

static bool write_line(struct result_source *source, const struct line *line, FILE *stream,
                       struct error *err)
{
    const char *bytes = result_source_line(source, line, err);
    if (bytes == NULL) {
        return false;
    }
    fwrite(bytes, 1, line->size, stream);
    fputc('\n', stream);
    return true;
}

bool result_store_write(struct result_store *store, const char *path, struct error *err)
{
    struct output output;
    if (!output_open(store->arena, path, &output, err)) {
        return false;
    }
    struct result_source *sources = store->sources;
    bool good = write_line(&sources[0], &sources[0].first, output.stream, err);
    for (size_t i = 0; good && i < store->place_count && ferror(output.stream) == 0; i++) {
        const struct record_place *place = &store->places[i];
        good = place->source == 0 ||
               write_line(&sources[place->source - 1], &place->line, output.stream, err);
    }
    if (!good) {
        output_abandon(&output);
        return false;
    }
    return output_commit(&output, err);
}

const struct run_result *result_store_load(struct result_store *store, struct arena *arena,
                                           struct run_key key, struct error *err)
{
    const struct record_place *place = place_of(store, key);
    assert(place->source > 0);
    struct result_source *source = &store->sources[place->source - 1];
    if (result_source_line(source, &place->line, err) == NULL) {
        return NULL;
    }
    const struct run_result *run = parse(store, source, &place->line, arena, err);
    if (run != NULL && memcmp(&run->key, &key, sizeof(key)) != 0) {
        const struct place where = { .file = source->name, .line = place->line.number };
        error_environment(err, &where, "the file has changed while it was read");
        return NULL;
    }
    return run;
}

struct result result_of_store(struct arena *arena, struct result_store *store)
{
    struct result result = result_create(arena, store->experiment);
    result.version = store->header->version;
    result.finished = store->finished;
    result.totals = store->totals;
    result.first = store->first;
    result.store = store;
    return result;
}
