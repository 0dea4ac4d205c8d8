/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues for a cpu: classes as priorities, threads as servers, a limit as losses, two stations in a
 * row, and how busy the cpu is by class. The closed forms are Kleinrock's, "Queueing Systems",
 * volume 2, 1976: Cobham's for priorities without preemption, preemptive-resume for those with it.
 */
#include <math.h>

#include "tests/theory/build.h"
#include "tests/theory/probe_worker.h"
#include "tests/theory/repeats.h"

/* A Poisson stream of items with exponential costs. */
struct flow {
    int64_t rate; /* per second */
    sim_time service;
};

static struct stage *add_flow(struct engine *engine, const char *name, int64_t rate)
{
    struct stage *load = add_stage(engine, name, "open_load");
    set_value(load, "rate", rate * 1000);
    return load;
}

static struct stage *add_worker(struct engine *engine, const char *name, struct cpu *cpu,
                                const char *class, sim_time service)
{
    struct stage *worker = stack_add_stage(engine, name, &probe_worker_model);
    set_cpu(worker, "cpu", cpu);
    set_name(worker, "class", class);
    set_distribution(worker, "service", distribution_exponential(service));
    return worker;
}

/* The share of the time that a flow takes. */
static double use_of(const struct flow *flow)
{
    return (double)flow->rate * (double)flow->service / (double)SIM_S;
}

/* ---- Two classes on one thread. ---- */

struct priorities {
    const char *name;
    const char *classes[2];
    struct flow flows[2]; /* the first goes before the second */
    bool preempts;
    uint64_t seed;
};

static void fill_priorities(struct engine *engine, const void *setup)
{
    const struct priorities *priorities = setup;
    struct cpu *cpu = add_cpu(engine, "cpu", 1, distribution_constant(0));
    struct stage *first = add_flow(engine, "first", priorities->flows[0].rate);
    struct stage *second = add_flow(engine, "second", priorities->flows[1].rate);
    const struct flow *flows = priorities->flows;
    struct stage *urgent =
        add_worker(engine, "urgent", cpu, priorities->classes[0], flows[0].service);
    struct stage *patient =
        add_worker(engine, "patient", cpu, priorities->classes[1], flows[1].service);
    struct stage *sink = add_stage(engine, "sink", "device");
    stack_route(engine, first, NULL, urgent);
    stack_route(engine, second, NULL, patient);
    stack_route(engine, urgent, NULL, sink);
    stack_route(engine, patient, NULL, sink);
}

/* The mean time that what is found being served still takes: lambda E[S^2] / 2. */
static double residual(const struct flow *flow)
{
    return use_of(flow) * (double)flow->service;
}

static void check_priorities(struct tap *tap, const struct priorities *priorities)
{
    struct repeats *repeats =
        repeats_run(&(struct system){ fill_priorities,
                                      priorities,
                                      { .warmup = SIM_S, .measure = 40 * SIM_S, .drain = SIM_S },
                                      priorities->seed,
                                      REPEATS_MAX });
    const struct flow *flows = priorities->flows;
    double use[2] = { use_of(&flows[0]), use_of(&flows[1]) };
    double idle_of_first = 1 - use[0];
    double idle = 1 - use[0] - use[1];
    double both = residual(&flows[0]) + residual(&flows[1]);
    double first = (priorities->preempts ? residual(&flows[0]) : both) / idle_of_first +
                   (double)flows[0].service;
    double stretch = priorities->preempts ? idle_of_first : 1;
    double second = both / idle_of_first / idle + (double)flows[1].service / stretch;
    check_near(tap, "mean of the first class", repeats_mean(repeats, 0), first, 0.01);
    check_near(tap, "mean of the second class", repeats_mean(repeats, 1), second, 0.01);
    for (size_t i = 0; i < 2; i++) {
        enum cpu_class class = strcmp(priorities->classes[i], "interrupt") == 0 ? CPU_INTERRUPT
                               : strcmp(priorities->classes[i], "thread") == 0  ? CPU_THREAD
                                                                                : CPU_IDLE;
        check_near(tap, "utilisation", repeats_busy(repeats, 0, class), use[i], 0.01);
        check_little(tap, repeats, i);
    }
    repeats_destroy(repeats);
    tap_end(tap, priorities->name);
}

/* ---- M/M/c/K: threads and a limit. ---- */

struct losses {
    const char *name;
    int64_t threads;
    int64_t limit;
    int64_t rate;
    uint64_t seed;
};

enum { LOSSES_SERVICE_US = 100 };

static void fill_losses(struct engine *engine, const void *setup)
{
    const struct losses *losses = setup;
    struct cpu *cpu = add_cpu(engine, "cpu", losses->threads, distribution_constant(0));
    add_flow(engine, "load", losses->rate);
    struct stage *worker = add_worker(engine, "worker", cpu, "thread", LOSSES_SERVICE_US * SIM_US);
    set_value(worker, "limit", losses->limit);
    add_stage(engine, "sink", "device");
}

