/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker that is all cpu.
 *
 *   submit -> fewer than `limit` here? -> item of `class` on the cpu -> below
 *          -> else dropped at once
 */
#include "tests/theory/probe_worker.h"

#include "sim/engine/model.h"

enum phase { WORK, BACK };

struct worker {
    /* Parameters. */
    struct cpu *cpu;
    int64_t class; /* enum cpu_class */
    struct distribution service;
    int64_t limit;
    /* State. Invariant: inside <= limit, if there is one. */
    int64_t inside;
};

static const char *const classes[] = { "interrupt", "thread", "idle", NULL };

static const struct param params[] = {
    PARAM_CPU(struct worker, cpu, .required = true, .doc = "Where the items run."),
    PARAM_CHOICE(struct worker, class, classes, .preset = CPU_THREAD, .doc = "Of the items."),
    PARAM_DISTRIBUTION(struct worker, service, .preset = 0, .doc = "Cost of an item."),
    PARAM_COUNT(struct worker, limit, .preset = 0, .preset_doc = "none",
                .doc = "Requests here, at most."),
};

static const struct phase_info phases[] = {
    [WORK] = { .name = "work" },
    [BACK] = { .name = "back", .back = true },
};

static void on_worked(struct stage *self, struct request *req)
{
    struct worker *worker = self->state;
    worker->inside--;
    stage_submit_below(self, req);
}

static void submit(struct stage *self, struct request *req)
{
    struct worker *worker = self->state;
    if (worker->limit > 0 && worker->inside >= worker->limit) {
        stage_complete_above(self, req, REQUEST_DROPPED);
        return;
    }
    worker->inside++;
    cpu_run(worker->cpu, (enum cpu_class)worker->class, stage_draw(self, req, &worker->service),
            self, req, on_worked);
}

const struct model probe_worker_model = {
    .name = "probe_worker",
    .summary = "Each request is an item on a cpu.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct worker),
    .submit = submit,
};
