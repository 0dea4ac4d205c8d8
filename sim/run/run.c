/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/run.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

#include "sim/run/order.h"

/* What the threads share. All but the experiment and the watch's question is under the lock, which
 * is none of OpenMP's: clang's runtime keeps those of critical sections beyond a pause that frees
 * them. */
struct shared {
    pthread_mutex_t lock;
    const struct experiment *experiment;
    const struct run_watch *watch;
    struct arena *arena;   /* of records that are kept; NULL: they die with the run */
    struct result *result; /* that keeps them, or NULL */
    struct order order;
    struct error error; /* of the run that stands first in the list, of those that failed */
    size_t error_index;
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

static void keep_error(struct shared *shared, size_t index, const struct error *error)
{
    if (index < shared->error_index) {
        shared->error_index = index;
        shared->error = *error;
    }
}

static bool keep_run(struct shared *shared, const struct run_result *run, struct error *err)
{
    if (shared->result != NULL) {
        result_add(shared->result, run);
    }
    const struct run_watch *watch = shared->watch;
    return watch->on_run == NULL || watch->on_run(watch->context, run, err);
}

static void run_one(struct shared *shared, const struct order_item *item)
{
    const struct experiment *experiment = shared->experiment;
    struct run_key key = result_key(experiment, item->place);
    struct arena *arena = arena_create();
    struct error error = { 0 };
    struct engine *engine =
        experiment_build(experiment, key.variant, key.point, key.repeat, arena, &error);
    bool good = engine != NULL;
    if (good && advance_to_end(engine, &experiment->span, shared->watch)) {
        good = check_ended(engine, experiment, key, &error);
        if (good) {
            engine_end(engine);
            pthread_mutex_lock(&shared->lock);
            struct arena *kept = shared->arena != NULL ? shared->arena : arena;
            order_learn(&shared->order, item->place, engine->event_count);
            good = keep_run(shared, run_result_copy(kept, key, engine), &error);
            pthread_mutex_unlock(&shared->lock);
        }
    }
    if (!good) {
        pthread_mutex_lock(&shared->lock);
        keep_error(shared, item->index, &error);
        pthread_mutex_unlock(&shared->lock);
    }
    arena_destroy(arena);
}

/* A run that has begun is not given up for another one's mistake, and the first runs of all
 * variants and points begin in the order of the list. So which error is told does not depend on who
 * is quicker: of those that fail the first in the list counts. */
static bool begin_next(struct shared *shared, struct order_item *item)
{
    const struct run_watch *watch = shared->watch;
    bool may = watch->should_stop == NULL || !watch->should_stop(watch->context);
    pthread_mutex_lock(&shared->lock);
    may = may && shared->error_index == SIZE_MAX && order_next(&shared->order, item);
    pthread_mutex_unlock(&shared->lock);
    return may;
}

static bool run_all(struct shared *shared, const size_t *places, size_t count, int threads,
                    struct error *err)
{
    assert(threads >= 1 && threads <= RUN_THREADS_MAX);
    struct arena *arena = arena_create();
    pthread_mutex_init(&shared->lock, NULL);
    order_init(&shared->order, arena, shared->experiment, places, count);
    shared->error_index = SIZE_MAX;
#pragma omp parallel num_threads(threads)
    {
        struct order_item item;
        while (begin_next(shared, &item)) {
            run_one(shared, &item);
        }
    }
    omp_pause_resource_all(omp_pause_hard); /* its waiting threads would be a leak at the exit */
    pthread_mutex_destroy(&shared->lock);
    arena_destroy(arena);
    if (shared->error_index != SIZE_MAX) {
        *err = shared->error;
        return false;
    }
    return true;
}

bool run_places(const struct experiment *experiment, const size_t *places, size_t count,
                int threads, const struct run_watch *watch, struct error *err)
{
    struct shared shared = { .experiment = experiment, .watch = watch };
    return run_all(&shared, places, count, threads, err);
}

bool run_experiment(struct arena *arena, const struct experiment *experiment, int threads,
                    const struct run_watch *watch, struct result *result, struct error *err)
{
    struct result made = result_create(arena, experiment);
    struct shared shared = {
        .experiment = experiment,
        .watch = watch,
        .arena = arena,
        .result = &made,
    };
    if (!run_all(&shared, NULL, made.run_count, threads, err)) {
        return false;
    }
    *result = made;
    return true;
}
