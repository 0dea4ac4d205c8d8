/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transmit worker of vhost-net. A zerocopy packet is sent from the guest's own pages, so it
 * keeps its descriptors until it has left the host.
 *
 *   submit -> available -> worker -> copy:     above (early), and below: its bytes go on alone
 *     kick if asked for           -> zerocopy: below -> done -> released in order -> above
 *
 * Modelled: a pass releases, takes a packet, sends it, and so on until none is left or its weight
 * is reached; notifications are off meanwhile; who is done early keeps its place until all older
 * ones are; only every poll_every-th completion wakes the worker.
 * Left out: the heuristic on zerocopy errors (none happen), busy polling. Source: Linux
 * drivers/vhost/net.c, v4.14 (stall) and v4.18 (copy_fallback).
 */
#include <inttypes.h>

#include "sim/engine/model.h"

enum phase { AVAILABLE, WORKER, DONE };

struct vhost_net {
    /* Parameters. */
    const struct policy *policy;
    int64_t entries;
    struct cpu *cpu;
    sim_time cost;
    sim_time kick;
    int64_t good_copy;
    int64_t cap;
    int64_t shift;
    int64_t index_ring;
    int64_t weight_packets;
    int64_t weight_bytes;
    int64_t poll_every;
    /* State. */
    struct request_queue available;
    struct cpu_work work;
    bool notify; /* the next packet kicks */
    int64_t limit;
    struct release_ring zerocopy; /* the index ring */
    int64_t pass_packets;
    int64_t pass_bytes;
    /* Counters. */
    int64_t copied;
    int64_t passes;
    int64_t stalls;
};

/* What the patch changed: the limit, and what is done at it. */
struct policy {
    const char *name;
    const char *summary;
    int64_t (*limit)(const struct vhost_net *vhost, int64_t entries);
    bool (*is_reached)(const struct vhost_net *vhost);
    bool leaves; /* the pass; else packets are copied */
};

/* Before: (newest + entries - cap) modulo index_ring is oldest: an equality. */
static int64_t stall_limit(const struct vhost_net *vhost, int64_t entries)
{
    int64_t places = vhost->index_ring;
    return ((vhost->cap - entries) % places + places) % places;
}

static bool is_at_limit(const struct vhost_net *vhost)
{
    return release_ring_held(&vhost->zerocopy) == vhost->limit;
}

static int64_t copy_limit(const struct vhost_net *vhost, int64_t entries)
{
    return entries >> vhost->shift < vhost->cap ? entries >> vhost->shift : vhost->cap;
}

/* After: asked before a packet is added, so that one more than the limit is held. */
static bool is_above_limit(const struct vhost_net *vhost)
{
    return release_ring_held(&vhost->zerocopy) > vhost->limit;
}

static const struct policy policies[] = {
    { "stall", "At the limit the pass ends; a completion wakes the worker.", stall_limit,
      is_at_limit, true },
    { "copy_fallback", "Above the limit packets are copied.", copy_limit, is_above_limit, false },
};

static const struct param params[] = {
    PARAM_POLICY(struct vhost_net, policy, policies, .preset = 1, .doc = "What the limit does."),
    PARAM_COUNT(struct vhost_net, entries, .max = 32768, .doc = "Descriptors of the ring.",
                .preset_doc = "those of the ring above, else 256"),
    PARAM_CPU(struct vhost_net, cpu, .required = true, .doc = "Where the worker runs."),
    PARAM_TIME(struct vhost_net, cost, .preset = 3 * SIM_US, .doc = "Worker time of a packet."),
    PARAM_TIME(struct vhost_net, kick, .preset = 2 * SIM_US, .doc = "From a kick to the work."),
    PARAM_SIZE(struct vhost_net, good_copy, .preset = 256,
               .doc = "Packets of this length and more may be sent without a copy."),
    PARAM_COUNT(struct vhost_net, cap, .min = 1, .preset = 128,
                .doc = "Bounds the limit, in packets."),
    PARAM_COUNT(struct vhost_net, shift, .max = 15, .preset = 2,
                .doc = "copy_fallback: the limit is entries >> shift, at most cap."),
    PARAM_COUNT(struct vhost_net, index_ring, .min = 2, .max = 65536, .preset = 1024,
                .doc = "Places for zerocopy packets, one of which stays empty (UIO_MAXIOV)."),
    PARAM_COUNT(struct vhost_net, weight_packets, .min = 1, .preset = 256,
                .doc = "A pass that sent so many packets ends and queues the worker again."),
    PARAM_SIZE(struct vhost_net, weight_bytes, .preset = 0x80000, .doc = "The same in bytes."),
    PARAM_COUNT(struct vhost_net, poll_every, .min = 1, .preset = 16,
                .doc = "A completion wakes the worker at multiples of this count, and the last."),
};

