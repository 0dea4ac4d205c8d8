/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue that tries its head every `interval` and refuses each request some times first.
 *
 *   submit -> pending -> attempt -> below
 *               ^---- refused, to the tail: a transition though the phase stays the same
 *
 * A timer runs exactly while something is pending.
 */
#include "sim/engine/model.h"

enum phase { PENDING, BACK };

struct retry {
    /* Parameters. */
    sim_time interval;
    int64_t refusals;
    bool rotate;
    /* State. */
    struct request_queue pending;
    sim_event_id timer; /* 0: not armed */
    /* Counters. */
    int64_t refused;
};

static const struct param params[] = {
    PARAM_TIME(struct retry, interval, .min = 1, .preset = 1 * SIM_US, .doc = "Between attempts."),
    PARAM_COUNT(struct retry, refusals, .preset = 2, .doc = "Of a request, before it may go."),
    PARAM_BOOL(struct retry, rotate, .preset = true, .doc = "A refused head goes to the tail."),
};

static const struct phase_info phases[] = {
    [PENDING] = { .name = "pending" },
    [BACK] = { .name = "back", .back = true },
};

static void on_timer(struct stage *self, struct request *none);

static void arm(struct stage *self, struct retry *retry)
{
    if (retry->timer == 0 && retry->pending.count > 0) {
        retry->timer = stage_after(self, retry->interval, NULL, on_timer);
    }
}

/* mark[0] of a request counts its refusals. */
static void on_timer(struct stage *self, struct request *none)
{
    (void)none;
    struct retry *retry = self->state;
    struct request *req = request_queue_pop(&retry->pending);
    retry->timer = 0;
    if (req->mark[0] == retry->refusals) {
        stage_submit_below(self, req);
    } else {
        req->mark[0]++;
        retry->refused++;
        if (retry->rotate) {
            request_queue_push(&retry->pending, req);
        } else {
            request_queue_push_front(&retry->pending, req);
        }
    }
    arm(self, retry);
}

static void submit(struct stage *self, struct request *req)
{
    struct retry *retry = self->state;
    req->mark[0] = 0;
    request_queue_push(&retry->pending, req);
    arm(self, retry);
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct retry *retry = self->state;
    request_queue_init(&retry->pending, self, PENDING);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct retry *retry = self->state;
    report_count(report, "refused", retry->refused);
    report_level(report, "pending", retry->pending.count);
}

const struct model probe_retry_model = {
    .name = "probe_retry",
    .summary = "Refuses and tries again.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct retry),
    .init = init,
    .submit = submit,
    .report = report,
};
