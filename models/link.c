/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A link: packets leave one after the other at a rate, after that a delay that holds nobody up.
 *
 *   submit -> full? -> queued -> sending (bits / rate) -> delay -> above
 *              yes: dropped at once
 *
 * A FIFO knows each departure when the packet enters, so a packet costs one event, and only the
 * first one's is pending.
 *
 * Modelled, as Linux netem does it: time to send = max(now, that of the one before) + length /
 * rate; the limit counts every packet that is still here, the one being sent and the delayed ones
 * too; a full queue drops what arrives.
 * Left out: jitter, loss, reordering. Source: Linux net/sched/sch_netem.c, v4.14.
 */
#include "sim/engine/model.h"

enum phase { QUEUED, SENDING, DELAY };

struct link_state {
    /* Parameters. */
    int64_t rate;
    int64_t overhead;
    int64_t limit;
    sim_time delay;
    /* State. */
    struct request *first; /* only its event is pending; linked by next */
    struct request *last;
    int64_t count;     /* <= limit */
    sim_time sent_all; /* when the last of those that came so far is sent */
    /* Counters. */
    int64_t sent;
    int64_t dropped;
    int64_t count_most;
};

static const struct param params[] = {
    PARAM_BIT_RATE(struct link_state, rate, .required = true, .doc = "How fast packets are sent."),
    PARAM_SIZE(struct link_state, overhead, .min = 0, .max = 1 << 20, .preset = 0,
               .doc = "Bytes that the link adds to each packet."),
    PARAM_COUNT(struct link_state, limit, .min = 1, .preset = 1000,
                .doc = "Packets that the link holds; one that finds it full is dropped."),
    PARAM_TIME(struct link_state, delay, .preset = 0,
               .doc = "What passes after a packet is sent until it is delivered."),
};

static const struct phase_info phases[] = {
    [QUEUED] = { .name = "queued" },
    [SENDING] = { .name = "sending" },
    [DELAY] = { .name = "delay" },
};

/* A packet's marks: when the sending of it begins and ends. */
enum { BEGIN, END };

/* A slow link reaches beyond the end of time. */
static sim_time after(sim_time when, sim_sum duration)
{
    sim_time last = SIM_NEVER - SIM_DURATION_MAX;
    return when + duration < last ? (sim_time)(when + duration) : last;
}

/* At 128 bits: a size is up to 2^40 bytes. */
static sim_sum sending_time(const struct link_state *link, const struct request *req)
{
    return (sim_sum)(req->size_bytes + link->overhead) * 8 * SIM_S / link->rate;
}

static sim_time done_at(const struct link_state *link, const struct request *req)
{
    return after(req->mark[END], link->delay);
}

static void settle(struct stage *self, struct request *req)
{
    sim_time now = stage_now(self);
    if (req->mark[BEGIN] <= now) {
        stage_phase_since(self, req, SENDING, req->mark[BEGIN]);
    }
    if (req->mark[END] < now) {
        stage_phase_since(self, req, DELAY, req->mark[END]);
    }
}

static void on_done(struct stage *self, struct request *req)
{
    struct link_state *link = self->state;
    link->first = req->next;
    link->count--;
    link->sent++;
    if (req->next != NULL) {
        stage_at(self, done_at(link, req->next), req->next, on_done);
    }
    settle(self, req);
    stage_complete_above(self, req, REQUEST_DONE);
}

static void submit(struct stage *self, struct request *req)
{
    struct link_state *link = self->state;
    if (link->count == link->limit) {
        link->dropped++;
        stage_complete_above(self, req, REQUEST_DROPPED);
        return;
    }
    sim_time now = stage_now(self);
    req->mark[BEGIN] = link->sent_all > now ? link->sent_all : now;
    req->mark[END] = link->sent_all = after(req->mark[BEGIN], sending_time(link, req));
    req->next = NULL;
    if (link->first == NULL) {
        stage_at(self, done_at(link, req), req, on_done);
        link->first = req;
    } else {
        link->last->next = req;
    }
    link->last = req;
    link->count++;
    link->count_most = link->count > link->count_most ? link->count : link->count_most;
}

static void report(const struct stage *self, struct report *report)
{
    const struct link_state *link = self->state;
    report_count(report, "sent", link->sent);
    report_count(report, "dropped", link->dropped);
    report_level(report, "queued", link->count);
    report_level(report, "queued_most", link->count_most);
}

const struct model link_model = {
    .name = "link",
    .summary = "A serial link: a rate, a queue with a limit that drops what finds it full.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct link_state),
    .bottom = true,
    .submit = submit,
    .settle = settle,
    .report = report,
};
