/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What arrives in equal intervals: Poisson counts vary as their mean, bursty ones by more. For the
 * Markov-modulated Poisson process with two states, rate and index of dispersion are known (Fischer
 * and Meier-Hellstern, "The Markov-modulated Poisson process (MMPP) cookbook", 1993).
 */
#include <math.h>

#include "tests/theory/build.h"
#include "tests/theory/repeats.h"

struct arrivals {
    const char *name;
    const char *policy;
    double rate; /* per second */
    double rate_off;
    sim_time on;
    sim_time off;
    sim_time interval;
    uint64_t seed;
};

enum { INTERVALS = 20000 };

static struct engine *create(struct arena *arena, const struct arrivals *arrivals)
{
    struct engine *engine = stack_create(arena, arrivals->seed, 0);
    struct stage *load = add_stage(engine, "load", "open_load");
    set_name(load, "arrivals", arrivals->policy);
    set_value(load, "rate", llround(arrivals->rate * 1000));
    set_value(load, "rate_off", llround(arrivals->rate_off * 1000));
    set_value(load, "on", arrivals->on);
    set_value(load, "off", arrivals->off);
    add_stage(engine, "sink", "device");
    build(engine);
    return engine;
}

/* Mean and variance of the number of arrivals in an interval, after a hundred of them. */
static void count(const struct arrivals *arrivals, double *mean, double *variance)
{
    struct arena *arena = arena_create();
    struct engine *engine = create(arena, arrivals);
    sim_time warmup = 100 * arrivals->interval;
    engine_start(engine, &(struct engine_span){ .warmup = warmup,
                                                .measure = INTERVALS * arrivals->interval });
    advance_to(engine, warmup - 1);
    double sum = 0;
    double squares = 0;
    for (int i = 1; i <= INTERVALS; i++) {
        uint64_t before = engine->loads[0].created;
        advance_to(engine, warmup + i * arrivals->interval - 1);
        double arrived = (double)(engine->loads[0].created - before);
        sum += arrived;
        squares += arrived * arrived;
    }
    engine_end(engine);
    arena_destroy(arena);
    *mean = sum / INTERVALS;
    *variance = squares / INTERVALS - *mean * *mean;
}

static double rate_of(const struct arrivals *arrivals)
{
    if (strcmp(arrivals->policy, "bursty") != 0) {
        return arrivals->rate;
    }
    double on = (double)arrivals->on;
    double off = (double)arrivals->off;
    return (arrivals->rate * on + arrivals->rate_off * off) / (on + off);
}

/* Variance over mean of a count in time t. */
static double dispersion_of(const struct arrivals *arrivals)
{
    if (strcmp(arrivals->policy, "bursty") != 0) {
        return 1;
    }
    double leaves_on = (double)SIM_S / (double)arrivals->on;
    double leaves_off = (double)SIM_S / (double)arrivals->off;
    double r = leaves_on + leaves_off;
    double t = (double)arrivals->interval / (double)SIM_S;
    double difference = arrivals->rate - arrivals->rate_off;
    double weights = leaves_on * leaves_off / (r * r);
    double memory = 1 - (1 - exp(-r * t)) / (r * t);
    return 1 + 2 * weights * difference * difference / (r * rate_of(arrivals)) * memory;
}

static void check_arrivals(struct tap *tap, const struct arrivals *arrivals)
{
    double mean;
    double variance;
    count(arrivals, &mean, &variance);
    double seconds = (double)arrivals->interval / (double)SIM_S;
    check_near(tap, "rate", mean / seconds, rate_of(arrivals), 0.01);
    /* The relative deviation of a variance of n normal counts is sqrt(2 / n): 1 %. */
    check_near(tap, "index of dispersion", variance / mean, dispersion_of(arrivals), 0.05);
    tap_end(tap, arrivals->name);
}

int main(void)
{
    struct tap tap = { 0 };
    const struct arrivals arrivals[] = {
        { "poisson", "poisson", 10000, 0, SIM_MS, SIM_MS, 10 * SIM_MS, 1 },
        { "on and off, long intervals", "bursty", 20000, 0, SIM_MS, 3 * SIM_MS, 50 * SIM_MS, 1 },
        { "on and off, short intervals", "bursty", 20000, 0, 2 * SIM_MS, SIM_MS, 3 * SIM_MS, 1 },
        { "two rates", "bursty", 50000, 5000, SIM_MS, 4 * SIM_MS, 20 * SIM_MS, 1 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(arrivals); i++) {
        check_arrivals(&tap, &arrivals[i]);
    }
    return tap_exit(&tap);
}
