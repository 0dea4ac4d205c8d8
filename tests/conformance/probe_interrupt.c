/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver whose thread works on requests and whose interrupts preempt that thread.
 *
 *   submit -> thread item (work) -> below
 *   above  <- interrupt item (handle) <- complete
 *
 * What a stage under it completed early is only counted here and passes straight.
 */
#include "sim/engine/model.h"

enum phase { WORK, INTERRUPT };

struct interrupt {
    /* Parameters. */
    sim_time work;
    sim_time handle;
    struct cpu *cpu;
};

static const struct param params[] = {
    PARAM_TIME(struct interrupt, work, .preset = 5 * SIM_US, .doc = "The thread's time."),
    PARAM_TIME(struct interrupt, handle, .preset = 1 * SIM_US, .doc = "The interrupt's time."),
    PARAM_CPU(struct interrupt, cpu, .doc = "Where both run."),
};

static const struct phase_info phases[] = {
    [WORK] = { .name = "work" },
    [INTERRUPT] = { .name = "interrupt", .back = true },
};

static void submit(struct stage *self, struct request *req)
{
    struct interrupt *interrupt = self->state;
    cpu_run(interrupt->cpu, CPU_THREAD, interrupt->work, self, req, stage_submit_below);
}

static void on_handled(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, req->status);
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct interrupt *interrupt = self->state;
    if (!request_is_held(req, self->links[req->load].level)) {
        stage_complete_above(self, req, status);
        return;
    }
    req->status = (uint8_t)status;
    cpu_run(interrupt->cpu, CPU_INTERRUPT, interrupt->handle, self, req, on_handled);
}

const struct model probe_interrupt_model = {
    .name = "probe_interrupt",
    .summary = "Interrupts preempt the thread.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct interrupt),
    .submit = submit,
    .complete = complete,
};