static const struct phase_info phases[] = { { "available", false },
                                            { "worker", false },
                                            { "done", true } };

/* ---- The worker. ---- */

static void next_packet(struct stage *self);

static bool may_zerocopy(const struct vhost_net *vhost, const struct request *req)
{
    return req->size_bytes >= vhost->good_copy &&
           release_ring_held(&vhost->zerocopy) + 1 < vhost->index_ring &&
           (vhost->policy->leaves || !vhost->policy->is_reached(vhost));
}

/* What is dropped below at once is done when this handler is over: released with the next. */
static void on_processed(struct stage *self, struct request *req)
{
    struct vhost_net *vhost = self->state;
    vhost->pass_packets++;
    vhost->pass_bytes += req->size_bytes;
    if (may_zerocopy(vhost, req)) {
        release_ring_push(&vhost->zerocopy, req);
    } else {
        vhost->copied++;
        stage_complete_early(self, req);
    }
    stage_submit_below(self, req);
    if (vhost->pass_packets >= vhost->weight_packets || vhost->pass_bytes >= vhost->weight_bytes) {
        cpu_work_queue(vhost->cpu, &vhost->work);
    } else {
        next_packet(self);
    }
}

static void next_packet(struct stage *self)
{
    struct vhost_net *vhost = self->state;
    release_ring_release(&vhost->zerocopy);
    if (vhost->policy->leaves && vhost->policy->is_reached(vhost)) {
        vhost->stalls++;
        return; /* notifications stay off: a completion must wake it */
    }
    struct request *req = request_queue_pop(&vhost->available);
    vhost->notify = req == NULL; /* then it looks once more, at the same instant */
    if (req != NULL) {
        stage_phase(self, req, WORKER);
        cpu_continue(vhost->cpu, vhost->cost, self, req, on_processed);
    }
}

static void on_work(struct stage *self, struct request *none)
{
    (void)none;
    struct vhost_net *vhost = self->state;
    vhost->notify = false;
    vhost->passes++;
    vhost->pass_packets = vhost->pass_bytes = 0;
    next_packet(self);
}

/* ---- Down and up. ---- */

static void on_kicked(struct stage *self, struct request *none)
{
    (void)none;
    struct vhost_net *vhost = self->state;
    cpu_work_queue(vhost->cpu, &vhost->work);
}

static void submit(struct stage *self, struct request *req)
{
    struct vhost_net *vhost = self->state;
    request_queue_push(&vhost->available, req);
    if (vhost->notify) {
        vhost->notify = false;
        stage_after(self, vhost->kick, NULL, on_kicked);
    }
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct vhost_net *vhost = self->state;
    if (stage_gave_early(self, req)) { /* copied */
        stage_complete_above(self, req, status);
        return;
    }
    release_ring_done(&vhost->zerocopy, req, status);
    int64_t flying = vhost->zerocopy.in_flight;
    if (flying == 0 || (flying + 1) % vhost->poll_every == 0) { /* the kernel's count is one more */
        cpu_work_queue(vhost->cpu, &vhost->work);
    }
}

static bool init(struct stage *self, struct error *err)
{
    struct vhost_net *vhost = self->state;
    int64_t entries = vhost->entries > 0 ? vhost->entries : stage_ring_above(self);
    entries = entries > 0 ? entries : 256;
    vhost->limit = vhost->policy->limit(vhost, entries);
    if (vhost->policy->leaves && vhost->limit == 0) {
        error_user(err, NULL, "`%s` stalls with nothing outstanding at %" PRId64 " entries",
                   self->name, entries);
        return error_hint(err, "let `entries` and `cap` differ, 256 and 128 say");
    }
    if (!vhost->policy->leaves && vhost->limit + 1 > entries) {
        error_user(err, NULL, "`%s` may hold %" PRId64 " packets on a ring of %" PRId64, self->name,
                   vhost->limit + 1, entries);
        return error_hint(err, "make `shift` larger or `cap` smaller");
    }
    vhost->notify = true;
    request_queue_init(&vhost->available, self, AVAILABLE);
    cpu_work_init(&vhost->work, self, on_work);
    release_ring_init(&vhost->zerocopy, self, vhost->index_ring);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct vhost_net *vhost = self->state;
    report_count(report, "copied", vhost->copied);
    report_count(report, "zerocopy", vhost->zerocopy.pushed);
    report_count(report, "passes", vhost->passes);
    report_count(report, "stalls", vhost->stalls);
    release_ring_report(&vhost->zerocopy, report);
}

const struct model vhost_net_model = {
    .name = "vhost_net",
    .summary = "The transmit worker of vhost-net: zerocopy packets keep their descriptors.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct vhost_net),
    .completes_early = true,
    .holds_up = true,
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
