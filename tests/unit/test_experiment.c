/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "models/registry.h"
#include "sim/config/experiment.h"
#include "sim/config/values.h"
#include "sim/config/yaml_text.h"

#define CPUS "ringtail: 1\ncpus: {app: {wake: {exponential: 20us}}, kworker: {wake: 3us}}\n"
#define STACK                                                                                      \
    "stack:\n"                                                                                     \
    "  fio: {model: closed_load, depth: 32, cpu: app, submit: 2us}\n"                              \
    "  queue: {model: virtio_fs, cpu: kworker}\n"                                                  \
    "  disk: {model: device, service: {exponential: 8.6us, plus: 8.6us}, delay: 42us}\n"

/* A folder with files in it, and what was loaded from them. */
struct fixture {
    char folder[32];
    struct arena *arena;
    struct experiment experiment;
    struct error err;
};

static void open_folder(struct fixture *fixture)
{
    *fixture = (struct fixture){ .folder = "/tmp/ringtail_XXXXXX", .arena = arena_create() };
    cr_assert_not_null(mkdtemp(fixture->folder));
}

static const char *write_file(struct fixture *fixture, const char *name, const char *text)
{
    const char *path = arena_printf(fixture->arena, "%s/%s", fixture->folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void close_folder(struct fixture *fixture)
{
    static const char *const names[] = { "a.yaml", "b.yaml", "c.csv" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        unlink(arena_printf(fixture->arena, "%s/%s", fixture->folder, names[i]));
    }
    rmdir(fixture->folder);
    arena_destroy(fixture->arena);
}

static void load_with(struct fixture *fixture, const char *text, const char *const *sets,
                      size_t set_count)
{
    const char *path = write_file(fixture, "a.yaml", text);
    cr_assert(
        experiment_load(fixture->arena, path, sets, set_count, &fixture->experiment, &fixture->err),
        "%s:%d:%d: %s", fixture->err.file, fixture->err.line, fixture->err.column,
        fixture->err.message);
}

static void load(struct fixture *fixture, const char *text)
{
    load_with(fixture, text, NULL, 0);
}

static void expect_labels(const struct experiment *experiment, const char *const *labels,
                          size_t count)
{
    cr_assert_eq(experiment->point_count, count, "%zu points", experiment->point_count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_str_eq(experiment->points[i].label, labels[i], "%s", experiment->points[i].label);
    }
}

/* ---- What is left out. ---- */

Test(experiment, defaults)
{
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, CPUS STACK);
    const struct experiment *experiment = &fixture.experiment;
    cr_expect_str_eq(experiment->title, "a.yaml");
    cr_expect_eq(experiment->seed, 1u);
    cr_expect_eq(experiment->span.warmup, 1 * SIM_S);
    cr_expect_eq(experiment->span.measure, 10 * SIM_S);
    cr_expect_eq(experiment->span.drain, 0);
    cr_expect_eq(experiment->repeats, 8);
    cr_expect_eq(experiment->variant_count, 1u);
    cr_expect_str_eq(experiment->variants[0].name, "run");
    cr_expect_eq(experiment->compare_from, -1);
    cr_expect_eq(experiment->measured_count, 0u);
    expect_labels(experiment, (const char *const[]){ "" }, 1);
    close_folder(&fixture);
}

Test(experiment, head)
{
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, CPUS STACK "title: ring full\nseed: 9223372036854775807\n"
                              "run: {warmup: 0s, measure: 1ms, drain: 2us, repeats: 1}\n"
                              "expect: [{metric: p99.9, max: 1ms}]\n");
    const struct experiment *experiment = &fixture.experiment;
    cr_expect_str_eq(experiment->title, "ring full");
    cr_expect_eq(experiment->seed, (uint64_t)INT64_MAX);
    cr_expect_eq(experiment->span.warmup, 0);
    cr_expect_eq(experiment->span.measure, 1 * SIM_MS);
    cr_expect_eq(experiment->span.drain, 2 * SIM_US);
    cr_expect_eq(experiment->repeats, 1);
    close_folder(&fixture);
}

/* ---- Points. ---- */

Test(experiment, ranges)
{
    static const char *const depths[] = { "fio.depth = 1", "fio.depth = 2", "fio.depth = 4" };
    static const char *const times[] = { "disk.delay = 500ns", "disk.delay = 750ns",
                                         "disk.delay = 1us" };
    static const char *const tenths[] = { "fio.depth = 10", "fio.depth = 15", "fio.depth = 23" };
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, CPUS STACK "sweep: {fio.depth: {from: 1, to: 7, times: 2}}\n");
    expect_labels(&fixture.experiment, depths, 3);
    load(&fixture, CPUS STACK "sweep: {disk.delay: {from: 0.5us, to: 1us, step: 250ns}}\n");
    expect_labels(&fixture.experiment, times, 3);
    load(&fixture, CPUS STACK "sweep: {fio.depth: {from: 10, to: 23, times: 1.5}}\n");
    expect_labels(&fixture.experiment, tenths, 3);
    close_folder(&fixture);
}

