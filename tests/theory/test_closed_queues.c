/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine repair: a closed loop whose slots think before each request, over a device of c servers.
 * With exponential times the number at the device is a birth-death chain, and throughput and mean
 * are exact (the finite-source queue M/M/c//N; Kleinrock, "Queueing Systems", volume 1, 1975).
 */
#include <math.h>

#include "tests/theory/build.h"
#include "tests/theory/repeats.h"

#define SERVICE (50 * SIM_US)

struct machines {
    const char *name;
    int64_t depth;
    int64_t servers;
    sim_time think;
    uint64_t seed;
};

static void fill(struct engine *engine, const void *setup)
{
    const struct machines *machines = setup;
    struct stage *load = add_stage(engine, "load", "closed_load");
    set_value(load, "depth", machines->depth);
    set_distribution(load, "think", distribution_exponential(machines->think));
    struct stage *device = add_stage(engine, "device", "device");
    set_value(device, "servers", machines->servers);
    set_distribution(device, "service", distribution_exponential(SERVICE));
}

/* Throughput per second; the mean number at the device. */
static double throughput_of(const struct machines *machines, double *number)
{
    double ratio = (double)SERVICE / (double)machines->think;
    double weight = 1;
    double sum = 1;
    double at_device = 0;
    double served = 0;
    for (int64_t n = 1; n <= machines->depth; n++) {
        double busy = (double)(n < machines->servers ? n : machines->servers);
        weight *= (double)(machines->depth - n + 1) * ratio / busy;
        sum += weight;
        at_device += weight * (double)n;
        served += weight * busy;
    }
    *number = at_device / sum;
    return served / sum * (double)SIM_S / (double)SERVICE;
}

static void check_machines(struct tap *tap, const struct machines *machines)
{
    struct repeats *repeats =
        repeats_run(&(struct system){ fill,
                                      machines,
                                      { .warmup = SIM_S / 10, .measure = 20 * SIM_S },
                                      machines->seed,
                                      REPEATS_MAX });
    double number;
    double throughput = throughput_of(machines, &number);
    check_near(tap, "rate", repeats_rate(repeats, 0), throughput, 0.01);
    check_near(tap, "mean", repeats_mean(repeats, 0), number / throughput * (double)SIM_S, 0.01);
    check_near(tap, "number at the device", repeats_outstanding(repeats, 0), number, 0.01);
    check_little(tap, repeats, 0);
    repeats_destroy(repeats);
    tap_end(tap, machines->name);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    const struct machines machines[] = {
        { "one machine", 1, 1, 200 * SIM_US, 1 },
        { "eight machines, one repairer", 8, 1, 500 * SIM_US, 1 },
        { "sixteen machines, three repairers", 16, 3, 200 * SIM_US, 1 },
        { "more repairers than machines", 4, 6, 100 * SIM_US, 1 },
        { "saturated", 64, 2, 100 * SIM_US, 1 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(machines); i++) {
        check_machines(&tap, &machines[i]);
    }
    return tap_exit(&tap);
}
