/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/stack.h"

#include <assert.h>
#include <string.h>

static void pass_complete(struct stage *self, struct request *req, enum request_status status)
{
    stage_complete_above(self, req, status);
}

struct engine *stack_create(struct arena *arena, uint64_t seed, uint64_t repeat)
{
    struct engine *engine = arena_alloc(arena, sizeof(*engine));
    engine->arena = arena;
    engine->seed = seed;
    engine->repeat = repeat;
    event_list_init(&engine->events, arena);
    request_pool_init(&engine->pool, arena);
    return engine;
}

struct cpu *stack_add_cpu(struct engine *engine, const char *name, const struct cpu_config *config)
{
    assert(engine->cpu_count < ENGINE_CPUS_MAX);
    struct cpu *cpu = cpu_create(engine, name, config);
    engine->cpus[engine->cpu_count++] = cpu;
    return cpu;
}

struct stage *stack_add_stage(struct engine *engine, const char *name, const struct model *model)
{
    assert(engine->stage_count < ENGINE_STAGES_MAX);
    assert(model->phase_count >= 1);
    struct stage *stage = arena_alloc(engine->arena, sizeof(*stage));
    stage->engine = engine;
    stage->name = name;
    stage->model = model;
    stage->submit = model->submit != NULL ? model->submit : stage_submit_below;
    stage->complete = model->complete != NULL ? model->complete : pass_complete;
    stage->state = arena_alloc(engine->arena, model->state_size > 0 ? model->state_size : 1);
    stage->links = arena_array(engine->arena, ENGINE_LOADS_MAX, sizeof(stage->links[0]));
    stage->key = random_key(engine->seed, engine->repeat, name);
    stage->stream.state = stage->key;
    param_set_presets(model->params, model->param_count, stage->state);
    engine->stages[engine->stage_count++] = stage;
    if (model->load) {
        assert(engine->load_count < ENGINE_LOADS_MAX);
        stage->load_index = (uint8_t)engine->load_count;
        engine->loads[engine->load_count++].stage = stage;
    }
    return stage;
}

struct stage *stack_find_stage(const struct engine *engine, const char *name)
{
    for (unsigned i = 0; i < engine->stage_count; i++) {
        if (strcmp(engine->stages[i]->name, name) == 0) {
            return engine->stages[i];
        }
    }
    return NULL;
}

void stack_route(struct engine *engine, struct stage *upper, struct stage *load,
                 struct stage *lower)
{
    for (unsigned l = 0; l < ENGINE_LOADS_MAX; l++) {
        struct link *link = &upper->links[l];
        bool named = load != NULL && l < engine->load_count && engine->loads[l].stage == load;
        if (named || (load == NULL && !link->routed_by_load)) {
            link->below = lower;
            link->routed = true;
            link->routed_by_load = named;
        }
    }
}

/* ---- Ways. ---- */

/* The stage below on a load's way: as routed, or the next one that is no load; NULL: none. */
static struct stage *find_below(const struct engine *engine, unsigned place, unsigned load)
{
    const struct link *link = &engine->stages[place]->links[load];
    if (link->routed) {
        return link->below;
    }
    while (++place < engine->stage_count) {
        if (!engine->stages[place]->model->load) {
            return engine->stages[place];
        }
    }
    return NULL;
}

static unsigned place_of(const struct engine *engine, const struct stage *stage)
{
    unsigned place = 0;
    while (engine->stages[place] != stage) {
        place++;
    }
    return place;
}

static bool check_step(const struct stage *stage, const struct stage *below,
                       const struct load *load, struct error *err)
{
    if (below == NULL && !stage->model->bottom) {
        error_user(err, NULL, "stage `%s` (%s) stands over nothing", stage->name,
                   stage->model->name);
        return error_hint(err, "put a device or a link under it");
    }
    if (below != NULL && stage->model->bottom) {
        error_user(err, NULL, "stage `%s` (%s) stands over `%s`, but nothing can be under it",
                   stage->name, stage->model->name, below->name);
        return error_hint(err, "write `over: none` for it, or move it to the end");
    }
    if (below != NULL && below->model->load) {
        error_user(err, NULL, "load `%s` stands under `%s`", below->name, stage->name);
        return error_hint(err, "loads stand at the top of a stack");
    }
    if (below != NULL && below->links[load - stage->engine->loads].on_way) {
        return error_user(err, NULL, "the stack loops: `%s` stands over `%s`, which is above it",
                          stage->name, below->name);
    }
    return true;
}

