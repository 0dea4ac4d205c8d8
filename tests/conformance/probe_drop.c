/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers behind one queue of limited length, with tail drop: M/M/c/K where the load is Poisson.
 *
 *   submit -> fewer than `limit` here? -> queued -> a server -> above
 *          -> else dropped at once
 */
#include "sim/engine/model.h"

enum phase { QUEUED, SERVICE };

struct drop {
    /* Parameters. */
    int64_t servers;
    int64_t limit;
    struct distribution service;
    /* State. Invariant: busy <= servers, busy + queued.count <= limit; none is queued while a
     * server is free. */
    int64_t busy;
    struct request_queue queued;
    /* Counters. */
    int64_t dropped;
};

static const struct param params[] = {
    PARAM_COUNT(struct drop, servers, .min = 1, .preset = 1, .doc = "Served at the same time."),
    PARAM_COUNT(struct drop, limit, .min = 1, .preset = 10, .doc = "Requests here, at most."),
    PARAM_DISTRIBUTION(struct drop, service, .preset = 0, .doc = "Time at a server."),
};

static const struct phase_info phases[] = {
    [QUEUED] = { .name = "queued" },
    [SERVICE] = { .name = "service" },
};

static void on_served(struct stage *self, struct request *req);

static void serve(struct stage *self, struct drop *drop, struct request *req)
{
    drop->busy++;
    stage_phase(self, req, SERVICE);
    stage_after(self, stage_draw(self, req, &drop->service), req, on_served);
}

static void on_served(struct stage *self, struct request *req)
{
    struct drop *drop = self->state;
    drop->busy--;
    struct request *next = request_queue_pop(&drop->queued);
    if (next != NULL) {
        serve(self, drop, next);
    }
    stage_complete_above(self, req, REQUEST_DONE);
}

static void submit(struct stage *self, struct request *req)
{
    struct drop *drop = self->state;
    if (drop->busy + drop->queued.count >= drop->limit) {
        drop->dropped++;
        stage_complete_above(self, req, REQUEST_DROPPED);
    } else if (drop->busy < drop->servers) {
        serve(self, drop, req);
    } else {
        request_queue_push(&drop->queued, req);
    }
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct drop *drop = self->state;
    request_queue_init(&drop->queued, self, QUEUED);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct drop *drop = self->state;
    report_count(report, "dropped", drop->dropped);
}

const struct model probe_drop_model = {
    .name = "probe_drop",
    .summary = "Servers behind a queue with tail drop.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct drop),
    .bottom = true,
    .init = init,
    .submit = submit,
    .report = report,
};
