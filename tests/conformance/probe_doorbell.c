/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring whose doorbell is rung once a system call: by the last request of its batch.
 *
 *   submit -> rung with batch_left 0 -> doorbell passes -> all that are in the ring go below
 */
#include "sim/engine/model.h"

enum phase { IN_RING, BACK };

struct doorbell {
    /* Parameters. */
    sim_time bell;
    /* State. */
    struct request_queue ring;
    /* Counters. */
    int64_t rung;
};

static const struct param params[] = {
    PARAM_TIME(struct doorbell, bell, .preset = 0, .doc = "From the bell to the other side."),
};

static const struct phase_info phases[] = {
    [IN_RING] = { .name = "in ring" },
    [BACK] = { .name = "back", .back = true },
};

static void on_rung(struct stage *self, struct request *none)
{
    (void)none;
    struct doorbell *doorbell = self->state;
    for (struct request *req; (req = request_queue_pop(&doorbell->ring)) != NULL;) {
        stage_submit_below(self, req);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct doorbell *doorbell = self->state;
    request_queue_push(&doorbell->ring, req);
    if (req->batch_left == 0) {
        doorbell->rung++;
        stage_after(self, doorbell->bell, NULL, on_rung);
    }
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct doorbell *doorbell = self->state;
    request_queue_init(&doorbell->ring, self, IN_RING);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct doorbell *doorbell = self->state;
    report_count(report, "rung", doorbell->rung);
}

const struct model probe_doorbell_model = {
    .name = "probe_doorbell",
    .summary = "One doorbell a batch.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct doorbell),
    .init = init,
    .submit = submit,
    .report = report,
};
