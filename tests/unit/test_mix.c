/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "sim/engine/stack.h"

static struct arena *arena;
static struct stage *load;
static struct stage *bottom;

static const struct phase_info phases[] = { { .name = "only" } };

struct state {
    struct mix mix;
};

static const struct param params[] = { PARAMS_MIX(struct state, mix) };

static const struct model load_model = {
    .name = "load",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = 1,
    .state_size = sizeof(struct state),
    .load = true,
};
static const struct model bottom_model = {
    .name = "bottom", .phases = phases, .phase_count = 1, .bottom = true
};

static void set_up(void)
{
    struct error err = { 0 };
    arena = arena_create();
    struct engine *engine = stack_create(arena, 1, 0);
    load = stack_add_stage(engine, "load", &load_model);
    bottom = stack_add_stage(engine, "bottom", &bottom_model);
    cr_assert(stack_build(engine, &err));
    engine_start(engine, &(struct engine_span){ .measure = SIM_S });
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(mix, .init = set_up, .fini = tear_down);

static struct mix *set_op(const char *op)
{
    struct state *state = load->state;
    struct error err = { 0 };
    cr_assert(param_set_name(param_find(params, 3, "op"), state, op, NULL, &err), "%s",
              err.message);
    return &state->mix;
}

static int count_reads(const struct mix *mix, int requests)
{
    int reads = 0;
    for (int i = 0; i < requests; i++) {
        struct request *req = load_request(load, 0);
        mix_apply(mix, load, req);
        cr_assert_eq(req->size_bytes, mix->size);
        reads += req->op == REQUEST_READ;
    }
    return reads;
}

Test(mix, reads_of_4_kib_by_default)
{
    struct state *state = load->state;
    cr_expect_eq(state->mix.size, 4096);
    cr_expect_eq(count_reads(&state->mix, 100), 100);
}

Test(mix, writes)
{
    cr_expect_eq(count_reads(set_op("write"), 100), 0);
}

Test(mix, a_mix_has_its_share_of_reads)
{
    enum { COUNT = 100000 };
    struct mix *mix = set_op("mix");
    mix->rwmixread = 30;
    double off = (count_reads(mix, COUNT) - 0.3 * COUNT) / sqrt(0.3 * 0.7 * COUNT);
    cr_expect_lt(fabs(off), 4.5, "%f deviations", off);
    mix->rwmixread = 0;
    cr_expect_eq(count_reads(mix, 1000), 0);
    mix->rwmixread = 100;
    cr_expect_eq(count_reads(mix, 1000), 1000);
}

Test(mix, says_what_it_will_send)
{
    mix_declare(set_op("write"), load);
    cr_expect_eq(stage_size_max(bottom, REQUEST_READ), 0);
    cr_expect_eq(stage_size_max(bottom, REQUEST_WRITE), 4096);
    mix_declare(set_op("mix"), load);
    cr_expect_eq(stage_size_max(bottom, REQUEST_READ), 4096);
}