Test(experiment, grid_in_the_order_of_the_file)
{
    static const char *const labels[] = {
        "queue.hz = 100, fio.op = read, fio.depth = 4",
        "queue.hz = 100, fio.op = write, fio.depth = 8",
        "queue.hz = 250, fio.op = read, fio.depth = 4",
        "queue.hz = 250, fio.op = write, fio.depth = 8",
    };
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, CPUS STACK
         "sweep: {queue.hz: [100, 250], zip: {fio.op: [read, write], fio.depth: [4, 8]}}\n");
    expect_labels(&fixture.experiment, labels, 4);
    close_folder(&fixture);
}

Test(experiment, swept_distributions)
{
    static const char *const labels[] = { "disk.service = 17us",
                                          "disk.service = {exponential: 17us, plus: 1us}" };
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, CPUS STACK "sweep: {disk.service: [17us, {exponential: 17us, plus: 1us}]}\n");
    expect_labels(&fixture.experiment, labels, 2);
    close_folder(&fixture);
}

/* ---- Building. ---- */

static int64_t counter_of(const struct engine *engine, const char *owner, const char *name)
{
    for (size_t i = 0; i < engine->report.count; i++) {
        const struct report_entry *entry = &engine->report.entries[i];
        if (strcmp(entry->owner, owner) == 0 && strcmp(entry->name, name) == 0) {
            return entry->value;
        }
    }
    cr_assert_fail("no counter %s.%s", owner, name);
    return -1;
}

static struct engine *run(struct fixture *fixture, size_t variant, size_t point)
{
    struct engine *engine =
        experiment_build(&fixture->experiment, variant, point, 0, fixture->arena, &fixture->err);
    cr_assert_not_null(engine, "%s", fixture->err.message);
    engine_run(engine, &(struct engine_span){ .warmup = 0, .measure = 5 * SIM_MS, .drain = 0 });
    return engine;
}

/* A closed load over a device that takes exactly `delay` completes depth requests per delay. */
static void expect_served(struct fixture *fixture, size_t variant, size_t point, int64_t served)
{
    struct engine *engine = run(fixture, variant, point);
    int64_t got = counter_of(engine, "disk", "served");
    cr_expect_eq(got, served, "variant %zu, point %zu: %ld", variant, point, (long)got);
}

#define PLAIN                                                                                      \
    "ringtail: 1\nstack:\n"                                                                        \
    "  fio: {model: closed_load, depth: 1}\n"                                                      \
    "  disk: {model: device, delay: 1ms}\n"

Test(experiment, later_values_win)
{
    static const char *const sets[] = { "disk.delay=500us", "disk.delay=250us" };
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, PLAIN);
    expect_served(&fixture, 0, 0, 5);
    load(&fixture,
         PLAIN "variants: {one: , two: {fio.depth: 2}}\nsweep: {disk.delay: [1ms, 500us]}\n");
    cr_expect_eq(fixture.experiment.compare_from, 0);
    cr_expect_eq(fixture.experiment.compare_to, 1);
    expect_served(&fixture, 0, 0, 5);
    expect_served(&fixture, 0, 1, 10);
    expect_served(&fixture, 1, 0, 10);
    expect_served(&fixture, 1, 1, 20);
    load_with(&fixture, PLAIN "variants: {one: {disk.delay: 100us}}\n", sets, 2);
    expect_served(&fixture, 0, 0, 20);
    close_folder(&fixture);
}

Test(experiment, compare)
{
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture, PLAIN "variants: {a: {}, b: {}, c: {}}\n");
    cr_expect_eq(fixture.experiment.compare_from, -1);
    load(&fixture, PLAIN "variants: {a: {}, b: {}, c: {}}\ncompare: {from: c, to: b}\n");
    cr_expect_eq(fixture.experiment.compare_from, 2);
    cr_expect_eq(fixture.experiment.compare_to, 1);
    close_folder(&fixture);
}

