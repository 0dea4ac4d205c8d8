/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue with a fixed number of slots in front of a device; a worker takes completions off it.
 *
 *   submit -> slot free? -> below            full: parked ("waiting")
 *   above  <- worker reaps a batch <- used <- complete from below
 *
 * Modelled: slots, the worker's cost per reaped request, two policies for who gets a freed slot.
 * Left out: descriptors, notification suppression.
 * Source: an example of the form, no real system.
 */
#include "sim/engine/model.h"

enum phase { WAITING, USED };

struct slots {
    /* Parameters. */
    int64_t entries;
    sim_time reap; /* worker's cost per request; its wake-up belongs to the cpu */
    struct cpu *cpu;
    const struct policy *policy;
    /* State. Invariant: busy <= entries; if any wait while a slot is free, filler is queued. */
    int64_t busy;
    struct request_queue waiting;
    struct request_queue used; /* done below, not yet reaped; each still holds its slot */
    struct cpu_work reaper;
    struct cpu_work filler; /* runs behind the batch, so newcomers can come before it */
    /* Counters. */
    int64_t parked;
    int64_t batches;
};

/* What the two policies differ in, side by side. */
struct policy {
    const char *name;
    const char *summary;
    bool (*may_enter)(const struct slots *slots); /* a newcomer, while a slot is free */
};

static bool always(const struct slots *slots)
{
    (void)slots;
    return true;
}

static bool if_none_waits(const struct slots *slots)
{
    return slots->waiting.count == 0;
}

static const struct policy policies[] = {
    { .name = "overtake", .summary = "A newcomer takes a free slot.", .may_enter = always },
    { .name = "fifo", .summary = "A newcomer joins the line.", .may_enter = if_none_waits },
};

static const struct param params[] = {
    PARAM_COUNT(struct slots, entries, .min = 1, .max = 65536, .preset = 128,
                .doc = "Requests the queue can hold."),
    PARAM_TIME(struct slots, reap, .preset = 150 * SIM_NS,
               .doc = "Worker time to take one completion off the queue."),
    PARAM_CPU(struct slots, cpu, .required = true, .doc = "The worker."),
    PARAM_POLICY(struct slots, policy, policies, .preset = 0, .doc = "Who gets a free slot."),
};

static const struct phase_info phases[] = {
    [WAITING] = { .name = "waiting" },
    [USED] = { .name = "used", .back = true },
};

/* ---- Down. ---- */

static void enter(struct stage *self, struct slots *slots, struct request *req)
{
    slots->busy++;
    stage_submit_below(self, req); /* from here its time is the lower stage's */
}

static void submit(struct stage *self, struct request *req)
{
    struct slots *slots = self->state;
    if (slots->busy < slots->entries && slots->policy->may_enter(slots)) {
        enter(self, slots, req);
    } else {
        slots->parked++;
        request_queue_push(&slots->waiting, req);
    }
}

/* ---- Up. ---- */

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct slots *slots = self->state;
    req->status = (uint8_t)status;
    request_queue_push(&slots->used, req);
    cpu_work_queue(slots->cpu, &slots->reaper); /* no effect while pending; once more if running */
}

/* Its slot is free. A requester that submits again at once arrives when this handler is done. */
static void on_reaped(struct stage *self, struct request *req)
{
    struct slots *slots = self->state;
    slots->busy--;
    stage_complete_above(self, req, req->status);
    cpu_work_queue(slots->cpu, &slots->filler);
}

static void on_reaper_runs(struct stage *self, struct request *none)
{
    (void)none;
    struct slots *slots = self->state;
    slots->batches++;
    for (struct request *req; (req = request_queue_pop(&slots->used)) != NULL;) {
        cpu_run(slots->cpu, CPU_THREAD, slots->reap, self, req, on_reaped);
    }
}

static void on_filler_runs(struct stage *self, struct request *none)
{
    (void)none;
    struct slots *slots = self->state;
    while (slots->busy < slots->entries && slots->waiting.count > 0) {
        enter(self, slots, request_queue_pop(&slots->waiting));
    }
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct slots *slots = self->state;
    request_queue_init(&slots->waiting, self, WAITING);
    request_queue_init(&slots->used, self, USED);
    cpu_work_init(&slots->reaper, self, on_reaper_runs);
    cpu_work_init(&slots->filler, self, on_filler_runs);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct slots *slots = self->state;
    report_count(report, "parked", slots->parked);
    report_count(report, "batches", slots->batches);
}

const struct model probe_slots_model = {
    .name = "probe_slots",
    .summary = "A queue of fixed size, reaped by a worker.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct slots),
    .holds_up = true,
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
