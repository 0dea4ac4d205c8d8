/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/theory/net_trial.h"

#include <inttypes.h>

#include "tests/theory/build.h"

struct trial begin(struct tap *tap)
{
    struct trial trial = { .tap = tap, .arena = arena_create() };
    trial.engine = stack_create(trial.arena, 1, 0);
    return trial;
}

void start(struct trial *trial, sim_time measure)
{
    build(trial->engine);
    engine_start(trial->engine, &(struct engine_span){ .measure = measure, .drain = 1000 * SIM_S });
}

void end(struct trial *trial, const char *name)
{
    engine_end(trial->engine);
    arena_destroy(trial->arena);
    tap_end(trial->tap, name);
}

int64_t counted(const struct trial *trial, const char *owner, const char *name)
{
    static struct report report;
    report.count = 0;
    for (unsigned i = 0; i < trial->engine->stage_count; i++) {
        const struct stage *stage = trial->engine->stages[i];
        report.owner = stage->name;
        if (stage->model->report != NULL) {
            stage->model->report(stage, &report);
        }
    }
    return reported(&report, owner, name);
}

void expect(const struct trial *trial, const char *owner, const char *name, int64_t value)
{
    int64_t found = counted(trial, owner, name);
    CHECK(trial->tap, found == value,
          "%s %s is %" PRId64 " where %" PRId64 " is expected, at %g ms", owner, name, found, value,
          (double)trial->engine->events.now / (double)SIM_MS);
}

void expect_at(struct trial *trial, sim_time when, const char *owner, const char *name,
               int64_t value)
{
    advance_to(trial->engine, when);
    expect(trial, owner, name, value);
}

struct stage *add_load(struct engine *engine, const char *name, int64_t per_second,
                       int64_t size_bytes)
{
    struct stage *load = add_stage(engine, name, "open_load");
    set_name(load, "op", "write");
    set_value(load, "rate", per_second * 1000);
    set_name(load, "arrivals", "constant");
    set_value(load, "size", size_bytes);
    return load;
}

struct stage *add_link(struct engine *engine, int64_t bits_per_second, int64_t limit)
{
    struct stage *link = add_stage(engine, "netem", "link");
    set_value(link, "rate", bits_per_second);
    set_value(link, "limit", limit);
    return link;
}