Test(experiment, flows_that_part_below_a_shared_stage)
{
    struct fixture fixture;
    open_folder(&fixture);
    load(&fixture,
         CPUS "stack:\n"
              "  small: {model: closed_load, size: 512B, over: queue}\n"
              "  large: {model: closed_load, size: 4KiB, over: queue}\n"
              "  queue: {model: virtio_fs, cpu: kworker, over: {small: near, large: far}}\n"
              "  far: {model: device, delay: 1ms, over: none}\n"
              "  near: {model: device, delay: 100us}\n");
    struct engine *engine = run(&fixture, 0, 0);
    cr_assert_eq(engine->load_count, 2u);
    cr_expect_str_eq(engine->loads[0].way[1]->name, "queue");
    cr_expect_str_eq(engine->loads[0].way[2]->name, "near");
    cr_expect_str_eq(engine->loads[1].way[2]->name, "far");
    cr_expect_gt(counter_of(engine, "near", "served"), 5 * counter_of(engine, "far", "served"));
    close_folder(&fixture);
}

static void expect_equal_runs(struct engine *a, struct engine *b)
{
    const struct record *x = &a->loads[0].record;
    const struct record *y = &b->loads[0].record;
    cr_expect_gt(x->lat.count, 1000u);
    cr_expect_eq(a->event_count, b->event_count);
    cr_expect_eq(memcmp(x->lat.counts, y->lat.counts, HISTOGRAM_BUCKETS * sizeof(uint64_t)), 0);
    cr_expect_eq(memcmp(x->clat.counts, y->clat.counts, HISTOGRAM_BUCKETS * sizeof(uint64_t)), 0);
    cr_expect(x->lat.sum == y->lat.sum && x->lat.max == y->lat.max);
    cr_expect_eq(x->completed_in_window, y->completed_in_window);
    cr_assert_eq(a->report.count, b->report.count);
    for (size_t i = 0; i < a->report.count; i++) {
        cr_expect_eq(a->report.entries[i].value, b->report.entries[i].value, "%s",
                     a->report.entries[i].name);
    }
}

static struct stage *add(struct engine *engine, const char *name, const char *model)
{
    return stack_add_stage(engine, name, model_find(model));
}

static const struct param *param_of(const struct stage *stage, const char *name)
{
    return param_find(stage->model->params, stage->model->param_count, name);
}

/* The system of configs/virtio_fs_read.yaml through the C API alone. */
static struct engine *build_by_hand(struct arena *arena, int64_t depth, const char *policy)
{
    struct error err = { 0 };
    struct engine *engine = stack_create(arena, 1, 0);
    struct cpu *app = stack_add_cpu(
        engine, "app", &(struct cpu_config){ 1, distribution_exponential(20 * SIM_US), -1 });
    struct cpu *kworker = stack_add_cpu(
        engine, "kworker", &(struct cpu_config){ 1, distribution_constant(3 * SIM_US), -1 });
    struct stage *fio = add(engine, "fio", "closed_load");
    param_set_integer(param_of(fio, "depth"), fio->state, depth, NULL, &err);
    param_set_cpu(param_of(fio, "cpu"), fio->state, app, NULL, &err);
    param_set_distribution(param_of(fio, "submit"), fio->state, distribution_constant(2 * SIM_US),
                           NULL, &err);
    struct stage *queue = add(engine, "queue", "virtio_fs");
    param_set_name(param_of(queue, "policy"), queue->state, policy, NULL, &err);
    param_set_cpu(param_of(queue, "cpu"), queue->state, kworker, NULL, &err);
    struct stage *disk = add(engine, "disk", "device");
    param_set_distribution(
        param_of(disk, "service"), disk->state,
        distribution_plus(distribution_exponential(8600 * SIM_NS), 8600 * SIM_NS), NULL, &err);
    param_set_distribution(param_of(disk, "delay"), disk->state, distribution_constant(42 * SIM_US),
                           NULL, &err);
    cr_assert(stack_build(engine, &err), "%s", err.message);
    return engine;
}

Test(experiment, virtio_fs_read_is_the_stack_built_by_hand)
{
    static const char *const policies[] = { "timer_retry", "pending_list" };
    const struct engine_span span = { .warmup = 10 * SIM_MS, .measure = 200 * SIM_MS, .drain = 0 };
    struct fixture fixture;
    open_folder(&fixture);
    cr_assert(experiment_load(fixture.arena, RINGTAIL_SOURCE_DIR "/configs/virtio_fs_read.yaml",
                              NULL, 0, &fixture.experiment, &fixture.err),
              "%s", fixture.err.message);
    cr_assert_eq(fixture.experiment.point_count, 7u);
    for (size_t point = 3; point < 7; point += 3) {
        for (size_t variant = 0; variant < 2; variant++) {
            struct engine *engine = experiment_build(&fixture.experiment, variant, point, 0,
                                                     fixture.arena, &fixture.err);
            struct engine *other =
                build_by_hand(fixture.arena, INT64_C(1) << point, policies[variant]);
            engine_run(engine, &span);
            engine_run(other, &span);
            expect_equal_runs(engine, other);
        }
    }
    close_folder(&fixture);
}

