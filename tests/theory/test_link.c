/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link against its closed forms: the time of a packet, of filling, M/D/1 and its blocking.
 */
#include <math.h>

#include "tests/theory/build.h"
#include "tests/theory/net_trial.h"
#include "tests/theory/repeats.h"

/* Ten packets within 90 us: they leave 2.384 ms apart. */
static void check_packet_time(struct tap *tap)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "load", 100000, 298);
    add_link(trial.engine, 1000000, 1000);
    start(&trial, 100 * SIM_US);
    for (int64_t k = 1; k <= 10; k++) {
        expect_at(&trial, k * PACKET - 1, "netem", "sent", k - 1);
        expect_at(&trial, k * PACKET, "netem", "sent", k);
    }
    end(&trial, "link: a packet takes its bits over the rate");
}

/* At 80k/s in and 419.5/s out 1000 packets are there after 12.55 ms: packet 1005 is the 1000th that
 * is still there, and comes at 1004 x 12.5 us; the next one is dropped. */
static void check_fill_time(struct tap *tap)
{
    struct trial trial = begin(tap);
    add_load(trial.engine, "load", 80000, 298);
    add_link(trial.engine, 1000000, 1000);
    start(&trial, SIM_S);
    expect_at(&trial, 12550 * SIM_US, "netem", "queued", 1000);
    expect(&trial, "netem", "dropped", 0);
    expect_at(&trial, 12563 * SIM_US, "netem", "dropped", 1);
    advance_to(trial.engine, SIM_S - 1);
    expect(&trial, "netem", "sent", 419);
    expect(&trial, "netem", "dropped", 80000 - 419 - 1000);
    end(&trial, "link: fills in 12.6 ms, then drops the rest");
}

struct poisson {
    double load;
    int64_t limit;
};

static void fill_poisson(struct engine *engine, const void *setup)
{
    const struct poisson *poisson = setup;
    struct stage *load = add_load(engine, "load", 1, 1000);
    set_name(load, "arrivals", "poisson");
    set_value(load, "rate", llround(poisson->load * 100000 * 1000));
    struct stage *link = add_link(engine, 1000000000, poisson->limit); /* 8 us */
    set_value(link, "overhead", 250);                                  /* + 2 us */
}

static struct repeats *run_poisson(const struct poisson *poisson)
{
    return repeats_run(&(struct system){
        fill_poisson, poisson, { .warmup = SIM_S / 10, .measure = 2 * SIM_S }, 1, 4 });
}

/* M/D/1: T + load T / 2 (1 - load) (Pollaczek, Khinchine). With room for K, the share dropped is
 * 1 - 1 / (p + load) where p is the chance that a departure leaves nobody behind: 1 for K = 1,
 * exp(-load) for K = 2. */
static void check_poisson(struct tap *tap)
{
    static const double loads[] = { 0.3, 0.6, 0.9 };
    for (size_t i = 0; i < ARRAY_LENGTH(loads); i++) {
        double load = loads[i];
        struct repeats *repeats = run_poisson(&(struct poisson){ load, 1000000 });
        double mean = 10 * (double)SIM_US * (1 + load / (2 * (1 - load)));
        check_near(tap, "mean", repeats_mean(repeats, 0), mean, 0.02);
        repeats_destroy(repeats);
        for (int64_t limit = 1; limit <= 2; limit++) {
            repeats = run_poisson(&(struct poisson){ load, limit });
            double p = limit == 1 ? 1 : exp(-load);
            check_near(tap, "share dropped",
                       (double)repeats->loads[0].dropped / (double)repeats->loads[0].arrivals,
                       1 - 1 / (p + load), 0.02);
            repeats_destroy(repeats);
        }
    }
    tap_end(tap, "link: M/D/1, and with room for one or two");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    check_packet_time(&tap);
    check_fill_time(&tap);
    check_poisson(&tap);
    return tap_exit(&tap);
}
