/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store and forward: a request is received as a whole, then sent on as a whole.
 *
 *   submit -> receiving -> sending -> below            nobody waits for anybody
 *
 * Exercises stage_phase without a queue, and two draws of one request at one stage.
 */
#include "sim/engine/model.h"

enum phase { RECEIVING, SENDING, BACK };

struct forward {
    /* Parameters. */
    struct distribution receive;
    struct distribution send;
};

static const struct param params[] = {
    PARAM_DISTRIBUTION(struct forward, receive, .preset = 0, .doc = "Time to receive."),
    PARAM_DISTRIBUTION(struct forward, send, .preset = 0, .doc = "Time to send on."),
};

static const struct phase_info phases[] = {
    [RECEIVING] = { .name = "receiving" },
    [SENDING] = { .name = "sending" },
    [BACK] = { .name = "back", .back = true },
};

static void on_received(struct stage *self, struct request *req)
{
    struct forward *forward = self->state;
    stage_phase(self, req, SENDING);
    stage_after(self, stage_draw(self, req, &forward->send), req, stage_submit_below);
}

static void submit(struct stage *self, struct request *req)
{
    struct forward *forward = self->state;
    stage_after(self, stage_draw(self, req, &forward->receive), req, on_received);
}

const struct model probe_forward_model = {
    .name = "probe_forward",
    .summary = "Store and forward.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct forward),
    .submit = submit,
};
