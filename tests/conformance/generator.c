/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/conformance/generator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "models/registry.h"
#include "tests/conformance/probes.h"
#include "tests/conformance/set.h"
#include "tests/conformance/spy.h"

#define MODEL(name) extern const struct model name##_model;
#include "models/models.def"
#undef MODEL

#define MODEL(name) &name##_model,
#define PROBE(name) &name##_model,
const struct model *const known_models[] = {
#include "models/models.def"
#include "tests/conformance/probes.def"
};
#undef MODEL
#undef PROBE

const size_t known_model_count = ARRAY_LENGTH(known_models);

const struct model *known_model(const char *name)
{
    for (size_t i = 0; i < known_model_count; i++) {
        if (strcmp(known_models[i]->name, name) == 0) {
            return known_models[i];
        }
    }
    return NULL;
}

int64_t pick(struct random_stream *stream, int64_t bound)
{
    return (int64_t)random_below(stream, (uint64_t)bound);
}

/* ---- Values. ---- */

static int64_t clamp(const struct param *param, int64_t value)
{
    value = value < param->min ? param->min : value;
    return value > param->max ? param->max : value;
}

/* Zero and the default often, else up to 20 us. What may not be zero is no timer that runs wild. */
static sim_time generate_time(const struct param *param, struct random_stream *stream)
{
    switch (pick(stream, 4)) {
    case 0:
        return param->min == 0 ? 0 : clamp(param, SIM_US);
    case 1:
        return param->preset;
    default:
        return clamp(param, SIM_NS + pick(stream, 20 * SIM_US));
    }
}

static int64_t generate_integer(const struct param *param, struct random_stream *stream)
{
    switch (param->kind) {
    case PARAM_KIND_BOOL:
        return pick(stream, 2);
    case PARAM_KIND_TIME:
        return generate_time(param, stream);
    case PARAM_KIND_SIZE:
        return clamp(param, 1 + pick(stream, 20000));
    case PARAM_KIND_RATIO:
        return pick(stream, 2) == 0 ? clamp(param, 0) : clamp(param, 1000 + pick(stream, 4000));
    case PARAM_KIND_BIT_RATE: /* of 1500 bytes in 12 us to 12 ms */
        return clamp(param, 1000000 * (1 + pick(stream, 1000)));
    case PARAM_KIND_RATE: /* thousandths */
        return clamp(param, (10000 + pick(stream, 200000)) * 1000);
    default:
        return pick(stream, 3) == 0 ? param->preset
                                    : clamp(param, pick(stream, 2 * param->preset + 8));
    }
}

static struct distribution generate_distribution(const struct param *param,
                                                 struct random_stream *stream)
{
    sim_time time = generate_time(param, stream);
    switch (pick(stream, 6)) {
    case 0:
        return distribution_exponential(time);
    case 1:
        return distribution_uniform(0, time);
    case 2:
        return distribution_lognormal(time, 0.7);
    case 3:
        return distribution_plus(distribution_gamma(time / 2, 0.5), time / 2);
    default:
        return distribution_constant(time);
    }
}

static struct cpu *generate_cpu(const struct stage *stage, const struct param *param,
                                struct random_stream *stream)
{
    const struct engine *engine = stage->engine;
    int64_t i = pick(stream, engine->cpu_count + !param->required);
    return i < engine->cpu_count ? engine->cpus[i] : NULL;
}

static void generate_param(struct stage *stage, const struct param *param,
                           struct random_stream *stream)
{
    struct error err = { 0 };
    bool good = true;
    size_t names = 0;
    switch (param->kind) {
    case PARAM_KIND_DISTRIBUTION:
        good = param_set_distribution(param, stage->state, generate_distribution(param, stream),
                                      NULL, &err);
        break;
    case PARAM_KIND_CPU:
        good = param_set_cpu(param, stage->state, generate_cpu(stage, param, stream), NULL, &err);
        break;
    case PARAM_KIND_CHOICE:
    case PARAM_KIND_POLICY:
        while (param_name_at(param, names) != NULL) {
            names++;
        }
        good =
            param_set_name(param, stage->state,
                           param_name_at(param, (size_t)pick(stream, (int64_t)names)), NULL, &err);
        break;
    default:
        if (param->preset_doc == NULL || pick(stream, 2) == 0) {
            int64_t value = generate_integer(param, stream);
            good = param_set_integer(param, stage->state, value, NULL, &err);
        }
    }
    assert(good);
}

/* A cpu that is an event loop; one is added where there is none. */
static struct cpu *find_loop(struct engine *engine)
{
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        if (cpu_is_loop(engine->cpus[i])) {
            return engine->cpus[i];
        }
    }
    const struct cpu_config config = { .threads = 1, .loop = SIM_US };
    return stack_add_cpu(engine, "loop", &config);
}

void generate_params(struct stage *stage, struct random_stream *stream)
{
    for (size_t i = 0; i < stage->model->param_count; i++) {
        generate_param(stage, &stage->model->params[i], stream);
    }
    if (strcmp(stage->model->name, "closed_load") == 0) { /* its circle takes time somewhere */
        struct distribution some = distribution_constant(5 * SIM_US + pick(stream, 20 * SIM_US));
        set_distribution(stage, pick(stream, 2) == 0 ? "think" : "submit", some);
    } else if (strcmp(stage->model->name, "virtio_net_tx") == 0) { /* a ring for its packets */
        int64_t descriptors = 1 + pick(stream, 4);
        int64_t room = pick(stream, 100);
        set_value(stage, "descriptors", descriptors);
        set_value(stage, "entries", descriptors + room);
        set_value(stage, "stop", descriptors + pick(stream, room + 1));
    } else if (strcmp(stage->model->name, "vhost_net") == 0) { /* a limit within any ring */
        set_value(stage, "shift", 1 + pick(stream, 4));
    }
    if (strcmp(stage->model->name, "p9_server") == 0) { /* a listing is thousands of events */
        set_value(stage, "files", pick(stream, 40));
        set_cpu(stage, "cpu", find_loop(stage->engine));
    }
}

