/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With constant parameters and one request at a time, a latency is the sum of the delays on the
 * way, to the picosecond. Each model and probe says here what that sum is; one that does not fails.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/conformance/generator.h"
#include "tests/conformance/set.h"
#include "tests/conformance/spy.h"

/* Odd, so that a rounding anywhere shows. */
#define SERVICE (8 * SIM_US + 3)
#define DELAY (5 * SIM_US + 11)
#define DEVICE (SERVICE + DELAY)
#define WAKE (20 * SIM_US + 7)
#define POOL_WAKE (9 * SIM_US + 5)

/* Of nvme_passthrough: allocate + map, entry + walk + exit, end + unmap, free. */
#define CALL (62 * SIM_NS)
#define HANDLER (430 * SIM_NS)
#define END (88 * SIM_NS + 700)
#define FREE (36 * SIM_NS + 600)

enum { SETTINGS = 6 };

struct setting {
    const char *param;
    const char *name; /* of a choice or policy; NULL: value */
    int64_t value;
};

/* A model between a load that needs no time and the device of the lines above. */
struct zero_load {
    const char *model;
    struct setting settings[SETTINGS];
    bool cpu;      /* on a cpu that sleeps, and wakes up in WAKE; a pool does in POOL_WAKE */
    sim_time loop; /* of that cpu; 0: none */
    sim_time lat;
    sim_time delivered; /* where it differs */
};

