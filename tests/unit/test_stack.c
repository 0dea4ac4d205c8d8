/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/engine/stack.h"

static const struct phase_info phases[] = {
    { .name = "down" },
    { .name = "up", .back = true },
    { .name = "more" },
    { .name = "most" },
};

static bool refuse(struct stage *self, struct error *err)
{
    return error_user(err, NULL, "`%s` refuses", self->name);
}

static const struct model load_model = {
    .name = "load", .phases = phases, .phase_count = 2, .load = true
};
static const struct model middle_model = { .name = "middle", .phases = phases, .phase_count = 1 };
static const struct model wide_model = { .name = "wide", .phases = phases, .phase_count = 4 };
static const struct model bottom_model = {
    .name = "bottom", .phases = phases, .phase_count = 1, .bottom = true
};
static const struct model refusing_model = {
    .name = "refusing", .phases = phases, .phase_count = 1, .bottom = true, .init = refuse
};

static struct arena *arena;
static struct engine *engine;
static struct error err;

static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    memset(&err, 0, sizeof(err));
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(stack, .init = set_up, .fini = tear_down);

static struct stage *add(const char *name, const struct model *model)
{
    return stack_add_stage(engine, name, model);
}

static void check_way(unsigned load, const char *expected)
{
    char way[256] = "";
    for (unsigned level = 0; level < engine->loads[load].level_count; level++) {
        const struct stage *stage = engine->loads[load].way[level];
        strncat(way, stage->name, sizeof(way) - strlen(way) - 1);
        strncat(way, " ", sizeof(way) - strlen(way) - 1);
        cr_expect_eq(stage->links[load].level, level);
    }
    cr_expect_str_eq(way, expected);
}

static void check_error(const char *message)
{
    cr_assert_not(stack_build(engine, &err));
    cr_expect_eq(err.kind, ERROR_USER);
    cr_expect_str_eq(err.message, message);
}

/* ---- Ways. ---- */

Test(stack, a_stage_stands_over_the_next_one)
{
    add("a", &load_model);
    add("b", &middle_model);
    add("c", &bottom_model);
    cr_assert(stack_build(engine, &err), "%s", err.message);
    check_way(0, "a b c ");
    cr_expect_eq(engine->loads[0].phase_count, 4);
    cr_expect_eq(stack_find_stage(engine, "b")->links[0].phase_base, 2);
    cr_expect_str_eq(engine->loads[0].phases[1].name, "up");
    cr_expect_null(stack_find_stage(engine, "d"));
}

Test(stack, loads_stand_over_the_next_stage_that_is_none)
{
    add("a", &load_model);
    add("b", &load_model);
    add("c", &bottom_model);
    cr_assert(stack_build(engine, &err), "%s", err.message);
    check_way(0, "a c ");
    check_way(1, "b c ");
}

Test(stack, ways_part_by_load)
{
    struct stage *a = add("a", &load_model);
    struct stage *b = add("b", &load_model);
    struct stage *queue = add("queue", &middle_model);
    struct stage *left = add("left", &bottom_model);
    struct stage *right = add("right", &bottom_model);
    stack_route(engine, queue, a, right);
    stack_route(engine, queue, NULL, left); /* every load not routed by itself */
    stack_route(engine, left, NULL, NULL);
    cr_assert(stack_build(engine, &err), "%s", err.message);
    check_way(0, "a queue right ");
    check_way(1, "b queue left ");
    cr_expect_not(left->links[0].on_way);
    cr_expect_eq(right->links[0].above, queue);
    cr_expect_null(b->links[1].above);
}

Test(stack, the_last_route_wins)
{
    struct stage *a = add("a", &load_model);
    struct stage *b = add("b", &middle_model);
    struct stage *c = add("c", &bottom_model);
    stack_route(engine, a, a, c);
    stack_route(engine, a, a, b);
    cr_assert(stack_build(engine, &err), "%s", err.message);
    check_way(0, "a b c ");
}

Test(stack, streams_follow_seed_repeat_and_name)
{
    struct stage *a = add("a", &load_model);
    struct stage *b = add("b", &bottom_model);
    struct engine *other = stack_create(arena, 1, 1);
    struct stage *again = stack_add_stage(stack_create(arena, 1, 0), "a", &bottom_model);
    cr_expect_neq(a->key, b->key);
    cr_expect_neq(a->key, stack_add_stage(other, "a", &load_model)->key);
    cr_expect_eq(a->key, again->key);
}

/* ---- What cannot be built. ---- */

Test(stack, needs_a_load)
{
    add("disk", &bottom_model);
    check_error("the stack has no load");
    cr_expect_not_null(strstr(err.hint, "open_load"));
}

Test(stack, what_is_no_bottom_stands_over_something)
{
    add("a", &load_model);
    add("b", &middle_model);
    check_error("stage `b` (middle) stands over nothing");
}

Test(stack, nothing_is_under_a_bottom)
{
    add("a", &load_model);
    add("b", &bottom_model);
    add("c", &bottom_model);
    check_error("stage `b` (bottom) stands over `c`, but nothing can be under it");
}

Test(stack, loads_stand_at_the_top)
{
    struct stage *a = add("a", &load_model);
    struct stage *b = add("b", &load_model);
    add("c", &bottom_model);
    stack_route(engine, a, NULL, b);
    check_error("load `b` stands under `a`");
}

Test(stack, does_not_loop)
{
    add("a", &load_model);
    struct stage *b = add("b", &middle_model);
    struct stage *c = add("c", &middle_model);
    stack_route(engine, c, NULL, b);
    check_error("the stack loops: `c` stands over `b`, which is above it");
}

Test(stack, does_not_loop_in_one_step)
{
    add("a", &load_model);
    struct stage *b = add("b", &middle_model);
    stack_route(engine, b, NULL, b);
    check_error("the stack loops: `b` stands over `b`, which is above it");
}

Test(stack, every_stage_is_reached)
{
    struct stage *a = add("a", &load_model);
    add("b", &middle_model);
    struct stage *c = add("c", &bottom_model);
    stack_route(engine, a, NULL, c);
    check_error("no request reaches stage `b`");
}

Test(stack, a_way_has_16_stages_at_most)
{
    static const char *const names[] = { "1", "2",  "3",  "4",  "5",  "6",  "7", "8",
                                         "9", "10", "11", "12", "13", "14", "15" };
    static const struct model thin = {
        .name = "thin", .phases = phases, .phase_count = 1, .load = true
    };
    add("0", &thin);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        add(names[i], &middle_model);
    }
    add("16", &bottom_model);
    check_error("more than 16 stages under load `0`");
}

Test(stack, a_way_has_16_phases_at_most)
{
    add("a", &load_model);
    add("b", &wide_model);
    add("c", &wide_model);
    add("d", &wide_model);
    add("e", &wide_model);
    add("f", &bottom_model);
    check_error("the way of load `a` has more than 16 phases at stage `e`");
}

Test(stack, sixteen_phases_fit)
{
    add("a", &load_model);
    add("b", &wide_model);
    add("c", &wide_model);
    add("d", &wide_model);
    add("e", &middle_model);
    add("f", &bottom_model);
    cr_expect(stack_build(engine, &err), "%s", err.message);
    cr_expect_eq(engine->loads[0].phase_count, WAY_PHASES_MAX);
}

Test(stack, a_model_may_refuse)
{
    add("a", &load_model);
    add("b", &refusing_model);
    check_error("`b` refuses");
}
