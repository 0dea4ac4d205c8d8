/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vhost_net and virtio_net_tx against their closed forms, and the shapes of the system in
 * which a slow flow holds up a fast one. The expected numbers are worked out by hand.
 */
#include <inttypes.h>

#include "tests/theory/build.h"
#include "tests/theory/net_trial.h"
#include "tests/theory/repeats.h"

static struct stage *add_worker(struct engine *engine, const char *policy)
{
    struct stage *worker = add_stage(engine, "worker", "vhost_net");
    set_name(worker, "policy", policy);
    set_cpu(worker, "cpu", add_cpu(engine, "vhost", 1, distribution_constant(3 * SIM_US)));
    return worker;
}

/* ---- The guest. ---- */

struct stop_rule {
    int64_t entries;
    int64_t descriptors;
    int64_t stop_at;         /* outstanding: the smallest k with entries - k descriptors < 19 */
    int64_t interrupt_after; /* used: floor(3 k / 4) + 1 */
};

/* Over a link that gives them back one by one. The first packet is there after 1 us. */
static void check_stop(struct tap *tap, const struct stop_rule *rule)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "load", 500000, 298);
    struct stage *guest = add_stage(trial.engine, "guest", "virtio_net_tx");
    set_value(guest, "entries", rule->entries);
    set_value(guest, "descriptors", rule->descriptors);
    add_link(trial.engine, 1000000, 1000);
    start(&trial, SIM_MS);
    expect_at(&trial, SIM_MS, "guest", "outstanding", rule->stop_at);
    expect(&trial, "guest", "stops", 1);
    sim_time half = PACKET / 2;
    expect_at(&trial, rule->interrupt_after * PACKET - half, "guest", "interrupts", 0);
    expect(&trial, "netem", "sent", rule->interrupt_after - 1);
    /* The burst reclaims what was used, and fills the ring again. */
    expect_at(&trial, rule->interrupt_after * PACKET + half, "guest", "interrupts", 1);
    expect(&trial, "guest", "outstanding", rule->stop_at);
    expect(&trial, "guest", "stops", 2);
    end(&trial, "guest: stops, and is told at three quarters");
}

/* Two loads over a worker, the first one's packets over a device of that delay, the other's over
 * one that takes no time. */
static void part(struct trial *trial, struct stage *top, struct stage *worker, sim_time delay)
{
    struct engine *engine = trial->engine;
    struct stage *far = add_stage(engine, "far", "device");
    struct stage *near = add_stage(engine, "near", "device");
    set_value(far, "delay", delay);
    stack_route(engine, far, NULL, NULL);
    stack_route(engine, engine->loads[0].stage, NULL, top);
    stack_route(engine, engine->loads[1].stage, NULL, top);
    stack_route(engine, worker, engine->loads[0].stage, far);
    stack_route(engine, worker, engine->loads[1].stage, near);
}

/* Packets enter the ring at 1, 2, .. ms. The first is done at 4.5 ms, and with it those that have
 * waited for it: four are used at once while the fifth is transmitted. It finds the ring too full,
 * but more than 3 of 5 used, and goes on. */
static void check_restart(struct tap *tap)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "slow", 1, 298);
    add_load(trial.engine, "fast", 1000000, 298);
    struct stage *guest = add_stage(trial.engine, "guest", "virtio_net_tx");
    set_value(guest, "entries", 6);
    set_value(guest, "descriptors", 1);
    set_value(guest, "stop", 2);
    set_value(guest, "transmit", SIM_MS);
    struct stage *worker = add_worker(trial.engine, "copy_fallback");
    set_value(worker, "shift", 0);
    set_value(worker, "cap", 5);
    part(&trial, guest, worker, 3500 * SIM_US);
    start(&trial, 20 * SIM_US);
    expect_at(&trial, 4400 * SIM_US, "worker", "released", 0);
    expect_at(&trial, 4600 * SIM_US, "worker", "released", 4);
    expect(&trial, "guest", "outstanding", 4);
    expect_at(&trial, 5 * SIM_MS, "guest", "stops", 1);
    expect(&trial, "guest", "interrupts", 0);
    expect(&trial, "guest", "outstanding", 1);
    expect_at(&trial, 5900 * SIM_US, "guest", "stops", 1);
    expect_at(&trial, 10 * SIM_MS, "worker", "zerocopy", 9);
    expect(&trial, "guest", "stops", 1);
    end(&trial, "guest: enough used already, it goes on at once");
}

