/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A splitter: each request becomes some children, and is done when all are back.
 *
 *   submit -> `parts` children -> below -> all back -> above; dropped if one was
 */
#include "sim/engine/model.h"

enum phase { JOINING, BACK };

struct split {
    /* Parameters. */
    int64_t parts;
    /* Counters. */
    int64_t children;
};

static const struct param params[] = {
    PARAM_COUNT(struct split, parts, .min = 1, .max = 3, .preset = 2, .doc = "Children a request."),
};

static const struct phase_info phases[] = {
    [JOINING] = { .name = "joining" },
    [BACK] = { .name = "back", .back = true },
};

/* mark[0] of a request counts the children that are not back. */
static void submit(struct stage *self, struct request *req)
{
    struct split *split = self->state;
    req->mark[0] = split->parts;
    req->status = REQUEST_DONE;
    for (uint32_t child = 1; child <= (uint32_t)split->parts; child++) {
        struct request *part = stage_create_child(self, req, child);
        part->batch_left = (uint16_t)(split->parts - child);
        split->children++;
        stage_submit_below(self, part);
    }
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct request *parent = req->parent;
    if (status != REQUEST_DONE) {
        parent->status = (uint8_t)status;
    }
    stage_end_child(self, req);
    if (--parent->mark[0] == 0) {
        stage_complete_above(self, parent, parent->status);
    }
}

static void report(const struct stage *self, struct report *report)
{
    const struct split *split = self->state;
    report_count(report, "children", split->children);
}

const struct model probe_split_model = {
    .name = "probe_split",
    .summary = "Splits a request and joins its parts.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct split),
    .holds_up = true,
    .submit = submit,
    .complete = complete,
    .report = report,
};
