/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request queue of Linux virtio-fs: one ring, and a list of requests that found it full.
 *
 *   submit -> room? -> ring = below -> used -> interrupt -> done work -> end of the request ->
 * above no: tail of `queued`; dispatch work tries the head again: to the tail if refused
 *
 * Modelled: descriptors; newcomers overtake `queued`; a refused head goes to the tail and ends the
 * attempt; the retry timer's rounding to ticks; callbacks off while used elements are taken; reads
 * end in a work item each, writes inline; dispatch runs after the batch and its completions.
 * Left out: out of memory; the wake-up that can be lost between a refusal and the append. Source:
 * Linux fs/fuse/virtio_fs.c, v5.10 (timer_retry), v6.11 (pending_list: 106e4df1206b, 2106e1f444d9).
 */
#include <inttypes.h>

#include "sim/engine/model.h"

enum phase { PENDING, USED, ENDING };

enum { PAGE_BYTES = 4096, READ_DESCRIPTORS = 3, WRITE_DESCRIPTORS = 4 };

struct virtio_fs {
    /* Parameters. */
    const struct policy *policy;
    int64_t entries;
    bool indirect;
    int64_t descriptors;
    sim_time enqueue;
    struct cpu *cpu;
    sim_time interrupt;
    sim_time take;
    sim_time end;
    sim_time attempt;
    sim_time doorbell;
    sim_time retry;
    int64_t hz;
    bool rotate;
    bool overtake;
    /* State. */
    int64_t free;                 /* entries less the descriptors of what is below or in used */
    struct work_list queued;      /* found the ring full; its work is the dispatch work */
    struct completion_queue used; /* done below, not yet taken; its passes are the done work */
    struct request_queue taken;   /* to be ended when the pass is over */
    /* Counters. */
    int64_t parked;
};

/* What the patch changed: who looks at `queued` again, and when. NULL: nobody. */
struct policy {
    const char *name;
    const char *summary;
    void (*on_full)(struct stage *self);        /* a request found no room */
    void (*on_batch_ended)(struct stage *self); /* the done work is through */
};

/* Before. */
static void arm_timer(struct stage *self)
{
    struct virtio_fs *fs = self->state;
    sim_time expiry = ticks_expiry(fs->hz, stage_now(self), fs->retry);
    cpu_work_queue_at(fs->cpu, &fs->queued.work, expiry);
}

/* After. */
static void dispatch_if_any(struct stage *self)
{
    struct virtio_fs *fs = self->state;
    if (fs->queued.queue.count > 0) {
        cpu_work_queue(fs->cpu, &fs->queued.work);
    }
}

static const struct policy policies[] = {
    { "timer_retry", "A full ring arms a timer; completions do not look at the list.", arm_timer,
      NULL },
    { "pending_list", "Completions try the list again, after their batch.", NULL, dispatch_if_any },
};

static const struct param params[] = {
    PARAM_POLICY(struct virtio_fs, policy, policies, .preset = 1,
                 .doc = "Who tries parked ones again."),
    PARAM_COUNT(struct virtio_fs, entries, .min = 1, .max = 32768, .preset = 64,
                .doc = "Descriptors of the ring."),
    PARAM_BOOL(struct virtio_fs, indirect, .doc = "Indirect descriptors: a request takes one."),
    PARAM_COUNT(struct virtio_fs, descriptors, .max = 32768, .doc = "Descriptors of a request.",
                .preset_doc = "3 + pages of a read, 4 + pages of a write"),
    PARAM_TIME(struct virtio_fs, enqueue, .preset = 1800 * SIM_NS,
               .doc = "The caller's time from the add to its return, with the doorbell."),
    PARAM_CPU(struct virtio_fs, cpu, .required = true, .doc = "Worker of done and dispatch work."),
    PARAM_TIME(struct virtio_fs, interrupt, .preset = 2 * SIM_US,
               .doc = "From a used element to the queueing of the done work."),
    PARAM_TIME(struct virtio_fs, take, .preset = 150 * SIM_NS,
               .doc = "Worker time to take one used element."),
    PARAM_TIME(struct virtio_fs, end, .preset = 1 * SIM_US, .doc = "Worker time to end a request."),
    PARAM_TIME(struct virtio_fs, attempt, .preset = 1500 * SIM_NS,
               .doc = "Worker time of an attempt to add, without the doorbell."),
    PARAM_TIME(struct virtio_fs, doorbell, .preset = 300 * SIM_NS,
               .doc = "Worker time of the doorbell."),
    PARAM_TIME(struct virtio_fs, retry, .min = 1, .max = 3600 * SIM_S, .preset = SIM_MS,
               .doc = "What the retry timer is set to."),
    PARAM_COUNT(struct virtio_fs, hz, .max = 1000000, .preset = 250,
                .doc = "Ticks per second; 0: timers are exact."),
    PARAM_BOOL(struct virtio_fs, rotate, .preset = true,
               .doc = "A refused head goes to the tail; false: it stays the head."),
    PARAM_BOOL(struct virtio_fs, overtake, .preset = true,
               .doc = "A newcomer takes room while others wait; false: it joins them."),
};