static const struct zero_load zero_loads[] = {
    { "open_load", { { "submit", NULL, 2 * SIM_US } }, .lat = 2 * SIM_US + DEVICE },
    { "open_load",
      { { "submit", NULL, 2 * SIM_US } },
      .cpu = true,
      .lat = WAKE + 2 * SIM_US + DEVICE },
    /* Due when the application issues it, which is after its wake-up. */
    { "closed_load",
      { { "think", NULL, SIM_MS }, { "submit", NULL, 2 * SIM_US }, { "reap", NULL, 37 } },
      .cpu = true,
      .lat = 2 * SIM_US + DEVICE + WAKE + 37 },
    { "device", { { "service", NULL, 7 }, { "delay", NULL, 12 } }, .lat = 19 },
    { "device", { { "service", NULL, 7 }, { "servers", NULL, 3 } }, .lat = 7 },
    /* Two entries. A trip is two iterations, and both wake up for it. Per entry there are five:
     * rewind, tell, the entries and the end. */
    { "p9_server",
      { { "policy", "per_entry", 0 },
        { "files", NULL, 0 },
        { "client", NULL, 5 },
        { "read", NULL, 7 },
        { "marshal", NULL, 11 } },
      .cpu = true,
      .loop = 3 * SIM_US,
      .lat = 5 + WAKE + 3 * SIM_US + 5 * (6 * SIM_US + WAKE + POOL_WAKE) + 2 * (7 + 11) },
    { "p9_server",
      { { "trips", NULL, 2 }, { "files", NULL, 0 }, { "read", NULL, 7 }, { "marshal", NULL, 11 } },
      .cpu = true,
      .loop = 3 * SIM_US,
      .lat = WAKE + 3 * SIM_US + 2 * (6 * SIM_US + WAKE + POOL_WAKE) + 2 * (7 + 11) },
    /* 4096 + 24 bytes of 8 bits at 100 Mbit/s. */
    { "link",
      { { "rate", NULL, 100000000 }, { "overhead", NULL, 24 }, { "delay", NULL, 7 * SIM_US + 5 } },
      .lat = 4120 * 80 * SIM_NS + 7 * SIM_US + 5 },
    /* Copied: its bytes go on. */
    { "vhost_net",
      { { "kick", NULL, 2 * SIM_US + 1 },
        { "cost", NULL, 3 * SIM_US },
        { "good_copy", NULL, 4097 } },
      .cpu = true,
      .lat = 2 * SIM_US + 1 + WAKE + 3 * SIM_US,
      .delivered = 2 * SIM_US + 1 + WAKE + 3 * SIM_US + DEVICE },
    /* Zerocopy: the completion wakes the worker, which releases it. */
    { "vhost_net",
      { { "policy", "stall", 0 }, { "kick", NULL, 1 }, { "cost", NULL, 17 } },
      .cpu = true,
      .lat = 1 + WAKE + 17 + DEVICE + WAKE,
      .delivered = 1 + WAKE + 17 + DEVICE },
    { "virtio_fs",
      { { "policy", "timer_retry", 0 } },
      .cpu = true,
      .lat = DEVICE + 2 * SIM_US + WAKE + 150 * SIM_NS + SIM_US },
    { "virtio_fs",
      { { "policy", "pending_list", 0 }, { "interrupt", NULL, 5 }, { "end", NULL, 17 } },
      .cpu = true,
      .lat = DEVICE + 5 + WAKE + 150 * SIM_NS + 17 },
    { "nvme_passthrough",
      { { "mode", "polled", 0 }, { "policy", "single", 0 }, { "statistics", NULL, 13 } },
      .cpu = true,
      .lat = WAKE + CALL + DEVICE + 30 * SIM_NS + END + FREE + 13 },
    { "nvme_passthrough",
      { { "mode", "polled", 0 }, { "fixed_buffers", NULL, 1 }, { "chunk", NULL, 3 } },
      .cpu = true,
      .lat = WAKE + CALL - 50 * SIM_NS + DEVICE + 30 * SIM_NS + END - 25 * SIM_NS + FREE },
    { "nvme_passthrough",
      { { "mode", "interrupt", 0 }, { "policy", "single", 0 }, { "interrupt_extra", NULL, 17 } },
      .cpu = true,
      .lat = WAKE + CALL + DEVICE + HANDLER + 17 + WAKE + END + FREE },
    { "nvme_passthrough",
      { { "mode", "interrupt", 0 }, { "irq_free_penalty", NULL, 17 } },
      .cpu = true,
      .lat = WAKE + CALL + DEVICE + HANDLER + FREE + 17 + WAKE + END },
    { "nvme_passthrough",
      { { "mode", "interrupt", 0 }, { "interrupt_batch", NULL, 2000 } },
      .lat = CALL + DEVICE + HANDLER + FREE / 2 + END },
    /* Its sender has it back when it is in the ring. */
    { "virtio_net_tx",
      { { "transmit", NULL, SIM_US + 1 } },
      .lat = SIM_US + 1,
      .delivered = SIM_US + 1 + DEVICE },
    { "probe_coalesce",
      { { "quiet", NULL, 10 * SIM_US }, { "limit", NULL, 2 } },
      .lat = DEVICE + 10 * SIM_US },
    { "probe_coalesce", { { "limit", NULL, 1 } }, .lat = DEVICE },
    { "probe_doorbell", { { "bell", NULL, 77 } }, .lat = 77 + DEVICE },
    { "probe_drop", { { "service", NULL, 77 } }, .lat = 77 },
    { "probe_early",
      { { "copy", NULL, 900 } },
      .cpu = true,
      .lat = WAKE + 900,
      .delivered = WAKE + 900 + DEVICE },
    { "probe_early", { { "policy", "wait", 0 }, { "copy", NULL, 900 } }, .lat = 900 + DEVICE },
    { "probe_forward", { { "receive", NULL, 31 }, { "send", NULL, 32 } }, .lat = 63 + DEVICE },
    { "probe_interrupt",
      { { "work", NULL, 41 }, { "handle", NULL, 42 } },
      .cpu = true,
      .lat = WAKE + 83 + DEVICE },
    { "probe_pass", { { NULL, NULL, 0 } }, .lat = DEVICE },
    /* An iteration, the poll; then 3.5 us an iteration with its poll. The device is done after
     * 13 us, within the fourth of these, and so is handled in the fifth. */
    { "probe_poller",
      { { "poll", NULL, 500 * SIM_NS }, { "handle", NULL, 13 } },
      .cpu = true,
      .loop = 3 * SIM_US,
      .lat = 5 * (3 * SIM_US + 500 * SIM_NS) + 3 * SIM_US + 13 },
    { "probe_retry",
      { { "interval", NULL, SIM_US }, { "refusals", NULL, 2 } },
      .lat = 3 * SIM_US + DEVICE },
    { "probe_slots", { { "reap", NULL, 150 } }, .cpu = true, .lat = DEVICE + WAKE + 150 },
    { "probe_split", { { "parts", NULL, 1 } }, .lat = DEVICE },
    { "probe_split", { { "parts", NULL, 3 } }, .lat = 2 * SERVICE + DEVICE },
};

