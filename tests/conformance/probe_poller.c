/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event loop that polls a queue when it has nothing else to do, as long as anything is under
 * way.
 *
 *   submit -> queued -> the poll finds it -> below
 *   above  <- the loop's handler <- complete
 */
#include "sim/engine/model.h"

enum phase { QUEUED, BACK };

struct poller {
    /* Parameters. */
    sim_time poll;
    sim_time handle;
    struct cpu *cpu;
    /* State. Invariant: while under_way > 0, a poll is queued or running. */
    int64_t under_way;
    bool polling;
    struct request_queue queued;
    /* Counters. */
    int64_t polls;
    int64_t empty;
};

static const struct param params[] = {
    PARAM_TIME(struct poller, poll, .min = 100 * SIM_NS, .preset = 500 * SIM_NS,
               .doc = "Cost of a poll."),
    PARAM_TIME(struct poller, handle, .preset = 1 * SIM_US, .doc = "Cost to complete one."),
    PARAM_CPU(struct poller, cpu, .required = true, .doc = "The event loop."),
};

static const struct phase_info phases[] = {
    [QUEUED] = { .name = "queued" },
    [BACK] = { .name = "back", .back = true },
};

static void queue_poll(struct stage *self, struct poller *poller);

static void on_polled(struct stage *self, struct request *none)
{
    (void)none;
    struct poller *poller = self->state;
    poller->polls++;
    poller->empty += poller->queued.count == 0;
    for (struct request *req; (req = request_queue_pop(&poller->queued)) != NULL;) {
        stage_submit_below(self, req);
    }
    poller->polling = false;
    if (poller->under_way > 0) {
        queue_poll(self, poller);
    }
}

static void queue_poll(struct stage *self, struct poller *poller)
{
    if (!poller->polling) {
        poller->polling = true;
        cpu_run(poller->cpu, CPU_IDLE, poller->poll, self, NULL, on_polled);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct poller *poller = self->state;
    request_queue_push(&poller->queued, req);
    poller->under_way++;
    queue_poll(self, poller);
}

static void on_handled(struct stage *self, struct request *req)
{
    struct poller *poller = self->state;
    poller->under_way--;
    stage_complete_above(self, req, req->status);
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct poller *poller = self->state;
    req->status = (uint8_t)status;
    cpu_run(poller->cpu, CPU_THREAD, poller->handle, self, req, on_handled);
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct poller *poller = self->state;
    request_queue_init(&poller->queued, self, QUEUED);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct poller *poller = self->state;
    report_count(report, "polls", poller->polls);
    report_count(report, "empty", poller->empty);
}

const struct model probe_poller_model = {
    .name = "probe_poller",
    .summary = "An event loop with an idle poller.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct poller),
    .holds_up = true,
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
