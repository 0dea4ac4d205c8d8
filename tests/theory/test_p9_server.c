/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p9_server against its closed forms, to the picosecond: which trips a T_readdir makes, what
 * a directory takes in replies, how many nodes a walk visits, and how long it all takes when every
 * cost is constant and nobody polls. Then a trip is two iterations and two wake-ups.
 */
#include <inttypes.h>

#include "tests/conformance/tap.h"
#include "tests/theory/build.h"

#define LOOP (4 * SIM_US)
#define MAIN_WAKE (6 * SIM_US + 1)
#define POOL_WAKE (12 * SIM_US + 3)
#define CLIENT (300 * SIM_US + 7)
#define READ (770 * SIM_NS)
#define MARSHAL (314 * SIM_NS)
#define TRIP (2 * LOOP + MAIN_WAKE + POOL_WAKE)
#define ARRIVAL (CLIENT + MAIN_WAKE + LOOP)

enum { PER_ENTRY, FIRST_VERSION, MERGED };

struct setup {
    int version;
    int64_t files;
    int64_t msize_bytes; /* 0: 256 KiB */
    sim_time read_more;
    sim_time step; /* of a walk; 0: none, -1: it costs nothing */
    bool until_empty;
    bool remap;
    bool by_handle; /* a driver that is not path-based */
    bool poll;
};

struct outcome {
    sim_time latency;
    int64_t requests;
    int64_t trips;
    int64_t trips_most;
    int64_t hops;
    int64_t entries;
    int64_t bytes;
    int64_t visits;
    sim_time spent[WAY_PHASES_MAX]; /* of the server's phases */
};

static void fill(struct engine *engine, const struct setup *setup)
{
    struct cpu_config loop = { 1, distribution_constant(MAIN_WAKE), LOOP };
    struct cpu *main_loop = stack_add_cpu(engine, "main", &loop);
    struct cpu *workers = add_cpu(engine, "workers", 64, distribution_constant(POOL_WAKE));
    add_stage(engine, "load", "closed_load");
    struct stage *server = add_stage(engine, "p9", "p9_server");
    set_name(server, "policy", setup->version == PER_ENTRY ? "per_entry" : "batched");
    set_value(server, "trips", setup->version == FIRST_VERSION ? 2 : 1);
    set_value(server, "files", setup->files);
    set_value(server, "msize", setup->msize_bytes > 0 ? setup->msize_bytes : 262144);
    set_value(server, "until_empty", setup->until_empty);
    set_value(server, "client", CLIENT);
    set_value(server, "read", READ + setup->read_more);
    set_value(server, "marshal", MARSHAL);
    set_value(server, "nsquare", setup->step != 0);
    set_value(server, "step", setup->step > 0 ? setup->step : 0);
    set_value(server, "remap", setup->remap);
    set_value(server, "path_based", !setup->by_handle);
    set_value(server, "poll", setup->poll);
    set_value(server, "command", 20 * SIM_US);
    set_distribution(server, "turnaround", distribution_uniform(15 * SIM_US, 20 * SIM_US));
    set_cpu(server, "cpu", main_loop);
    set_cpu(server, "pool", workers);
}

/* Two requests, one after the other: the window ends when the second is due, so what was counted is
 * one listing. Their means. */
static struct outcome run(const struct setup *setup)
{
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, 1, 0);
    fill(engine, setup);
    build(engine);
    engine_run(engine, &(struct engine_span){
                           .measure = 1000 * SIM_S, .drain = 1000 * SIM_S, .requests = 2 });
    const struct record *record = &engine->loads[0].record;
    const struct report *report = &engine->report;
    require(record->lat.count == 2, "requests", "not two");
    struct outcome outcome = {
        .latency = (sim_time)(record->lat.sum / 2),
        .requests = reported(report, "p9", "requests"),
        .trips = reported(report, "p9", "trips"),
        .trips_most = reported(report, "p9", "trips_most"),
        .hops = reported(report, "p9", "hops"),
        .entries = reported(report, "p9", "entries"),
        .bytes = reported(report, "p9", "bytes"),
        .visits = reported(report, "p9", "visits"),
    };
    const struct link *link = &stack_find_stage(engine, "p9")->links[0];
    size_t phase_count = record->lat_phases.phase_count;
    for (size_t i = 0; i < link->phase_count; i++) {
        for (size_t b = 0; b < ATTRIBUTION_BUCKETS; b++) {
            sim_sum sum = record->lat_phases.spent[b * phase_count + link->phase_base + i];
            outcome.spent[i] += (sim_time)sum / 2;
        }
    }
    arena_destroy(arena);
    return outcome;
}

