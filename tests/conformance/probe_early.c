/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker that copies a packet and completes it at once, while the copy goes on.
 *
 *   submit -> worker copies -> above (early)
 *                           -> below -> the rest ends here
 *                           -> every drop_every-th copy is thrown away after that
 *
 * Two of them on one way complete twice early, and what lies between them has no clock.
 */
#include "sim/engine/model.h"

enum phase { QUEUED, SENT };

struct early {
    /* Parameters. */
    const struct policy *policy;
    sim_time copy;
    int64_t drop_every;
    struct cpu *cpu;
    /* Counters. */
    int64_t copied;
};

struct policy {
    const char *name;
    const char *summary;
    bool completes_early;
};

static const struct policy policies[] = {
    { .name = "copy", .summary = "Completes when copied.", .completes_early = true },
    { .name = "wait", .summary = "Completes when the packet is back.", .completes_early = false },
};

static const struct param params[] = {
    PARAM_POLICY(struct early, policy, policies, .preset = 0, .doc = "When a packet completes."),
    PARAM_TIME(struct early, copy, .preset = 1 * SIM_US, .doc = "The worker's time to copy."),
    PARAM_COUNT(struct early, drop_every, .preset = 0, .doc = "Every n-th is dropped; 0: none."),
    PARAM_CPU(struct early, cpu, .doc = "The worker."),
};

static const struct phase_info phases[] = {
    [QUEUED] = { .name = "queued" },
    [SENT] = { .name = "sent", .back = true },
};

static void on_copied(struct stage *self, struct request *req)
{
    struct early *early = self->state;
    early->copied++;
    if (early->policy->completes_early) {
        stage_complete_early(self, req);
    }
    if (early->drop_every > 0 && early->copied % early->drop_every == 0) {
        stage_complete_above(self, req, REQUEST_DROPPED);
    } else {
        stage_submit_below(self, req);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct early *early = self->state;
    cpu_run(early->cpu, CPU_THREAD, early->copy, self, req, on_copied);
}

static void report(const struct stage *self, struct report *report)
{
    const struct early *early = self->state;
    report_count(report, "copied", early->copied);
}

const struct model probe_early_model = {
    .name = "probe_early",
    .summary = "Completes a packet before it is sent.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct early),
    .completes_early = true,
    .submit = submit,
    .report = report,
};
