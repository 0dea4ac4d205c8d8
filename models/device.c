/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device: parallel servers behind one FIFO, then a delay that holds nobody up.
 *
 *   submit -> queued -> a server (service) -> delay -> above
 *
 * A FIFO station knows each departure when the request enters, so a request costs one event, and
 * where requests are done in the order they came, only one is pending.
 *
 * Modelled: servers, service time, pipeline delay, a cap on starts, completion in order or not.
 * Left out: scheduling inside the device, failures.
 */
#include "sim/engine/model.h"

enum phase { QUEUED, SERVICE, DELAY };

struct device {
    /* Parameters. */
    int64_t servers;
    struct distribution service;
    struct distribution delay;
    int64_t rate;
    bool in_order;
    /* State. A heap of when each server is free, the earliest first. */
    sim_time *free_at;
    sim_time next_start; /* by the cap */
    sim_time last_done;
    sim_time gap;          /* between starts, by the cap */
    bool keeps_order;      /* requests are done in the order they came: */
    struct request *first; /* then only the first one's event is pending; linked by next */
    struct request *last;
    /* Counters. */
    int64_t served;
    sim_time busy;
};

static const struct param params[] = {
    PARAM_COUNT(struct device, servers, .min = 1, .max = 65536, .preset = 1,
                .doc = "Requests served at the same time."),
    PARAM_DISTRIBUTION(struct device, service, .preset = 0,
                       .doc = "How long a request holds a server."),
    PARAM_DISTRIBUTION(struct device, delay, .preset = 0,
                       .doc = "What passes after its service until it is done; holds no server."),
    PARAM_RATE(struct device, rate, .preset = 0, .preset_doc = "no cap",
               .doc = "At most so many services begin per second, evenly spaced."),
    PARAM_BOOL(struct device, in_order, .preset = false,
               .doc = "A request waits for all that came before it."),
};

static const struct phase_info phases[] = {
    [QUEUED] = { .name = "queued" },
    [SERVICE] = { .name = "service" },
    [DELAY] = { .name = "delay" },
};

/* The server that is free first takes the next request, until `end`. */
static void occupy(struct device *device, sim_time end)
{
    sim_time *heap = device->free_at;
    int64_t hole = 0;
    for (;;) {
        int64_t child = 2 * hole + 1;
        if (child >= device->servers) {
            break;
        }
        child += child + 1 < device->servers && heap[child + 1] < heap[child];
        if (heap[child] >= end) {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = end;
}

/* A request's marks: when its service begins, when that ends, when it is done. */
enum { BEGIN, END, DONE };

static void settle(struct stage *self, struct request *req)
{
    sim_time now = stage_now(self);
    if (req->mark[BEGIN] <= now) {
        stage_phase_since(self, req, SERVICE, req->mark[BEGIN]);
    }
    if (req->mark[END] < now) {
        stage_phase_since(self, req, DELAY, req->mark[END]);
    }
}

static void on_done(struct stage *self, struct request *req)
{
    struct device *device = self->state;
    if (device->keeps_order) {
        device->first = req->next;
        if (req->next != NULL) {
            stage_at(self, req->next->mark[DONE], req->next, on_done);
        }
    }
    device->served++;
    device->busy += req->mark[END] - req->mark[BEGIN];
    settle(self, req);
    stage_complete_above(self, req, REQUEST_DONE);
}

static sim_time later(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

/* A long queue of long services reaches beyond the end of time. */
static sim_time after(sim_time when, sim_time duration)
{
    sim_time last = SIM_NEVER - SIM_DURATION_MAX;
    return when + duration < last ? when + duration : last;
}

static void submit(struct stage *self, struct request *req)
{
    struct device *device = self->state;
    sim_time begin = later(later(stage_now(self), device->free_at[0]), device->next_start);
    sim_time end = after(begin, stage_draw(self, req, &device->service));
    sim_time done = after(end, stage_draw(self, req, &device->delay));
    device->next_start = device->gap > 0 ? after(begin, device->gap) : 0;
    occupy(device, end);
    if (device->in_order) {
        done = later(done, device->last_done);
        device->last_done = done;
    }
    req->mark[BEGIN] = begin;
    req->mark[END] = end;
    req->mark[DONE] = done;
    if (!device->keeps_order || device->first == NULL) {
        stage_at(self, done, req, on_done);
    }
    if (device->keeps_order) {
        req->next = NULL;
        *(device->first == NULL ? &device->first : &device->last->next) = req;
        device->last = req;
    }
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct device *device = self->state;
    device->free_at = arena_array(stage_arena(self), (size_t)device->servers, sizeof(sim_time));
    device->gap = device->rate > 0 ? 1000 * SIM_S / device->rate : 0;
    bool same_delay = device->delay.kind == DISTRIBUTION_CONSTANT;
    device->keeps_order = device->in_order || (device->servers == 1 && same_delay);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct device *device = self->state;
    report_count(report, "served", device->served);
    report_time(report, "busy", device->busy / device->servers);
}

const struct model device_model = {
    .name = "device",
    .summary = "Parallel servers behind one FIFO, then a fixed or random delay.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct device),
    .bottom = true,
    .init = init,
    .submit = submit,
    .settle = settle,
    .report = report,
};