static sim_time spent(const struct outcome *outcome, const char *phase)
{
    const struct model *model = model_find("p9_server");
    for (size_t i = 0; i < model->phase_count; i++) {
        if (strcmp(model->phases[i].name, phase) == 0) {
            return outcome->spent[i];
        }
    }
    require(false, "no phase", phase);
    return 0;
}

static sim_time driver_clock(const struct outcome *outcome)
{
    return spent(outcome, "bottom half") + spent(outcome, "worker") + spent(outcome, "read") +
           spent(outcome, "completion");
}

static sim_time server_clock(const struct outcome *outcome)
{
    return driver_clock(outcome) + spent(outcome, "rewind") + spent(outcome, "position") +
           spent(outcome, "remap") + spent(outcome, "marshal");
}

static void equals(struct tap *tap, const char *what, int64_t value, int64_t expected)
{
    CHECK(tap, value == expected, "%s is %" PRId64 " where %" PRId64 " are expected", what, value,
          expected);
}

/* ---- What was measured: one T_readdir of 2002 entries. ---- */

static void check_test(struct tap *tap)
{
    static const int64_t trips[] = { [PER_ENTRY] = 2005, [FIRST_VERSION] = 2, [MERGED] = 1 };
    const sim_time entry = READ + MARSHAL;
    for (int version = PER_ENTRY; version <= MERGED; version++) {
        struct outcome outcome =
            run(&(struct setup){ .version = version, .files = 2000, .step = -1 });
        equals(tap, "trips", outcome.trips, trips[version]);
        equals(tap, "most trips", outcome.trips_most, trips[version]);
        equals(tap, "hops", outcome.hops, 2 * trips[version]);
        equals(tap, "T_readdir", outcome.requests, 1);
        equals(tap, "entries", outcome.entries, 2002);
        equals(tap, "bytes", outcome.bytes, 76941);
        equals(tap, "visits", outcome.visits, 2005003);
        equals(tap, "latency", outcome.latency, ARRIVAL + trips[version] * TRIP + 2002 * entry);
    }
    tap_end(tap, "2002 entries: trips, hops, bytes, visits, time");
}

static void check_clocks(struct tap *tap)
{
    for (int version = PER_ENTRY; version <= MERGED; version++) {
        struct outcome outcome = run(&(struct setup){ .version = version, .files = 2000 });
        sim_time driver = driver_clock(&outcome);
        sim_time server = server_clock(&outcome);
        int64_t reading = version == PER_ENTRY ? 2003 : 1;
        sim_time rewind = version == MERGED ? 0 : TRIP;
        equals(tap, "read", spent(&outcome, "read"), 2002 * READ);
        equals(tap, "driver", driver, reading * TRIP + 2002 * READ);
        equals(tap, "rewind", spent(&outcome, "rewind"), rewind);
        equals(tap, "position", spent(&outcome, "position"), version == PER_ENTRY ? TRIP : 0);
        equals(tap, "server - driver", server - driver - spent(&outcome, "position"),
               2002 * MARSHAL + rewind);
        equals(tap, "client - server", outcome.latency - server, ARRIVAL);
    }
    tap_end(tap, "the driver's, the server's and the client's clock");
}

/* ---- By size. ---- */

static void check_linear(struct tap *tap)
{
    for (int version = PER_ENTRY; version <= MERGED; version++) {
        sim_time slope = READ + MARSHAL + (version == PER_ENTRY ? TRIP : 0);
        struct outcome none = run(&(struct setup){ .version = version, .files = 0 });
        equals(tap, "entries of an empty directory", none.entries, 2);
        for (int64_t files = 1; files <= 3000; files = 3 * files + 1) {
            struct outcome some = run(&(struct setup){ .version = version, .files = files });
            equals(tap, "time for the files", some.latency - none.latency, files * slope);
        }
    }
    tap_end(tap, "time is linear in the entries");
}

/* The walk to entry i costs i steps, and to the end as many as there are entries. */
static void check_walk(struct tap *tap)
{
    for (int version = PER_ENTRY; version <= MERGED; version++) {
        struct outcome without = run(&(struct setup){ .version = version, .files = 500 });
        struct outcome with =
            run(&(struct setup){ .version = version, .files = 500, .step = 3 * SIM_NS });
        equals(tap, "visits without", without.visits, 0);
        equals(tap, "visits", with.visits, 502 * 501 / 2 + 502);
        equals(tap, "walk", with.latency - without.latency, with.visits * 3 * SIM_NS);
    }
    tap_end(tap, "the walk to each entry");
}