static const struct phase_info phases[] = {
    [PENDING] = { "pending", false },
    [USED] = { "used", true },
    [ENDING] = { "ending", false },
};

/* ---- Down. ---- */

static int64_t descriptors_of(const struct virtio_fs *fs, enum request_op op, int64_t size_bytes)
{
    if (fs->indirect || fs->descriptors > 0) {
        return fs->indirect ? 1 : fs->descriptors;
    }
    int64_t pages = (size_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    return pages + (op == REQUEST_WRITE ? WRITE_DESCRIPTORS : READ_DESCRIPTORS);
}

static bool try_add(struct stage *self, struct request *req)
{
    struct virtio_fs *fs = self->state;
    int64_t needed = descriptors_of(fs, req->op, req->size_bytes);
    if (fs->free < needed) {
        return false;
    }
    fs->free -= needed;
    stage_submit_below(self, req);
    return true;
}

static void submit(struct stage *self, struct request *req)
{
    struct virtio_fs *fs = self->state;
    cpu_run(req->cpu, CPU_THREAD, fs->enqueue, self, NULL, NULL);
    bool may_add = fs->overtake || fs->queued.queue.count == 0;
    if (!may_add || !try_add(self, req)) {
        fs->parked++;
        work_list_push(&fs->queued, req);
        if (fs->policy->on_full != NULL) {
            fs->policy->on_full(self);
        }
    }
}

/* ---- Up. ---- */

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    completion_queue_push(&((struct virtio_fs *)self->state)->used, req, status);
}

/* It is off the ring: its descriptors are free. */
static void on_taken(struct stage *self, struct request *req)
{
    struct virtio_fs *fs = self->state;
    fs->free += descriptors_of(fs, req->op, req->size_bytes);
    request_queue_push(&fs->taken, req);
}

static void on_ended(struct stage *self, struct request *req);

/* Reads get a work item each, behind this one; writes end within it. */
static void end_taken(struct stage *self, struct request *none)
{
    (void)none;
    struct virtio_fs *fs = self->state;
    struct request *req;
    while ((req = request_queue_pop(&fs->taken)) != NULL && req->op == REQUEST_READ) {
        cpu_run(fs->cpu, CPU_THREAD, fs->end, self, req, on_ended);
    }
    if (req != NULL) {
        cpu_continue(fs->cpu, fs->end, self, req, on_ended);
    } else if (fs->policy->on_batch_ended != NULL) {
        fs->policy->on_batch_ended(self);
    }
}

static void on_ended(struct stage *self, struct request *req)
{
    bool within_pass = req->op == REQUEST_WRITE;
    stage_complete_above(self, req, req->status);
    if (within_pass) {
        end_taken(self, NULL);
    }
}

static bool init(struct stage *self, struct error *err)
{
    struct virtio_fs *fs = self->state;
    for (enum request_op op = 0; op < REQUEST_OPS; op++) {
        int64_t size_bytes = stage_size_max(self, op);
        int64_t needed = size_bytes == 0 ? 0 : descriptors_of(fs, op, size_bytes);
        if (needed > fs->entries) {
            error_user(err, NULL,
                       "a request of %" PRId64 " bytes takes %" PRId64
                       " descriptors, `%s` has %" PRId64,
                       size_bytes, needed, self->name, fs->entries);
            return error_hint(err, "make `entries` larger or the requests smaller");
        }
    }
    fs->free = fs->entries;
    fs->queued = (struct work_list){ .stage = self,
                                     .cpu = fs->cpu,
                                     .cost = fs->attempt + fs->doorbell,
                                     .rotate = fs->rotate,
                                     .try = try_add,
                                     .on_refused = fs->policy->on_full };
    fs->used = (struct completion_queue){ .stage = self,
                                          .cpu = fs->cpu,
                                          .interrupt = fs->interrupt,
                                          .take = fs->take,
                                          .on_taken = on_taken,
                                          .on_pass_ended = end_taken };
    work_list_init(&fs->queued, PENDING);
    completion_queue_init(&fs->used, USED);
    request_queue_init(&fs->taken, self, ENDING);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct virtio_fs *fs = self->state;
    report_count(report, "parked", fs->parked);
    report_count(report, "attempts", fs->queued.runs);
    report_count(report, "placed", fs->queued.placed);
    report_count(report, "refused", fs->queued.refused);
    report_count(report, "interrupts", fs->used.interrupts);
}

const struct model virtio_fs_model = {
    .name = "virtio_fs",
    .summary = "Linux virtio-fs request queue: a ring and a list of requests that found it full.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct virtio_fs),
    .holds_up = true,
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
