/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/make_runs.h"

#include "sim/cli/interrupt.h"
#include "sim/cli/progress.h"
#include "sim/config/until.h"
#include "sim/run/look.h"
#include "sim/run/run.h"

/* Runs under way. */
struct under_way {
    struct interrupt interrupt;
    struct progress progress;
    struct result_store *store;
};

/* Asked often while runs go on, so it is also where the progress is told. */
static bool should_stop(void *context)
{
    struct under_way *under_way = context;
    progress_tick(&under_way->progress);
    return interrupt_is_pending(&under_way->interrupt);
}

static bool on_run(void *context, const struct run_result *run, struct error *err)
{
    struct under_way *under_way = context;
    if (!result_store_append(under_way->store, run, err)) {
        return false;
    }
    progress_step(&under_way->progress);
    return true;
}

/* The runs of the point and the shard that there is no record of. Repeats of one variant at one
 * point go to different shards, so that all shards take about as long. */
static size_t list_places(const struct run_line *line, const struct experiment *experiment,
                          const struct result_store *store, size_t *places)
{
    size_t count = 0;
    size_t rows = experiment->point_count * experiment->variant_count;
    for (size_t place = 0; place < rows * (size_t)experiment->repeats; place++) {
        struct run_key key = result_key(experiment, place);
        if (line->point > 0 && key.point != (size_t)line->point - 1) {
            continue;
        }
        size_t row = key.point * experiment->variant_count + key.variant;
        size_t index = row * (size_t)experiment->repeats + key.repeat;
        if (index % (size_t)line->shard_count == (size_t)line->shard - 1 &&
            !result_store_has(store, key)) {
            places[count++] = place;
        }
    }
    return count;
}

/* The runs of these repeats that are missing; `*interrupted` when some still are. */
static bool make_missing(const struct run_line *line, const struct experiment *experiment,
                         struct under_way *under_way, bool *interrupted, struct error *err)
{
    const struct run_watch watch = { should_stop, on_run, under_way };
    struct arena *arena = arena_create();
    size_t *places = arena_array(arena, under_way->store->place_count, sizeof(*places));
    size_t count = list_places(line, experiment, under_way->store, places);
    progress_start(&under_way->progress, count);
    bool done = run_places(experiment, places, count, (int)line->threads, &watch, err);
    progress_clear(&under_way->progress);
    *interrupted = done && under_way->progress.done < count;
    arena_destroy(arena);
    return done;
}

/* Looks where the same number of repeats is complete everywhere: so the number depends on the
 * experiment, not on which run was quicker. */
static bool make_enough(const struct run_line *line, const struct experiment *experiment,
                        struct under_way *under_way, struct spool *spool, bool *interrupted,
                        struct error *err)
{
    struct experiment stage = *experiment;
    for (;;) {
        struct look look;
        if (!make_missing(line, &stage, under_way, interrupted, err)) {
            return false;
        }
        if (*interrupted || experiment->until == NULL) {
            return true;
        }
        if (!look_at_store(spool->store, stage.repeats, &look, err)) {
            return false;
        }
        if (look.reached || stage.repeats == experiment->until->at_most) {
            return spool_settle(spool, &stage, err);
        }
        stage.repeats = until_next(experiment->until, stage.repeats);
    }
}

bool make_runs(struct arena *arena, const struct run_line *line,
               const struct experiment *experiment, const char *path, struct spool *spool,
               bool *interrupted, struct error *err)
{
    struct under_way under_way;
    struct experiment most = *experiment;
    if (experiment->until != NULL) {
        most.repeats = experiment->until->at_most;
    }
    interrupt_block(&under_way.interrupt);
    bool good = spool_begin(arena, &most, path, line->resume, spool, err);
    if (good) {
        under_way.store = spool->store;
        good = make_enough(line, experiment, &under_way, spool, interrupted, err);
        if (!good) {
            spool_end(spool);
        }
    }
    interrupt_release(&under_way.interrupt);
    return good;
}