/* Replies of 8181 bytes hold 209 entries of 24 + 11 + 4 bytes. Of the 1000 files with four digits
 * the fifth reply has the last 164, and 46 of 38 bytes; and so on: ten replies, then an empty one.
 */
static void check_replies(struct tap *tap)
{
    for (int version = PER_ENTRY; version <= MERGED; version++) {
        struct setup setup = { .version = version, .files = 2000, .msize_bytes = 8192 };
        struct outcome one = run(&setup);
        equals(tap, "entries of a reply", one.entries, 209);
        equals(tap, "bytes of a reply", one.bytes, 209 * 39);
        equals(tap, "trips of a reply", one.trips_most,
               version == PER_ENTRY       ? 2 + 209 + 1 + 1
               : version == FIRST_VERSION ? 2
                                          : 1);
        setup.until_empty = true;
        struct outcome all = run(&setup);
        equals(tap, "T_readdir", all.requests, 11);
        equals(tap, "entries", all.entries, 2002);
        equals(tap, "bytes", all.bytes, 76941);
        equals(tap, "trips", all.trips,
               version == PER_ENTRY       ? 11 * 3 + 2002 + 9
               : version == FIRST_VERSION ? 22
                                          : 11);
        /* Nine replies read an entry for which there is no room. */
        equals(tap, "latency", all.latency,
               11 * ARRIVAL + all.trips * TRIP + 2011 * READ + 2002 * MARSHAL);
    }
    tap_end(tap, "a listing of several replies");
}

/* A reply that the last entry fills to the byte is not full: the end is found by the next read. */
static void check_exact_fit(struct tap *tap)
{
    struct setup setup = { .version = PER_ENTRY, .files = 2000, .msize_bytes = 76941 + 11 };
    struct outcome whole = run(&setup);
    equals(tap, "entries", whole.entries, 2002);
    equals(tap, "trips", whole.trips, 2005);
    setup.msize_bytes--;
    struct outcome short_of_one = run(&setup);
    equals(tap, "entries", short_of_one.entries, 2001);
    equals(tap, "trips, one byte less", short_of_one.trips, 2 + 2001 + 1 + 1);
    tap_end(tap, "a reply filled to the byte");
}

static void check_remapping(struct tap *tap)
{
    struct setup setup = { .version = PER_ENTRY, .files = 2000, .remap = true };
    struct outcome paths = run(&setup);
    setup.by_handle = true;
    struct outcome handles = run(&setup);
    equals(tap, "trips", paths.trips, 2005 + 2002);
    equals(tap, "trips, not path-based", handles.trips, 2005 + 2 * 2002);
    equals(tap, "remap", spent(&paths, "remap"), 2002 * TRIP);
    equals(tap, "remap, not path-based", spent(&handles, "remap"), 2 * 2002 * TRIP);
    for (setup.version = FIRST_VERSION; setup.version <= MERGED; setup.version++) {
        equals(tap, "trips after", run(&setup).trips, setup.version == MERGED ? 1 : 2);
    }
    tap_end(tap, "inodes are remapped");
}

/* ---- Who polls. ---- */

static void check_worker_time(struct tap *tap)
{
    const sim_time more = 9 * SIM_US;
    for (int version = PER_ENTRY; version <= MERGED; version++) {
        struct setup setup = { .version = version, .files = 2000 };
        sim_time plain = run(&setup).latency;
        setup.read_more = more;
        equals(tap, "more work", run(&setup).latency - plain, 2002 * more);
    }
    tap_end(tap, "nobody polls: worker time adds fully");

    /* A trip takes a command and a turnaround, and the worker is done meanwhile. */
    struct setup setup = { .version = PER_ENTRY, .files = 2000, .poll = true };
    struct outcome plain = run(&setup);
    setup.read_more = more;
    sim_time added = run(&setup).latency - plain.latency;
    CHECK(tap, plain.latency > ARRIVAL + 2005 * (TRIP + 10 * SIM_US), "polling costs nothing");
    CHECK(tap, llabs(added) < 2002 * more / 5, "9 us of work add %" PRId64 " ns",
          added / 2002 / SIM_NS);
    setup.read_more = 100 * SIM_US;
    added = run(&setup).latency - plain.latency;
    CHECK(tap, added > 2002 * 80 * SIM_US, "100 us of work add %" PRId64 " ns",
          added / 2002 / SIM_NS);
    equals(tap, "trips", plain.trips, 2005);
    tap_end(tap, "the client polls: a little worker time is hidden");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    check_test(&tap);
    check_clocks(&tap);
    check_linear(&tap);
    check_walk(&tap);
    check_replies(&tap);
    check_exact_fit(&tap);
    check_remapping(&tap);
    check_worker_time(&tap);
    return tap_exit(&tap);
}
