/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every model and every probe by the same rules: well-formed tables; alone, with random parameters,
 * and in generated stacks every request comes back exactly once to every stage, nothing is left
 * after a drain, what is attributed is what it took, and the same seed gives the same bytes.
 *
 *   test_models [--quick] [--seed N]      --seed runs one generated stack and says what it is
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/generator.h"
#include "tests/conformance/set.h"
#include "tests/conformance/spy.h"

enum { STACKS = 1000, PARAMETER_SETS = 12, QUICK = 20, EVENTS_MAX = 10000000 };

static const struct engine_span span = {
    .warmup = 200 * SIM_US,
    .measure = 800 * SIM_US,
    .drain = 10000 * SIM_S,
};

/* ---- Tables. ---- */

static bool is_word(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text) && *text != 0;
}

static bool is_sentence(const char *text)
{
    return text != NULL && strlen(text) > 3 && text[strlen(text) - 1] == '.';
}

static void check_param(struct tap *tap, const struct model *model, const struct param *param)
{
    const char *name = param->name;
    CHECK(tap, is_word(name), "%s.%s", model->name, name);
    CHECK(tap, is_sentence(param->doc), "%s.%s: no doc", model->name, name);
    CHECK(tap, param_find(model->params, model->param_count, name) == param, "%s.%s: twice",
          model->name, name);
    CHECK(tap, param->offset < model->state_size, "%s.%s: outside the state", model->name, name);
    if (param->kind == PARAM_KIND_CHOICE || param->kind == PARAM_KIND_POLICY) {
        size_t count = 0;
        for (const char *choice; (choice = param_name_at(param, count)) != NULL; count++) {
            CHECK(tap, is_word(choice), "%s.%s: %s", model->name, name, choice);
            CHECK(tap,
                  param->kind == PARAM_KIND_CHOICE || is_sentence(param_summary_at(param, count)),
                  "%s.%s: %s has no summary", model->name, name, choice);
        }
        CHECK(tap, (size_t)param->preset < count, "%s.%s: no default", model->name, name);
    } else if (param->kind != PARAM_KIND_CPU && !param->required && param->preset_doc == NULL) {
        CHECK(tap, param->preset >= param->min && param->preset <= param->max,
              "%s.%s: the default is out of range", model->name, name);
    }
}

static void check_table(struct tap *tap, const struct model *model)
{
    unsigned back = 0;
    CHECK(tap, is_word(model->name), "%s", model->name);
    CHECK(tap, is_sentence(model->summary), "%s: no summary", model->name);
    CHECK(tap, model->phase_count >= 1, "%s: no phase", model->name);
    for (size_t i = 0; i < model->phase_count; i++) {
        back += model->phases[i].back;
        CHECK(tap, model->phases[i].name != NULL, "%s: phase %zu", model->name, i);
    }
    CHECK(tap, back <= 1, "%s: %u phases are marked back", model->name, back);
    CHECK(tap, !(model->load && model->bottom), "%s", model->name);
    CHECK(tap, model->load || model->submit != NULL || !model->bottom, "%s", model->name);
    CHECK(tap, !model->load || (model->start != NULL && model->complete != NULL), "%s",
          model->name);
    for (size_t i = 0; i < model->param_count; i++) {
        check_param(tap, model, &model->params[i]);
    }
}

/* ---- Runs. ---- */

/* Fills an engine with stages; what it is depends on the stream alone. */
typedef void make(struct engine *engine, struct random_stream *stream, const struct model *model);

static void say_stack(const struct engine *engine)
{
    for (unsigned l = 0; l < engine->load_count; l++) {
        printf("#");
        for (unsigned level = 0; level < engine->loads[l].level_count; level++) {
            const struct stage *stage = engine->loads[l].way[level];
            printf(" %s (%s)", stage->name, stage->model->name);
        }
        printf(", %" PRIu64 " requests\n", engine->loads[l].created);
    }
}