/* What has been completed early is only counted above. */
static bool check_early(const struct load *load, const struct stage *stage, struct error *err)
{
    for (unsigned i = 0; stage->model->completes_early && i < load->level_count; i++) {
        const struct stage *above = load->way[i];
        if (above->model->holds_up) {
            error_user(err, NULL,
                       "`%s` (%s) stands over `%s`, which gives requests back before it is through "
                       "with them",
                       above->name, above->model->name, stage->name);
            return error_hint(err, "put `%s` under it, or leave one of them out", stage->name);
        }
    }
    return true;
}

static bool check_size(const struct load *load, const struct stage *stage, struct error *err)
{
    if (load->level_count >= WAY_LEVELS_MAX) {
        return error_user(err, NULL, "more than %d stages under load `%s`", WAY_LEVELS_MAX,
                          load->stage->name);
    }
    if (load->phase_count + stage->model->phase_count > WAY_PHASES_MAX) {
        error_user(err, NULL, "the way of load `%s` has more than %d phases at stage `%s`",
                   load->stage->name, WAY_PHASES_MAX, stage->name);
        return error_hint(err, "split the stack, or take a stage out");
    }
    return true;
}

static uint8_t find_back_phase(const struct model *model)
{
    for (unsigned i = 0; i < model->phase_count; i++) {
        if (model->phases[i].back) {
            return (uint8_t)i;
        }
    }
    return 0;
}

static void add_to_way(struct load *load, struct stage *stage, struct link *link)
{
    const struct model *model = stage->model;
    uint8_t base = (uint8_t)load->phase_count;
    link->on_way = true;
    link->load = load;
    link->phase_count = (uint8_t)model->phase_count;
    link->level = (uint8_t)load->level_count;
    link->phase_base = base;
    link->phase_first = base;
    link->phase_back = (uint8_t)(base + find_back_phase(model));
    link->draw_key = random_mix(stage->key ^ random_mix(load->stage->key));
    load->way[load->level_count++] = stage;
    for (unsigned i = 0; i < model->phase_count; i++) {
        load->phases[load->phase_count++] = (struct way_phase){ stage, model->phases[i].name };
    }
}

static bool build_way(struct engine *engine, unsigned l, struct error *err)
{
    struct load *load = &engine->loads[l];
    struct stage *above = NULL;
    bool early = false;
    for (struct stage *stage = load->stage; stage != NULL;) {
        struct link *link = &stage->links[l];
        struct stage *below = find_below(engine, place_of(engine, stage), l);
        if (!check_size(load, stage, err) || !check_early(load, stage, err)) {
            return false;
        }
        add_to_way(load, stage, link);
        link->above = above;
        link->below = below;
        early = early || stage->model->completes_early;
        if (!check_step(stage, below, load, err)) {
            return false;
        }
        above = stage;
        stage = below;
    }
    record_init(&load->record, engine->arena, load->phase_count, early);
    return true;
}

static bool check_reached(const struct engine *engine, struct error *err)
{
    for (unsigned i = 0; i < engine->stage_count; i++) {
        const struct stage *stage = engine->stages[i];
        bool reached = false;
        for (unsigned l = 0; l < engine->load_count; l++) {
            reached = reached || stage->links[l].on_way;
        }
        if (!reached) {
            error_user(err, NULL, "no request reaches stage `%s`", stage->name);
            return error_hint(err, "name it in an `over:` above it, or take it out");
        }
    }
    return true;
}

/* The lowest place of the stage on any way. */
static unsigned level_of(const struct stage *stage)
{
    unsigned level = 0;
    for (unsigned l = 0; l < stage->engine->load_count; l++) {
        const struct link *link = &stage->links[l];
        level = link->on_way && link->level > level ? link->level : level;
    }
    return level;
}

/* From the loads down: stages look at what is above them. */
static bool init_stages(struct engine *engine, struct error *err)
{
    for (unsigned level = 0; level < WAY_LEVELS_MAX; level++) {
        for (unsigned i = 0; i < engine->stage_count; i++) {
            struct stage *stage = engine->stages[i];
            bool (*init)(struct stage *, struct error *) = stage->model->init;
            if (level_of(stage) == level && init != NULL && !init(stage, err)) {
                return false;
            }
        }
    }
    return true;
}

bool stack_build(struct engine *engine, struct error *err)
{
    if (engine->load_count == 0) {
        error_user(err, NULL, "the stack has no load");
        return error_hint(err, "put an open_load or a closed_load at its top");
    }
    for (unsigned l = 0; l < engine->load_count; l++) {
        if (!build_way(engine, l, err)) {
            return false;
        }
    }
    if (!check_reached(engine, err)) {
        return false;
    }
    return init_stages(engine, err);
}