static void check_fifo(struct tap *tap)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "load", 1000000, 298);
    struct stage *guest = add_stage(trial.engine, "guest", "virtio_net_tx");
    set_value(guest, "fifo", 7);
    set_value(guest, "transmit", SIM_S);
    add_link(trial.engine, 1000000, 1000);
    start(&trial, 100 * SIM_US); /* one is transmitted, 7 wait */
    expect_at(&trial, SIM_MS, "guest", "dropped", 92);
    expect(&trial, "guest", "fifo_most", 7);
    end(&trial, "guest: the FIFO drops what finds it full");
}

/* ---- The worker. ---- */

/* 40 packets in flight come back one by one; with one in flight the kernel counts 2. The worker is
 * woken when it counts 32 (9 are back), 16 (25 are back) and 1. */
static void check_poll_rule(struct tap *tap)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "load", 100000, 298);
    add_worker(trial.engine, "stall");
    add_link(trial.engine, 1000000, 1000);
    start(&trial, 400 * SIM_US);
    expect_at(&trial, SIM_MS, "worker", "held", 40);
    static const int64_t released[][2] = { { 8, 0 }, { 9, 9 }, { 24, 9 }, { 25, 25 }, { 39, 25 } };
    for (size_t i = 0; i < ARRAY_LENGTH(released); i++) {
        sim_time when = released[i][0] * PACKET + PACKET / 2;
        expect_at(&trial, when, "worker", "released", released[i][1]);
    }
    expect_at(&trial, 41 * PACKET, "worker", "released", 40);
    expect(&trial, "worker", "overtook", 0);
    end(&trial, "worker: completions wake it at multiples of 16");
}

/* One packet takes 10 ms below, ten others nothing: they wait for it. */
static void check_order(struct tap *tap)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "slow", 1, 298);
    add_load(trial.engine, "fast", 1000, 298);
    struct stage *worker = add_worker(trial.engine, "stall");
    part(&trial, worker, worker, 9900 * SIM_US);
    start(&trial, 9500 * SIM_US);
    expect_at(&trial, 9800 * SIM_US, "worker", "released", 0);
    expect(&trial, "worker", "held", 11);
    expect(&trial, "worker", "overtook", 10);
    expect_at(&trial, 9950 * SIM_US, "worker", "released", 11);
    expect(&trial, "worker", "held", 0);
    end(&trial, "worker: who is done early waits for those before");
}

/* Offered twice what it can do, a pass ends by its weight alone. */
static void check_weight(struct tap *tap, const char *name, int64_t value, int64_t packets)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "load", 666667, 43);
    set_value(add_worker(trial.engine, "copy_fallback"), name, value);
    add_stage(trial.engine, "host", "device");
    start(&trial, 300 * SIM_MS);
    advance_to(trial.engine, 300 * SIM_MS);
    int64_t copied = counted(&trial, "worker", "copied");
    int64_t passes = counted(&trial, "worker", "passes");
    CHECK(tap, copied > 99000 && llabs(passes - copied / packets) <= 1,
          "%" PRId64 " packets in %" PRId64 " passes", copied, passes);
    end(&trial, "worker: a pass ends at its weight");
}

/* ---- Two flows. ---- */

struct flows {
    const char *policy;
    int64_t entries;
    int64_t descriptors;
    sim_time cost;
    bool no_delay;
};

static void add_sender(struct engine *engine, const char *name, int64_t size_bytes)
{
    struct stage *load = add_stage(engine, name, "closed_load");
    set_value(load, "depth", 200);
    set_name(load, "op", "write");
    set_value(load, "size", size_bytes);
    set_cpu(load, "cpu", add_cpu(engine, name, 1, distribution_constant(0)));
    set_distribution(load, "submit",
                     distribution_plus(distribution_exponential(2300 * SIM_NS), 9200 * SIM_NS));
}