static struct cpu *add_cpu(struct engine *engine, const struct zero_load *zero)
{
    struct cpu_config config = {
        .threads = 1,
        .wake = distribution_constant(WAKE),
        .loop = zero->loop > 0 ? zero->loop : -1,
    };
    return zero->cpu ? stack_add_cpu(engine, "cpu", &config) : NULL;
}

static void apply(struct stage *stage, const struct zero_load *zero, struct cpu *cpu)
{
    for (int i = 0; i < SETTINGS && zero->settings[i].param != NULL; i++) {
        const struct setting *setting = &zero->settings[i];
        if (setting->name != NULL) {
            set_name(stage, setting->param, setting->name);
        } else {
            set_value(stage, setting->param, setting->value);
        }
    }
    if (cpu != NULL) {
        set_cpu(stage, "cpu", cpu);
    }
    if (has_param(stage, "pool")) {
        struct cpu_config config = { 2, distribution_constant(POOL_WAKE), -1 };
        set_cpu(stage, "pool", stack_add_cpu(stage->engine, "pool", &config));
    }
}

static void fill(struct engine *engine, const struct zero_load *zero, const struct model *model)
{
    struct cpu *cpu = add_cpu(engine, zero);
    struct stage *load =
        spy_add_stage(engine, "load", model->load ? model : known_model("open_load"));
    if (strcmp(load->model->name, "open_load") == 0) {
        set_value(load, "rate", 1000 * 1000);
        set_name(load, "arrivals", "constant");
    }
    struct stage *stage = model->load ? load : spy_add_stage(engine, "stage", model);
    apply(stage, zero, cpu);
    if (!model->bottom) {
        struct stage *device = spy_add_stage(engine, "device", known_model("device"));
        set_value(device, "service", SERVICE);
        set_value(device, "delay", DELAY);
    }
    build(engine);
}

static void check_latency(struct tap *tap, const struct zero_load *zero,
                          const struct histogram *histogram, sim_time expected)
{
    CHECK(tap, histogram->count >= 90, "%s: %" PRIu64 " requests", zero->model, histogram->count);
    CHECK(tap, histogram->min == expected && histogram->max == expected,
          "%s: %" PRId64 " .. %" PRId64 " ps where %" PRId64 " are expected", zero->model,
          histogram->min, histogram->max, expected);
}

static void check_zero_load(struct tap *tap, const struct zero_load *zero)
{
    const struct model *model = known_model(zero->model);
    if (model == NULL) {
        CHECK(tap, false, "no model %s", zero->model);
        return;
    }
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, 1, 0);
    fill(engine, zero, model);
    engine_run(engine, &(struct engine_span){
                           .warmup = 5 * SIM_MS, .measure = 100 * SIM_MS, .drain = 10 * SIM_MS });
    spy_check(tap, engine);
    const struct record *record = &engine->loads[0].record;
    check_latency(tap, zero, &record->lat, zero->lat);
    if (record->early) {
        sim_time delivered = zero->delivered > 0 ? zero->delivered : zero->lat;
        check_latency(tap, zero, &record->delivered, delivered);
    }
    arena_destroy(arena);
}

int main(void)
{
    struct tap tap = { 0 };
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t m = 0; m < known_model_count; m++) {
        const char *name = known_models[m]->name;
        unsigned checked = 0;
        for (size_t i = 0; i < ARRAY_LENGTH(zero_loads); i++) {
            if (strcmp(zero_loads[i].model, name) == 0) {
                check_zero_load(&tap, &zero_loads[i]);
                checked++;
            }
        }
        CHECK(&tap, checked > 0, "%s: say here what its zero-load latency is", name);
        tap_end(&tap, name);
    }
    return tap_exit(&tap);
}