/* ---- Measured figures. ---- */

static double measured(const struct experiment *experiment, size_t variant, size_t point,
                       const char *metric)
{
    const struct measured_figure *figure = experiment_measured(experiment, variant, point, metric);
    return figure == NULL ? -1 : figure->value;
}

Test(experiment, measured_figures_of_the_configs)
{
    struct fixture fixture;
    open_folder(&fixture);
    const struct experiment *experiment = &fixture.experiment;
    cr_assert(experiment_load(fixture.arena, RINGTAIL_SOURCE_DIR "/configs/virtio_fs_read.yaml",
                              NULL, 0, &fixture.experiment, &fixture.err),
              "%s", fixture.err.message);
    cr_expect_eq(measured(experiment, 0, 6, "rate"), 58030.4);
    cr_expect_eq(measured(experiment, 1, 6, "clat.p99.9"), 4686e6);
    cr_expect_eq(measured(experiment, 1, 6, "lat.mean"), 1094.55e6);
    cr_expect_eq(measured(experiment, 1, 6, "fio.max"), 10281e6);
    cr_expect_eq(measured(experiment, 0, 4, "clat.p99.9"), -1); /* an empty cell */
    cr_expect_eq(measured(experiment, 0, 4, "nonsense"), -1);
    cr_assert(experiment_load(fixture.arena, RINGTAIL_SOURCE_DIR "/configs/virtio_fs_write.yaml",
                              NULL, 0, &fixture.experiment, &fixture.err),
              "%s", fixture.err.message);
    cr_expect_eq(experiment->measured_count, 14u);
    cr_expect_eq(measured(experiment, 1, 0, "clat.p50"), 515e6);
    close_folder(&fixture);
}

Test(experiment, measured_by_value_and_unit)
{
    struct fixture fixture;
    open_folder(&fixture);
    write_file(
        &fixture, "c.csv",
        "who,size,delay,median,share\nx,4096B,1ms,2,0.5\nx,1MiB,1000us,3,\ny,4KiB,1ms,9,1\n");
    load(&fixture,
         PLAIN "variants: {a: {}, b: {}}\nsweep: {fio.size: [4KiB, 1MiB]}\n"
               "measured:\n"
               "  - {file: c.csv, where: {who: x}, variant: {is: b}, units: {median: ms},\n"
               "     match: {fio.size: size, disk.delay: delay},\n"
               "     columns: {median: p50, share: utilisation.app}}\n");
    const struct experiment *experiment = &fixture.experiment;
    cr_expect_eq(experiment->measured_count, 3u);
    cr_expect_eq(measured(experiment, 1, 0, "p50"), 2e9);
    cr_expect_eq(measured(experiment, 1, 1, "p50"), 3e9);
    cr_expect_eq(measured(experiment, 1, 0, "utilisation.app"), 0.5);
    cr_expect_eq(measured(experiment, 0, 0, "p50"), -1);
    close_folder(&fixture);
}

/* A parameter has the value that the last --set gave it. */
Test(experiment, measured_at_what_is_set)
{
    static const char *const sets[] = { "fio.depth=8", "fio.depth=2" };
    struct fixture fixture;
    open_folder(&fixture);
    write_file(&fixture, "c.csv", "qd,iops\n1,100\n2,200\n8,800\n");
    load_with(&fixture,
              PLAIN "measured: [{file: c.csv, match: {fio.depth: qd}, columns: {iops: rate}}]\n",
              sets, 2);
    cr_expect_eq(fixture.experiment.measured_count, 1u);
    cr_expect_eq(measured(&fixture.experiment, 0, 0, "rate"), 200);
    close_folder(&fixture);
}

/* ---- Windows that are counted. ---- */