enum { SMALL, LARGE };

static struct trial run_flows(struct tap *tap, const struct flows *flows, sim_time measure)
{
    struct trial trial = begin(tap);
    struct engine *engine = trial.engine;
    add_sender(engine, "small", 43);
    add_sender(engine, "large", 298);
    struct stage *guest = add_stage(engine, "guest", "virtio_net_tx");
    set_value(guest, "entries", flows->entries);
    set_value(guest, "descriptors", flows->descriptors);
    struct stage *worker = add_worker(engine, flows->policy);
    set_value(worker, "cost", flows->cost);
    struct stage *netem = add_link(engine, flows->no_delay ? 10000000000 : 1000000, 1000);
    stack_route(engine, netem, NULL, NULL);
    struct stage *host = add_stage(engine, "host", "device");
    for (unsigned l = 0; l < 2; l++) {
        stack_route(engine, engine->loads[l].stage, NULL, guest);
        stack_route(engine, worker, engine->loads[l].stage, l == LARGE ? netem : host);
    }
    stack_route(engine, guest, NULL, worker);
    build(engine);
    engine_run(engine, &(struct engine_span){ .warmup = 5 * SIM_S, .measure = measure });
    return trial;
}

static double sent(const struct trial *trial, unsigned load, sim_time measure)
{
    double ends = (double)trial->engine->loads[load].record.completed_in_window;
    return ends * (double)SIM_S / (double)measure;
}

static double delivered(const struct trial *trial, unsigned load, sim_time measure)
{
    double ends = (double)trial->engine->loads[load].record.delivered_in_window;
    return ends * (double)SIM_S / (double)measure;
}

static void end_flows(struct trial *trial, const char *name)
{
    arena_destroy(trial->arena);
    tap_end(trial->tap, name);
}

/* Nothing is lost: what left the guest is at the worker, in netem, delivered or dropped; and each
 * descriptor that is out belongs to a packet that is. */
static void check_conservation(const struct trial *trial)
{
    const struct load *large = &trial->engine->loads[LARGE];
    uint64_t dropped = (uint64_t)counted(trial, "netem", "dropped");
    uint64_t passed = (uint64_t)counted(trial, "netem", "sent");
    uint64_t queued = (uint64_t)counted(trial, "netem", "queued");
    uint64_t here = large->finished - dropped - passed - queued; /* in the ring */
    CHECK(trial->tap, here <= 119, "%" PRIu64 " large packets are missing", here);
    int64_t held = counted(trial, "worker", "held");
    int64_t outstanding = counted(trial, "guest", "outstanding");
    CHECK(trial->tap, outstanding >= held && outstanding <= 119, "%" PRId64 " outstanding",
          outstanding);
    CHECK(trial->tap,
          counted(trial, "worker", "zerocopy") == counted(trial, "worker", "released") + held,
          "zerocopy packets are missing");
}

static void check_no_delay(struct tap *tap, const char *policy)
{
    struct trial trial = run_flows(tap, &(struct flows){ policy, 256, 2, 3 * SIM_US, true }, SIM_S);
    check_near(tap, "small", delivered(&trial, SMALL, SIM_S), 80000, 0.03);
    check_near(tap, "large", delivered(&trial, LARGE, SIM_S), 80000, 0.03);
    expect(&trial, "guest", "stops", 0);
    end_flows(&trial, "no delay: nobody is slowed");
}

static void check_before(struct tap *tap)
{
    sim_time measure = 60 * SIM_S;
    struct flows flows = { "stall", 256, 2, 3 * SIM_US, false };
    struct trial trial = run_flows(tap, &flows, measure);
    double small = delivered(&trial, SMALL, measure);
    double large = delivered(&trial, LARGE, measure);
    check_near(tap, "large", large, 419.46, 0.005);
    check_near(tap, "small / large", small / large, 1, 0.05);
    expect(&trial, "netem", "dropped", 0);
    expect(&trial, "worker", "stalls", 0); /* 896 are never outstanding */
    int64_t most = counted(&trial, "worker", "held_most");
    CHECK(tap, most == 118 || most == 119, "%" PRId64 " held", most);
    double stops = (double)counted(&trial, "guest", "stops") / 65;
    CHECK(tap, stops >= 4 && stops <= 7.5, "%.3g stops a second", stops);
    check_conservation(&trial);
    end_flows(&trial, "before: both flows at the slow one's rate");
}