/* Until nothing happens any more; what goes on for ever is a fault too. */
static void run_to_idle(struct tap *tap, struct engine *engine)
{
    engine_start(engine, &span);
    while (engine_advance(engine, SIM_NEVER) && engine->event_count < EVENTS_MAX) {
    }
    CHECK(tap, engine->event_count < EVENTS_MAX, "it does not come to rest");
    engine_end(engine);
}

/* Runs it once; false where the parameters do not go together. */
static bool run_once(struct tap *tap, make *fill, const struct model *model, uint64_t seed,
                     uint64_t *digest, bool say)
{
    struct arena *arena = arena_create();
    struct random_stream stream = { random_key(seed, 0, "generator") };
    struct engine *engine = stack_create(arena, seed, 0);
    struct error err = { 0 };
    fill(engine, &stream, model);
    bool built = stack_build(engine, &err);
    if (say) {
        say_stack(engine);
    }
    if (built) {
        run_to_idle(tap, engine);
        spy_check(tap, engine);
        *digest = spy_digest(engine);
        if (say || tap->faults > 0) {
            printf("# seed %" PRIu64 "\n", seed);
            say_stack(engine);
        }
    } else if (say) {
        printf("# %s\n", err.message);
    }
    arena_destroy(arena);
    return built;
}

/* Twice, with the same outcome. */
static bool run_twice(struct tap *tap, make *fill, const struct model *model, uint64_t seed)
{
    uint64_t first = 0;
    uint64_t second = 0;
    if (!run_once(tap, fill, model, seed, &first, false)) {
        return false;
    }
    run_once(tap, fill, model, seed, &second, false);
    CHECK(tap, first == second, "seed %" PRIu64 " gives other bytes the second time", seed);
    return true;
}

/* The model alone: a load over a device, a middle stage between an open load and a device, a bottom
 * under an open load; and half the time with a neighbour that shares it. */
static void fill_alone(struct engine *engine, struct random_stream *stream,
                       const struct model *model)
{
    const struct model *open_load = known_model("open_load");
    generate_cpus(engine, stream);
    generate_params(spy_add_stage(engine, "load", model->load ? model : open_load), stream);
    if (pick(stream, 2) == 0) {
        set_value(spy_add_stage(engine, "neighbour", open_load), "rate", 150000 * 1000);
    }
    if (!model->load) {
        generate_params(spy_add_stage(engine, "stage", model), stream);
    }
    if (!model->bottom) {
        generate_params(spy_add_stage(engine, "device", known_model("device")), stream);
    }
}

static void fill_generated(struct engine *engine, struct random_stream *stream,
                           const struct model *model)
{
    (void)model;
    generate_stack(engine, stream);
}

static void check_alone(struct tap *tap, const struct model *model, int sets)
{
    int built = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)sets; seed++) {
        built += run_twice(tap, fill_alone, model, seed);
    }
    CHECK(tap, 3 * built >= sets, "%s: only %d of %d could be built", model->name, built, sets);
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    struct tap tap = { 0 };
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 2 && strcmp(argv[1], "--seed") == 0) {
        uint64_t digest = 0;
        run_once(&tap, fill_generated, NULL, strtoull(argv[2], NULL, 10), &digest, true);
        printf("# digest %016" PRIx64 "\n", digest);
        tap_end(&tap, "one stack");
        return tap_exit(&tap);
    }
    for (size_t i = 0; i < known_model_count; i++) {
        check_table(&tap, known_models[i]);
    }
    tap_end(&tap, "tables are well formed");
    for (size_t i = 0; i < known_model_count; i++) {
        check_alone(&tap, known_models[i], quick ? 2 : PARAMETER_SETS);
        tap_end(&tap, known_models[i]->name);
    }
    int wanted = quick ? QUICK : STACKS;
    int built = 0;
    uint64_t seed = 0;
    while (built < wanted && seed < 2 * (uint64_t)wanted) {
        built += run_twice(&tap, fill_generated, NULL, ++seed);
    }
    CHECK(&tap, built == wanted, "%d stacks of %" PRIu64 " seeds", built, seed);
    printf("# %d stacks of %" PRIu64 " seeds\n", built, seed);
    tap_end(&tap, "generated stacks");
    return tap_exit(&tap);
}
