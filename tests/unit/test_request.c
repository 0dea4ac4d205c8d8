/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "sim/engine/stack.h"

static struct arena *arena;
static struct engine *engine;
static struct stage *load;

static const struct phase_info phases[] = { { .name = "first" }, { .name = "second" } };

static const struct model load_model = {
    .name = "load", .phases = phases, .phase_count = 2, .load = true
};
static const struct model bottom_model = {
    .name = "bottom", .phases = phases, .phase_count = 2, .bottom = true
};

static void set_up(void)
{
    struct error err = { 0 };
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    load = stack_add_stage(engine, "load", &load_model);
    stack_add_stage(engine, "bottom", &bottom_model);
    cr_assert(stack_build(engine, &err));
    engine_start(engine, &(struct engine_span){ .measure = SIM_S });
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(request, .init = set_up, .fini = tear_down);

Test(request, a_queue_is_first_in_first_out)
{
    struct request_queue queue;
    struct request *reqs[3];
    request_queue_init(&queue, load, 1);
    cr_expect_null(request_queue_pop(&queue));
    for (int i = 0; i < 3; i++) {
        reqs[i] = load_request(load, 0);
        request_queue_push(&queue, reqs[i]);
        cr_expect_eq(queue.count, i + 1);
        cr_expect(reqs[i]->queued);
    }
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(request_queue_pop(&queue), reqs[i]);
        cr_expect_not(reqs[i]->queued);
    }
    cr_expect_null(request_queue_pop(&queue));
    cr_expect_eq(queue.count, 0);
}

Test(request, the_front_of_a_queue_comes_first)
{
    struct request_queue queue;
    struct request *reqs[3];
    request_queue_init(&queue, load, 1);
    for (int i = 0; i < 3; i++) {
        reqs[i] = load_request(load, 0);
    }
    request_queue_push_front(&queue, reqs[1]); /* into the empty queue */
    request_queue_push(&queue, reqs[2]);
    request_queue_push_front(&queue, reqs[0]);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(request_queue_pop(&queue), reqs[i]);
    }
    request_queue_push(&queue, reqs[0]);
    cr_expect_eq(queue.head, reqs[0]);
    cr_expect_eq(queue.tail, reqs[0]);
}

Test(request, pushing_moves_it_into_the_phase_of_the_queue)
{
    struct request_queue queue;
    struct request *req = load_request(load, 0);
    request_queue_init(&queue, load, 1);
    engine->events.now = 10;
    request_queue_push(&queue, req);
    engine->events.now = 30;
    request_queue_pop(&queue);
    request_queue_push_front(&queue, req); /* a transition though the phase stays the same */
    cr_expect_eq(req->travel.since, 30);
    cr_expect_eq(req->travel.spent[0], 10);
    cr_expect_eq(req->travel.spent[1], 20);
}

Test(request, an_ended_one_is_used_again_and_clear)
{
    struct request_pool pool;
    request_pool_init(&pool, arena);
    struct request *req = request_create(&pool);
    req->mark[0] = 1;
    req->mark[1] = 2;
    req->number = 3;
    req->cpu = (struct cpu *)(void *)req;
    req->batch_left = 4;
    req->travel.spent[WAY_PHASES_MAX - 1] = 5;
    req->draws[WAY_LEVELS_MAX - 1] = 6;
    req->up_level = 7;
    req->parts = 0;
    request_recycle(&pool, req);
    cr_expect_eq(pool.live, 0);
    struct request *again = request_create(&pool);
    cr_assert_eq(again, req);
    cr_expect(again->mark[0] == 0 && again->mark[1] == 0 && again->number == 0);
    cr_expect(again->cpu == NULL && again->batch_left == 0 && again->parent == NULL);
    cr_expect(again->travel.spent[WAY_PHASES_MAX - 1] == 0);
    cr_expect(again->draws[WAY_LEVELS_MAX - 1] == 0 && !request_is_forked(again));
    cr_expect_eq(again->parts, 1);
    cr_expect_eq(pool.live_max, 1);
}

/* Of 200, every third one ends. */
Test(request, the_cursor_visits_the_live_ones_once)
{
    enum { COUNT = 200 };
    struct request_pool pool;
    struct request *reqs[COUNT];
    request_pool_init(&pool, arena);
    for (uint64_t i = 0; i < COUNT; i++) {
        reqs[i] = request_create(&pool);
        reqs[i]->number = i;
    }
    for (uint64_t i = 0; i < COUNT; i += 3) {
        reqs[i]->parts = 0;
        request_recycle(&pool, reqs[i]);
    }
    unsigned seen[COUNT] = { 0 };
    struct request_cursor cursor = request_pool_begin(&pool);
    for (struct request *req; (req = request_cursor_next(&cursor)) != NULL;) {
        seen[req->number]++;
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        cr_assert_eq(seen[i], i % 3 != 0);
    }
    cr_expect_eq(pool.live, COUNT - (COUNT + 2) / 3);
    cr_expect_eq(pool.live_max, COUNT);
}