static void check_after(struct tap *tap)
{
    sim_time measure = 5 * SIM_S;
    struct flows flows = { "copy_fallback", 256, 2, 3 * SIM_US, false };
    struct trial trial = run_flows(tap, &flows, measure);
    check_near(tap, "small", delivered(&trial, SMALL, measure), 80000, 0.03);
    check_near(tap, "large sent", sent(&trial, LARGE, measure), 80000, 0.03);
    check_near(tap, "large delivered", delivered(&trial, LARGE, measure), 419.46, 0.005);
    expect(&trial, "worker", "held_most", 65);
    expect(&trial, "netem", "queued_most", 1000);
    expect(&trial, "guest", "stops", 0);
    check_conservation(&trial);
    end_flows(&trial, "after: the small flow is free, netem drops the rest");
}

/* 7 us a packet are more than the 6.25 us in which the senders offer one: the ring fills, and the
 * 65 packets held keep the guest from the 90 used that it waits for, but at netem's rate. */
static void check_locked(struct tap *tap)
{
    struct flows flows = { "copy_fallback", 256, 2, 7 * SIM_US, false };
    struct trial trial = run_flows(tap, &flows, 20 * SIM_S);
    check_near(tap, "small", delivered(&trial, SMALL, 20 * SIM_S), 419.46, 0.05);
    check_near(tap, "large", delivered(&trial, LARGE, 20 * SIM_S), 419.46, 0.05);
    expect(&trial, "worker", "held_most", 65);
    end_flows(&trial, "after, with a slow worker: locked all the same");
}

struct limit {
    const char *policy;
    int64_t entries;
    int64_t descriptors;
    int64_t held_most;
    bool stalls;
};

static void check_limit(struct tap *tap, const struct limit *limit)
{
    struct flows flows = { limit->policy, limit->entries, limit->descriptors, 3 * SIM_US, false };
    struct trial trial = run_flows(tap, &flows, 2 * SIM_S);
    int64_t most = counted(&trial, "worker", "held_most");
    CHECK(tap, most == limit->held_most, "%" PRId64 " held with %" PRId64 " entries", most,
          limit->entries);
    CHECK(tap, (counted(&trial, "worker", "stalls") > 0) == limit->stalls, "stalls");
    end_flows(&trial, "what the limit is");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    static const struct stop_rule rules[] = { { 256, 2, 119, 90 },
                                              { 256, 1, 238, 179 },
                                              { 128, 2, 55, 42 } };
    static const struct limit limits[] = {
        { "copy_fallback", 128, 2, 33, false },   /* 128 >> 2, and one */
        { "copy_fallback", 1024, 1, 129, false }, /* the cap, and one */
        { "stall", 1024, 1, 128, true },          /* 128 - 1024 modulo 1024 */
        { "stall", 1000, 1, 152, true },          /* 128 - 1000 modulo 1024 */
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        check_stop(&tap, &rules[i]);
    }
    check_restart(&tap);
    check_fifo(&tap);
    check_poll_rule(&tap);
    check_order(&tap);
    check_weight(&tap, "weight_packets", 8, 8);
    check_weight(&tap, "weight_bytes", 430, 10);
    check_weight(&tap, "weight_bytes", 431, 11);
    check_no_delay(&tap, "stall");
    check_no_delay(&tap, "copy_fallback");
    check_before(&tap);
    check_after(&tap);
    check_locked(&tap);
    for (size_t i = 0; i < ARRAY_LENGTH(limits); i++) {
        check_limit(&tap, &limits[i]);
    }
    return tap_exit(&tap);
}
