/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/run.h"

#include <assert.h>
#include <omp.h>
#include <stdint.h>

/* What the threads share. All but the experiment and the watch's question is under the critical
 * section. */
struct shared {
    struct arena *arena;
    const struct experiment *experiment;
    const struct run_watch *watch;
    struct result *result;
    struct error error; /* of the first run in order that failed: the same whoever is quicker */
    size_t error_place;
};

int run_threads_default(void)
{
    int threads = omp_get_max_threads();
    return threads < RUN_THREADS_MAX ? threads : RUN_THREADS_MAX;
}

/* Returns whether the run came to its end. */
static bool advance_to_end(struct engine *engine, const struct engine_span *span,
                           const struct run_watch *watch)
{
    engine_start(engine, span);
    do {
        if (watch->should_stop != NULL && watch->should_stop(watch->context)) {
            return false;
        }
    } while (engine_advance(engine, SIM_NEVER));
    return true;
}

static bool check_ended(const struct engine *engine, const struct experiment *experiment,
                        struct run_key key, struct error *err)
{
    if (!engine->exhausted && !engine->stalled) {
        return true;
    }
    const struct point *point = &experiment->points[key.point];
    const struct place place = { .file = experiment->file };
    const char *variant = experiment->variants[key.variant].name;
    const char *at = point->label[0] == '\0' ? "" : " at ";
    if (engine->exhausted) {
        error_user(err, &place, "variant `%s`%s%s: more than %d requests are in flight after %g s",
                   variant, at, point->label, ENGINE_REQUESTS_MAX,
                   (double)engine->events.now / (double)SIM_S);
        return error_hint(err, "the load is more than the stack can serve: lower its rate or its "
                               "depth, or limit the queue that grows");
    }
    error_user(err, &place, "variant `%s`%s%s: time stands still at %g s", variant, at,
               point->label, (double)engine->events.now / (double)SIM_S);
    return error_hint(err, "something goes round without a delay: give a stage on the way of the "
                           "requests, or the load, a time that is not 0");
}

static void keep_error(struct shared *shared, size_t place, const struct error *error)
{
    if (place < shared->error_place) {
        shared->error_place = place;
        shared->error = *error;
    }
}

static void keep_run(struct shared *shared, size_t place, const struct engine *engine)
{
    struct result *result = shared->result;
    const struct experiment *experiment = shared->experiment;
    result->runs[place] =
        run_result_copy(shared->arena, result_key(experiment, place), &experiment->span, engine);
    result->finished++;
    if (shared->watch->on_run != NULL) {
        shared->watch->on_run(shared->watch->context, result);
    }
}

static void run_one(struct shared *shared, size_t place)
{
    const struct experiment *experiment = shared->experiment;
    struct run_key key = result_key(experiment, place);
    struct arena *arena = arena_create();
    struct error error = { 0 };
    struct engine *engine =
        experiment_build(experiment, key.variant, key.point, key.repeat, arena, &error);
    bool good = engine != NULL;
    if (good && advance_to_end(engine, &experiment->span, shared->watch)) {
        engine_end(engine);
        good = check_ended(engine, experiment, key, &error);
        if (good) {
#pragma omp critical
            keep_run(shared, place, engine);
        }
    }
    if (!good) {
#pragma omp critical
        keep_error(shared, place, &error);
    }
    arena_destroy(arena);
}

/* A run that has begun is not given up for another one's mistake, so which error is told does not
 * depend on who is quicker: runs begin in order, and of those that fail the first counts. */
static bool may_begin(struct shared *shared)
{
    const struct run_watch *watch = shared->watch;
    bool may = watch->should_stop == NULL || !watch->should_stop(watch->context);
#pragma omp critical
    may = may && shared->error_place == SIZE_MAX;
    return may;
}

bool run_experiment(struct arena *arena, const struct experiment *experiment, int threads,
                    const struct run_watch *watch, struct result *result, struct error *err)
{
    assert(threads >= 1 && threads <= RUN_THREADS_MAX);
    struct result made = result_create(arena, experiment);
    struct shared shared = {
        .arena = arena,
        .experiment = experiment,
        .watch = watch,
        .result = &made,
        .error_place = SIZE_MAX,
    };
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t place = 0; place < made.run_count; place++) {
        if (may_begin(&shared)) {
            run_one(&shared, place);
        }
    }
    omp_pause_resource_all(omp_pause_hard); /* its waiting threads would be a leak at the exit */
    if (shared.error_place != SIZE_MAX) {
        *err = shared.error;
        return false;
    }
    *result = made;
    return true;
}