unsigned generate_cpus(struct engine *engine, struct random_stream *stream)
{
    static const char *const names[] = { "cpu0", "cpu1", "cpu2" };
    unsigned count = 1 + (unsigned)pick(stream, 3);
    for (unsigned i = 0; i < count; i++) {
        struct cpu_config config = { .threads = 1 + pick(stream, 3), .loop = -1 };
        if (pick(stream, 3) == 0) {
            config.threads = 1;
            config.loop = pick(stream, 2) * 2 * SIM_US;
        }
        if (pick(stream, 2) == 0) {
            config.wake = distribution_exponential(3 * SIM_US);
        }
        stack_add_cpu(engine, names[i], &config);
    }
    return count;
}

/* ---- Stacks. ---- */

enum { BOTTOM_PHASES = 3 }; /* that the stages above leave to a bottom at least */

/* What stands on the ways that are being built. */
struct plan {
    struct engine *engine;
    struct random_stream *stream;
    unsigned phases; /* on the longest way, with BOTTOM_PHASES */
    bool no_early;   /* something above could not bear it */
    bool no_split;   /* children have no children */
    bool no_batch;   /* something above may part the requests of a call */
};

/* It waits for all requests of a call. */
static bool gathers(const struct model *model)
{
    return model == &probe_doorbell_model || model == &nvme_passthrough_model;
}

static const struct model *draw_model(struct plan *plan, bool load, bool bottom)
{
    const struct model *model;
    do {
        model = known_models[pick(plan->stream, (int64_t)known_model_count)];
    } while (model->load != load || model->bottom != bottom ||
             (bottom && plan->phases - BOTTOM_PHASES + model->phase_count > WAY_PHASES_MAX) ||
             (plan->no_early && model->completes_early) ||
             (plan->no_split && model == &probe_split_model) || (plan->no_batch && gathers(model)));
    return model;
}

static struct stage *add(struct plan *plan, const char *kind, unsigned i, const struct model *model)
{
    struct engine *engine = plan->engine;
    const char *name = arena_printf(engine->arena, "%s%u", kind, i);
    struct stage *stage = spy_add_stage(engine, name, model);
    generate_params(stage, plan->stream);
    plan->no_early = plan->no_early || model->holds_up;
    plan->no_split = plan->no_split || model == &probe_split_model;
    bool keeps_batches =
        model->load || model == &probe_pass_model || model == &probe_doorbell_model;
    plan->no_batch = plan->no_batch || !keeps_batches;
    return stage;
}

/* A stage that is no load and no bottom, if its phases still fit; NULL: they do not. */
static struct stage *add_middle(struct plan *plan, const char *kind, unsigned i)
{
    const struct model *model = draw_model(plan, false, false);
    if (plan->phases + model->phase_count > WAY_PHASES_MAX) {
        return NULL;
    }
    plan->phases += (unsigned)model->phase_count;
    return add(plan, kind, i, model);
}

void generate_stack(struct engine *engine, struct random_stream *stream)
{
    enum { LOADS = 3, LOAD_AND_BOTTOM_PHASES = 2 + BOTTOM_PHASES };
    struct plan plan = { .engine = engine, .stream = stream };
    unsigned load_count = 1 + (unsigned)pick(stream, LOADS);
    struct stage *loads[LOADS];
    struct stage *lowest[LOADS]; /* that only this load uses */
    struct stage *shared = NULL; /* the lowest that all use */
    generate_cpus(engine, stream);
    for (unsigned l = 0; l < load_count; l++) {
        loads[l] = lowest[l] = add(&plan, "load", l, draw_model(&plan, true, false));
    }
    unsigned above = plan.phases = LOAD_AND_BOTTOM_PHASES;
    for (unsigned l = 0; l < load_count; l++) {
        plan.phases = LOAD_AND_BOTTOM_PHASES;
        struct stage *own = pick(stream, 2) == 0 ? add_middle(&plan, "own", l) : NULL;
        if (own != NULL) {
            stack_route(engine, loads[l], NULL, own);
            lowest[l] = own;
        }
        above = plan.phases > above ? plan.phases : above;
    }
    plan.phases = above;
    unsigned shared_count = (unsigned)pick(stream, 5);
    for (unsigned i = 0; i < shared_count; i++) {
        struct stage *middle = add_middle(&plan, "shared", i);
        for (unsigned l = 0; shared == NULL && middle != NULL && l < load_count; l++) {
            stack_route(engine, lowest[l], NULL, middle);
        }
        if (shared != NULL && middle != NULL) {
            stack_route(engine, shared, NULL, middle);
        }
        shared = middle != NULL ? middle : shared;
    }
    /* One bottom for all, or one for each. */
    struct stage *bottom = NULL;
    for (unsigned l = 0; l < load_count; l++) {
        if (bottom == NULL || pick(stream, 2) == 0) {
            bottom = add(&plan, "bottom", l, draw_model(&plan, false, true));
            stack_route(engine, bottom, NULL, NULL);
        }
        stack_route(engine, shared != NULL ? shared : lowest[l], loads[l], bottom);
    }
}
