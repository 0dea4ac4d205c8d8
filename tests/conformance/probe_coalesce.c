/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A coalescer: what comes back waits until `limit` are together or none came for `quiet`.
 *
 *   above <- all at once <- held <- complete       each one moves the timer; the last cancels it
 *
 * What a stage under it completed early is only counted here and passes straight.
 */
#include "sim/engine/model.h"

enum phase { DOWN, HELD };

struct coalesce {
    /* Parameters. */
    sim_time quiet;
    int64_t limit;
    /* State. Invariant: timer is pending exactly while some are held; held.count < limit. */
    struct request_queue held;
    sim_event_id timer;
    /* Counters. */
    int64_t moved;
    int64_t cancelled;
    int64_t expired;
};

static const struct param params[] = {
    PARAM_TIME(struct coalesce, quiet, .min = 1, .preset = 10 * SIM_US, .doc = "Time to wait."),
    PARAM_COUNT(struct coalesce, limit, .min = 1, .preset = 4, .doc = "Held at once, at most."),
};

static const struct phase_info phases[] = {
    [DOWN] = { .name = "down" },
    [HELD] = { .name = "held", .back = true },
};

static void release(struct stage *self, struct coalesce *coalesce)
{
    coalesce->timer = 0;
    for (struct request *req; (req = request_queue_pop(&coalesce->held)) != NULL;) {
        stage_complete_above(self, req, req->status);
    }
}

static void on_quiet(struct stage *self, struct request *none)
{
    (void)none;
    struct coalesce *coalesce = self->state;
    coalesce->expired++;
    release(self, coalesce);
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct coalesce *coalesce = self->state;
    if (!request_is_held(req, self->links[req->load].level)) {
        stage_complete_above(self, req, status);
        return;
    }
    req->status = (uint8_t)status;
    request_queue_push(&coalesce->held, req);
    sim_time expiry = stage_now(self) + coalesce->quiet;
    if (coalesce->held.count >= coalesce->limit) {
        coalesce->cancelled += stage_cancel(self, coalesce->timer);
        release(self, coalesce);
        return;
    }
    coalesce->timer = stage_move(self, coalesce->timer, expiry);
    coalesce->moved += coalesce->timer != 0;
    if (coalesce->timer == 0) {
        coalesce->timer = stage_at(self, expiry, NULL, on_quiet);
    }
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct coalesce *coalesce = self->state;
    request_queue_init(&coalesce->held, self, HELD);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct coalesce *coalesce = self->state;
    report_count(report, "moved", coalesce->moved);
    report_count(report, "cancelled", coalesce->cancelled);
    report_count(report, "expired", coalesce->expired);
}

const struct model probe_coalesce_model = {
    .name = "probe_coalesce",
    .summary = "Completes together what comes back together.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct coalesce),
    .init = init,
    .complete = complete,
    .report = report,
};