/* Of the birth-death chain of n requests: P(limit), and the mean number. */
static double loss_of(const struct losses *losses, double *number)
{
    double offered = (double)losses->rate * LOSSES_SERVICE_US * 1e-6;
    double weight = 1;
    double sum = 1;
    double moment = 0;
    for (int64_t n = 1; n <= losses->limit; n++) {
        weight *= offered / (double)(n < losses->threads ? n : losses->threads);
        sum += weight;
        moment += weight * (double)n;
    }
    *number = moment / sum;
    return weight / sum;
}

static void check_losses(struct tap *tap, const struct losses *losses)
{
    struct repeats *repeats =
        repeats_run(&(struct system){ fill_losses,
                                      losses,
                                      { .warmup = SIM_S, .measure = 20 * SIM_S, .drain = SIM_S },
                                      losses->seed,
                                      REPEATS_MAX });
    double number;
    double loss = loss_of(losses, &number);
    double accepted = (double)losses->rate * (1 - loss);
    const struct load_repeats *load = &repeats->loads[0];
    check_near(tap, "share lost", (double)load->dropped / (double)load->arrivals, loss, 0.02);
    check_near(tap, "mean", repeats_mean(repeats, 0), number / accepted * (double)SIM_S, 0.01);
    check_near(tap, "rate", repeats_rate(repeats, 0), accepted, 0.01);
    check_near(tap, "busy threads", repeats_busy(repeats, 0, CPU_THREAD),
               accepted * LOSSES_SERVICE_US * 1e-6, 0.01);
    check_little(tap, repeats, 0);
    repeats_destroy(repeats);
    tap_end(tap, losses->name);
}

/* ---- Two stations in a row: a cpu, then a device. ---- */

#define FIRST (60 * SIM_US)
#define SECOND (80 * SIM_US)

enum { TANDEM_RATE = 10000 };

static void fill_tandem(struct engine *engine, const void *setup)
{
    (void)setup;
    struct cpu *cpu = add_cpu(engine, "cpu", 1, distribution_constant(0));
    add_flow(engine, "load", TANDEM_RATE);
    add_worker(engine, "first", cpu, "thread", FIRST);
    struct stage *second = add_stage(engine, "second", "device");
    set_distribution(second, "service", distribution_exponential(SECOND));
}

static double sojourn_of(sim_time service)
{
    double seconds = (double)service / (double)SIM_S;
    return seconds / (1 - TANDEM_RATE * seconds) * (double)SIM_S;
}

/* By Burke's and Reich's theorems the two sojourns are independent, each exponential. */
static double tandem_cdf(const void *context, double t)
{
    (void)context;
    double a = sojourn_of(FIRST);
    double b = sojourn_of(SECOND);
    return 1 - (b * exp(-t / b) - a * exp(-t / a)) / (b - a);
}

static void check_tandem(struct tap *tap)
{
    struct repeats *repeats =
        repeats_run(&(struct system){ fill_tandem,
                                      NULL,
                                      { .warmup = SIM_S, .measure = 100 * SIM_S, .drain = SIM_S },
                                      1,
                                      REPEATS_MAX });
    check_near(tap, "mean", repeats_mean(repeats, 0), sojourn_of(FIRST) + sojourn_of(SECOND), 0.01);
    check_percentile(tap, repeats, 0, P50, tandem_cdf, NULL);
    check_percentile(tap, repeats, 0, P99, tandem_cdf, NULL);
    check_percentile(tap, repeats, 0, P999, tandem_cdf, NULL);
    check_near(tap, "utilisation", repeats_busy(repeats, 0, CPU_THREAD), 0.6, 0.01);
    check_little(tap, repeats, 0);
    repeats_destroy(repeats);
    tap_end(tap, "tandem");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    const struct priorities priorities[] = {
        { "preemptive, equal costs",
          { "interrupt", "thread" },
          { { 4000, 100 * SIM_US }, { 4000, 100 * SIM_US } },
          true,
          1 },
        { "preemptive, short ones first",
          { "interrupt", "thread" },
          { { 10000, 30 * SIM_US }, { 2000, 200 * SIM_US } },
          true,
          1 },
        { "preemptive, over idle",
          { "interrupt", "idle" },
          { { 2000, 200 * SIM_US }, { 10000, 30 * SIM_US } },
          true,
          1 },
        { "not preemptive, equal costs",
          { "thread", "idle" },
          { { 4000, 100 * SIM_US }, { 4000, 100 * SIM_US } },
          false,
          1 },
        { "not preemptive, short ones first",
          { "thread", "idle" },
          { { 10000, 30 * SIM_US }, { 2000, 200 * SIM_US } },
          false,
          1 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(priorities); i++) {
        check_priorities(&tap, &priorities[i]);
    }
    const struct losses losses[] = {
        { "M/M/1/5", 1, 5, 9000, 1 },
        { "M/M/4/4, Erlang's loss formula", 4, 4, 30000, 1 },
        { "M/M/3/12, overloaded", 3, 12, 36000, 1 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(losses); i++) {
        check_losses(&tap, &losses[i]);
    }
    check_tandem(&tap);
    return tap_exit(&tap);
}
