/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack that uses every distribution and every load, cpus of all kinds, drops, children and early
 * completions. Its requests come out as lines, so that builds by different compilers can be
 * compared byte by byte; what was recorded of them follows.
 *
 *   test_determinism              runs it twice and compares hashes of the lines
 *   test_determinism --dump N     writes the lines of about N requests
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/generator.h"
#include "tests/conformance/probes.h"
#include "tests/conformance/set.h"
#include "tests/conformance/tap.h"

/* Where lines go: to `out`, or only into the hash. */
struct sink {
    FILE *out;
    uint64_t hash;
    uint64_t lines;
};

/* FNV-1a. */
static void put(struct sink *sink, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        sink->hash = (sink->hash ^ (uint8_t)line[i]) * UINT64_C(1099511628211);
    }
    sink->lines++;
    if (sink->out != NULL) {
        fwrite(line, 1, length, sink->out);
    }
}

#define PUT(sink, ...)                                                                             \
    do {                                                                                           \
        char line[256];                                                                            \
        put(sink, line, (size_t)snprintf(line, sizeof(line), __VA_ARGS__));                        \
    } while (0)

/* ---- Loads that say what comes back. ---- */

/* A load's model with another complete. */
struct talking_model {
    struct model model; /* first, so that a stage's model leads here */
    const struct model *real;
    struct sink *sink;
};

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    const struct talking_model *talking = (const void *)self->model;
    PUT(talking->sink, "%s %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %d %" PRId64 "\n",
        self->name, req->number, req->due, req->issued, stage_now(self), (int)status, req->op,
        req->size_bytes);
    talking->real->complete(self, req, status);
}

static struct stage *add_load(struct engine *engine, const char *name, const char *model,
                              struct sink *sink)
{
    struct talking_model *talking = arena_alloc(engine->arena, sizeof(*talking));
    talking->real = known_model(model);
    talking->model = *talking->real;
    talking->model.complete = complete;
    talking->sink = sink;
    return stack_add_stage(engine, name, &talking->model);
}

/* ---- The stack. ---- */

static struct stage *add_open_load(struct engine *engine, const char *name, const char *arrivals,
                                   int64_t rate, struct sink *sink)
{
    struct stage *load = add_load(engine, name, "open_load", sink);
    set_value(load, "rate", rate * 1000);
    set_name(load, "arrivals", arrivals);
    set_name(load, "op", "mix");
    return load;
}

static struct distribution mixture(struct engine *engine)
{
    static const double cumulative[] = { 0.3, 0.9, 1 };
    static const sim_time values[] = { SIM_US, 3 * SIM_US, 3 * SIM_US, 10 * SIM_US };
    struct distribution *parts = arena_array(engine->arena, 3, sizeof(*parts));
    parts[0] = distribution_exponential(5 * SIM_US);
    parts[1] = distribution_empirical(values, ARRAY_LENGTH(values));
    parts[2] = distribution_pareto(SIM_US, 1.7);
    return distribution_mixture(parts, cumulative, 3);
}

/* open, paced -> wide (forward) -+                                   +-> drop
 * closed      -> deep (queue) ---+-> copy (early) -> interrupts -> --+
 * bursts      -> parts (split) -> slots -> disk                      +-> disk */
static void fill(struct engine *engine, struct sink *sink)
{
    struct cpu *app = stack_add_cpu(
        engine, "app", &(struct cpu_config){ 2, distribution_lognormal(3 * SIM_US, 1.2), -1 });
    struct cpu *worker = stack_add_cpu(
        engine, "worker", &(struct cpu_config){ 1, distribution_exponential(2 * SIM_US), -1 });
    struct cpu *loop =
        stack_add_cpu(engine, "loop", &(struct cpu_config){ .threads = 1, .loop = SIM_US });
    struct stage *open = add_open_load(engine, "open", "poisson", 20000, sink);
    struct stage *paced = add_open_load(engine, "paced", "constant", 7001, sink);
    struct stage *bursts = add_open_load(engine, "bursts", "bursty", 30000, sink);
    struct stage *closed = add_load(engine, "closed", "closed_load", sink);
    set_distribution(open, "submit", distribution_uniform(0, 2 * SIM_US));
    set_distribution(paced, "submit", distribution_normal(2 * SIM_US, SIM_US));
    set_cpu(paced, "cpu", app);
    set_value(bursts, "rate_off", 1000 * 1000);
    set_value(closed, "depth", 8);
    set_value(closed, "submit_batch", 3);
    set_cpu(closed, "cpu", app);
    set_distribution(closed, "submit", distribution_gamma(2 * SIM_US, 0.6));
    set_distribution(closed, "reap", distribution_gamma(SIM_US, 4.5));
    set_distribution(closed, "think", distribution_exponential(200 * SIM_US));
    struct stage *wide = stack_add_stage(engine, "wide", &probe_forward_model);
    set_distribution(wide, "receive", distribution_pareto(SIM_US, 2.5));
    set_distribution(wide, "send", mixture(engine));
    struct stage *deep = stack_add_stage(engine, "deep", known_model("virtio_fs"));
    set_cpu(deep, "cpu", worker);
    set_value(deep, "entries", 16);
    struct stage *parts = stack_add_stage(engine, "parts", &probe_split_model);
    struct stage *slots = stack_add_stage(engine, "slots", &probe_slots_model);
    set_cpu(slots, "cpu", loop);
    set_value(slots, "entries", 3);
    struct stage *copy = stack_add_stage(engine, "copy", &probe_early_model);
    set_cpu(copy, "cpu", worker);
    set_value(copy, "drop_every", 50);
    struct stage *irq = stack_add_stage(engine, "irq", &probe_interrupt_model);
    set_cpu(irq, "cpu", app);
    struct stage *drop = stack_add_stage(engine, "drop", &probe_drop_model);
    set_distribution(drop, "service", distribution_plus(distribution_exponential(9 * SIM_US), 7));
    struct stage *disk = stack_add_stage(engine, "disk", known_model("device"));
    set_value(disk, "servers", 4);
    set_distribution(disk, "service", distribution_lognormal(20 * SIM_US, 0.8));
    set_distribution(disk, "delay", distribution_gamma(10 * SIM_US, 12));
    stack_route(engine, open, NULL, wide);
    stack_route(engine, paced, NULL, wide);
    stack_route(engine, closed, NULL, deep);
    stack_route(engine, bursts, NULL, parts);
    stack_route(engine, wide, NULL, copy);
    stack_route(engine, deep, NULL, disk);
    stack_route(engine, slots, NULL, disk);
    stack_route(engine, irq, NULL, drop);
    stack_route(engine, drop, NULL, NULL);
}