Test(experiment, so_many_requests_are_measured)
{
    static const struct {
        const char *run;
        uint64_t requests;
        bool drains_fully;
    } cases[] = {
        { "{measure: 1000 requests}", 1000, true },
        { "{measure: 1 request, warmup: 1s}", 1, true },
        { "{measure: 7requests, drain: 2ms}", 7, false },
        { "{measure: 7s}", 0, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture fixture;
        open_folder(&fixture);
        load(&fixture, arena_printf(fixture.arena, PLAIN "run: %s\n", cases[i].run));
        const struct experiment *experiment = &fixture.experiment;
        const struct engine_span *span = &experiment->span;
        cr_expect_eq(span->requests, cases[i].requests, "%s", cases[i].run);
        cr_expect_eq(experiment->drains_fully, cases[i].drains_fully, "%s", cases[i].run);
        cr_expect_geq(span->measure, 1);
        cr_expect_leq(span->warmup + span->measure + span->drain, SIM_DURATION_MAX);
        cr_expect(!cases[i].drains_fully || span->drain > SIM_DURATION_MAX / 4);
        close_folder(&fixture);
    }
}

/* The first ones after the warm-up, whatever they take: none is unfinished. */
Test(experiment, counted_requests_are_all_done)
{
    struct fixture fixture;
    struct error err = { 0 };
    open_folder(&fixture);
    load(&fixture, PLAIN "run: {warmup: 10ms, measure: 5 requests}\n");
    struct engine *engine = experiment_build(&fixture.experiment, 0, 0, 0, fixture.arena, &err);
    engine_run(engine, &fixture.experiment.span);
    const struct record *record = &engine->loads[0].record;
    cr_expect_eq(record->arrivals, 5u);
    cr_expect_eq(record->lat.count, 5u);
    cr_expect_eq(record->unfinished, 0u);
    cr_expect_lt(engine->end, SIM_S);
    close_folder(&fixture);
}

/* ---- Extending. ---- */

Test(experiment, extends)
{
    struct fixture fixture;
    open_folder(&fixture);
    write_file(&fixture, "b.yaml",
               PLAIN "title: base\nrun: {warmup: 1ms, measure: 5ms}\n"
                     "variants: {a: {fio.depth: 1}}\nsweep: {disk.delay: [1ms, 2ms]}\n");
    load(&fixture, "ringtail: 1\nextends: b.yaml\nrun: {measure: 7ms}\n"
                   "stack: {disk: {delay: {exponential: 1ms}}, fio: {depth: 2}}\n"
                   "variants: {a: {fio.think: 1us}, b: {}}\nsweep: {disk.delay: [3ms]}\n");
    const struct experiment *experiment = &fixture.experiment;
    cr_expect_str_eq(experiment->title, "base");
    cr_expect_eq(experiment->span.warmup, 1 * SIM_MS);
    cr_expect_eq(experiment->span.measure, 7 * SIM_MS);
    cr_expect_eq(experiment->variant_count, 2u);
    cr_expect_str_eq(yaml_text(fixture.arena, node_find(experiment->root, "stack")),
                     "{fio: {model: closed_load, depth: 2}, "
                     "disk: {model: device, delay: {exponential: 1ms}}}");
    cr_expect_str_eq(yaml_text(fixture.arena, node_find(experiment->root, "variants")),
                     "{a: {fio.depth: 1, fio.think: 1us}, b: {}}");
    expect_labels(experiment, (const char *const[]){ "disk.delay = 3ms" }, 1);
    close_folder(&fixture);
}

/* Files of values are beside the file that names them, and read once. */
Test(experiment, values_are_found_beside_their_file)
{
    struct fixture fixture;
    open_folder(&fixture);
    write_file(&fixture, "c.csv", "wait_us,n\n1.5,1\n,2\n2us,3\n");
    write_file(&fixture, "b.yaml",
               PLAIN "variants: {a: {disk.delay: {empirical: {file: c.csv, column: wait_us}}},\n"
                     "           b: {disk.delay: {sequence: {file: c.csv, column: wait_us}}}}\n");
    load(&fixture, "ringtail: 1\nextends: b.yaml\nsweep: {fio.depth: [1, 2]}\n");
    const struct values *values = fixture.experiment.values;
    cr_expect(values->complete);
    cr_assert_eq(values->count, 1u);
    cr_assert_eq(values->files[0].count, 2u);
    cr_expect_eq(values->files[0].times[0], 1500 * SIM_NS);
    cr_expect_eq(values->files[0].times[1], 2 * SIM_US);
    close_folder(&fixture);
}

Test(experiment, errors_point_into_the_file_that_is_extended)
{
    struct fixture fixture;
    open_folder(&fixture);
    const char *base = write_file(&fixture, "b.yaml", PLAIN "seed: x\n");
    const char *path = write_file(&fixture, "a.yaml", "ringtail: 1\nextends: b.yaml\n");
    cr_expect_not(experiment_load(fixture.arena, path, NULL, 0, &fixture.experiment, &fixture.err));
    cr_expect_str_eq(fixture.err.file, base);
    cr_expect_eq(fixture.err.line, 5);
    cr_expect_null(fixture.experiment.root);
    close_folder(&fixture);
}