static void put_record(struct sink *sink, const struct load *load)
{
    const struct record *record = &load->record;
    const struct histogram *ends[] = { &record->lat, &record->clat, &record->delivered };
    sim_sum spent[WAY_PHASES_MAX];
    PUT(sink, "%s: %" PRIu64 " made, %" PRIu64 " dropped, %" PRIu64 " left\n", load->stage->name,
        load->created, record->dropped, record->unfinished);
    for (size_t i = 0; i < ARRAY_LENGTH(ends) - !record->early; i++) {
        for (uint64_t n = 1; n <= 1000 && ends[i]->count > 0; n++) {
            sim_time value = histogram_quantile(ends[i], (struct quantile){ n, 1000 });
            PUT(sink, "%zu %" PRIu64 " %" PRId64 "\n", i, n, value);
        }
    }
    attribution_band(&record->lat_phases, -1, INT64_MAX, spent);
    for (unsigned phase = 0; phase < load->phase_count; phase++) {
        PUT(sink, "%s %" PRId64 "\n", load->phases[phase].name, (int64_t)spent[phase]);
    }
    for (unsigned i = 0; i < record->slowest_count; i++) {
        PUT(sink, "%" PRIu64 " %" PRId64 "\n", record->slowest[i].number,
            record->slowest[i].latency);
    }
}

/* Requests take microseconds, which are whole picoseconds long before the last bits of a double. At
 * 1000 s these bits show. */
static void put_draws(struct sink *sink, struct engine *engine)
{
    const sim_time mean = 1000 * SIM_S;
    const double halves[] = { 0.5, 1 };
    const struct distribution parts[] = { distribution_exponential(mean),
                                          distribution_lognormal(mean, 2) };
    const struct distribution all[] = {
        distribution_uniform(0, mean),      distribution_exponential(mean),
        distribution_normal(mean, mean),    distribution_lognormal(mean, 0.7),
        distribution_pareto(mean, 1.7),     distribution_gamma(mean, 0.6),
        distribution_gamma(mean, 4.5),      distribution_mixture(parts, halves, 2),
        distribution_plus(parts[0], 12345),
    };
    struct random_stream stream = { random_key(engine->seed, 0, "draws") };
    for (int i = 0; i < 10000; i++) {
        for (size_t k = 0; k < ARRAY_LENGTH(all); k++) {
            PUT(sink, "%zu %" PRId64 "\n", k, distribution_draw(&all[k], &stream));
        }
    }
}

/* About `requests` requests; these loads make about 75,000 a second together. */
static void run(struct sink *sink, int64_t requests)
{
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, 1, 0);
    sim_time measure = requests * (SIM_S / 70000);
    put_draws(sink, engine);
    fill(engine, sink);
    build(engine);
    engine_run(engine,
               &(struct engine_span){ .warmup = 10 * SIM_MS, .measure = measure, .drain = 0 });
    for (unsigned l = 0; l < engine->load_count; l++) {
        put_record(sink, &engine->loads[l]);
    }
    for (size_t i = 0; i < engine->report.count; i++) {
        const struct report_entry *entry = &engine->report.entries[i];
        PUT(sink, "%s.%s %" PRId64 "\n", entry->owner, entry->name, entry->value);
    }
    for (unsigned i = 0; i < engine->cpu_count; i++) {
        for (unsigned class = 0; class < CPU_CLASSES; class ++) {
            PUT(sink, "%s %u %" PRId64 "\n", cpu_name(engine->cpus[i]), class,
                (int64_t)engine->cpu_busy[i][class]);
        }
    }
    arena_destroy(arena);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--dump") == 0) {
        struct sink sink = { .out = stdout };
        run(&sink, strtoll(argv[2], NULL, 10));
        return fflush(stdout) != 0;
    }
    struct tap tap = { 0 };
    struct sink first = { .out = NULL };
    struct sink second = { .out = NULL };
    run(&first, 50000);
    run(&second, 50000);
    printf("# %" PRIu64 " lines, hash %016" PRIx64 "\n", first.lines, first.hash);
    CHECK(&tap, first.lines > 140000, "%" PRIu64 " lines", first.lines);
    CHECK(&tap, first.hash == second.hash && first.lines == second.lines, "not the same twice");
    tap_end(&tap, "the same seed gives the same bytes");
    return tap_exit(&tap);
}
