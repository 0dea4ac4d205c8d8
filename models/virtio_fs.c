/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request queue of Linux virtio-fs: one ring, and a list of requests for which the ring had no
 * room.
 *
 *   submit -> room? -> ring = below -> used -> interrupt -> done work -> end of the request ->
 * above no: tail of `queued`; dispatch work tries the head again: to the tail if refused
 *
 * Modelled: descriptors; newcomers overtake `queued`; a refused head goes to its tail and ends the
 * attempt; the retry timer's rounding to ticks; callbacks off while used elements are taken; reads
 * end in a work item each, writes inline; done and dispatch work share one worker, dispatch runs
 * after the batch and its completions. Left out: out of memory; the wake-up that can be lost
 * between a refusal and the append (after the patch). Source: Linux fs/fuse/virtio_fs.c, v5.10
 * (timer_retry) and v6.11 (pending_list, commits 106e4df1206b and 2106e1f444d9);
 * kernel/time/timer.c for the ticks.
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
    /* State. Invariant: 0 <= free <= entries; what is neither in the ring nor with a worker is in
     * queued or used. */
    int64_t free;
    struct request_queue queued;
    struct completion_queue used; /* done by the device; its passes are the done work */
    struct request_queue taken;   /* to be ended when the pass is over */
    bool timer_armed;
    struct cpu_work dispatch;
    /* Counters. */
    int64_t parked;
    int64_t attempts; /* runs of the dispatch work */
    int64_t placed;
    int64_t refused;
};

/* What the patch changed: who looks at `queued` again, and when. */
struct policy {
    const char *name;
    const char *summary;
    void (*on_full)(struct stage *self, struct virtio_fs *fs); /* a request found no room */
    void (*on_batch_ended)(struct virtio_fs *fs);              /* done work is through */
};

/* ---- Before: a timer. ---- */

static void on_timer(struct stage *self, struct request *none)
{
    (void)none;
    struct virtio_fs *fs = self->state;
    fs->timer_armed = false;
    cpu_work_queue(fs->cpu, &fs->dispatch);
}

static void arm_timer(struct stage *self, struct virtio_fs *fs)
{
    if (!fs->timer_armed && !fs->dispatch.pending) {
        fs->timer_armed = true;
        stage_at(self, ticks_expiry(fs->hz, stage_now(self), fs->retry), NULL, on_timer);
    }
}

/* ---- After: the done work. ---- */

static void dispatch_if_any(struct virtio_fs *fs)
{
    if (fs->queued.count > 0) {
        cpu_work_queue(fs->cpu, &fs->dispatch);
    }
}

static const struct policy policies[] = {
    { .name = "timer_retry",
      .summary = "A full ring arms a timer that tries again; completions do not look at the list.",
      .on_full = arm_timer },
    { .name = "pending_list",
      .summary = "Completions try the list again, after their batch.",
      .on_batch_ended = dispatch_if_any },
};

static const struct param params[] = {
    PARAM_POLICY(struct virtio_fs, policy, policies, .preset = 1,
                 .doc = "Who tries `queued` again."),
    PARAM_COUNT(struct virtio_fs, entries, .min = 1, .max = 32768, .preset = 64,
                .doc = "Descriptors of the ring."),
    PARAM_BOOL(struct virtio_fs, indirect, .preset = false,
               .doc = "Indirect descriptors: a request takes one of the ring."),
    PARAM_COUNT(struct virtio_fs, descriptors, .max = 32768, .preset = 0,
                .preset_doc = "3 + pages of a read, 4 + pages of a write",
                .doc = "Descriptors of a request."),
    PARAM_TIME(struct virtio_fs, enqueue, .preset = 1800 * SIM_NS,
               .doc = "The caller's time from the add to its return, with the doorbell."),
    PARAM_CPU(struct virtio_fs, cpu, .required = true,
              .doc = "The worker of done and dispatch work."),
    PARAM_TIME(struct virtio_fs, interrupt, .preset = 2 * SIM_US,
               .doc = "From a used element to the queueing of the done work."),
    PARAM_TIME(struct virtio_fs, take, .preset = 150 * SIM_NS,
               .doc = "Worker time to take one used element."),
    PARAM_TIME(struct virtio_fs, end, .preset = 1 * SIM_US,
               .doc = "Worker time to end one request."),
    PARAM_TIME(struct virtio_fs, attempt, .preset = 1500 * SIM_NS,
               .doc = "Worker time of one attempt to add, without the doorbell."),
    PARAM_TIME(struct virtio_fs, doorbell, .preset = 300 * SIM_NS,
               .doc = "Worker time of the doorbell."),
    PARAM_TIME(struct virtio_fs, retry, .min = 1, .preset = 1 * SIM_MS,
               .doc = "What the retry timer is set to."),
    PARAM_COUNT(struct virtio_fs, hz, .max = 1000000, .preset = 250,
                .doc = "Ticks per second; 0: timers are exact."),
    PARAM_BOOL(struct virtio_fs, rotate, .preset = true,
               .doc = "A refused head goes to the tail; false: it stays the head."),
    PARAM_BOOL(struct virtio_fs, overtake, .preset = true,
               .doc = "A newcomer takes free room while others wait; false: it joins them."),
};

static const struct phase_info phases[] = {
    [PENDING] = { .name = "pending" },
    [USED] = { .name = "used", .back = true },
    [ENDING] = { .name = "ending" },
};

/* ---- The ring. ---- */

static int64_t descriptors_of(const struct virtio_fs *fs, enum request_op op, int64_t size_bytes)
{
    if (fs->indirect) {
        return 1;
    }
    if (fs->descriptors > 0) {
        return fs->descriptors;
    }
    int64_t pages = (size_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    return pages + (op == REQUEST_WRITE ? WRITE_DESCRIPTORS : READ_DESCRIPTORS);
}

/* Submits below if the ring has room. */
static bool try_add(struct stage *self, struct virtio_fs *fs, struct request *req)
{
    int64_t needed = descriptors_of(fs, req->op, req->size_bytes);
    if (fs->free < needed) {
        return false;
    }
    fs->free -= needed;
    stage_submit_below(self, req);
    return true;
}

/* Parks a request for which the ring has no room. */
static void park(struct stage *self, struct virtio_fs *fs, struct request *req, bool at_tail)
{
    if (at_tail) {
        request_queue_push(&fs->queued, req);
    } else {
        request_queue_push_front(&fs->queued, req);
    }
    if (fs->policy->on_full != NULL) {
        fs->policy->on_full(self, fs);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct virtio_fs *fs = self->state;
    cpu_run(req->cpu, CPU_THREAD, fs->enqueue, self, NULL, NULL);
    bool may_add = fs->overtake || fs->queued.count == 0;
    if (!may_add || !try_add(self, fs, req)) {
        fs->parked++;
        park(self, fs, req, true);
    }
}

/* ---- Dispatch work: the list's head again and again, up to the first refusal. ---- */

static void on_attempted(struct stage *self, struct request *req);

static void try_head(struct stage *self, struct virtio_fs *fs)
{
    struct request *req = request_queue_pop(&fs->queued);
    if (req != NULL) {
        cpu_continue(fs->cpu, fs->attempt + fs->doorbell, self, req, on_attempted);
    }
}

static void on_attempted(struct stage *self, struct request *req)
{
    struct virtio_fs *fs = self->state;
    if (try_add(self, fs, req)) {
        fs->placed++;
        try_head(self, fs);
    } else {
        fs->refused++;
        park(self, fs, req, fs->rotate);
    }
}

static void on_dispatch_runs(struct stage *self, struct request *none)
{
    (void)none;
    struct virtio_fs *fs = self->state;
    fs->attempts++;
    try_head(self, fs);
}

/* ---- Done work: takes all used elements, then ends their requests. ---- */

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct virtio_fs *fs = self->state;
    completion_queue_push(&fs->used, req, status);
}

/* The element is off the ring: its descriptors are free. */
static void on_taken(struct stage *self, struct request *req)
{
    struct virtio_fs *fs = self->state;
    fs->free += descriptors_of(fs, req->op, req->size_bytes);
    request_queue_push(&fs->taken, req);
}

static void on_read_ended(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, req->status);
}

static void on_write_ended(struct stage *self, struct request *req);

/* Reads get a work item each, behind this one; writes end within it. */
static void end_taken(struct stage *self, struct request *none)
{
    (void)none;
    struct virtio_fs *fs = self->state;
    struct request *req;
    while ((req = request_queue_pop(&fs->taken)) != NULL && req->op == REQUEST_READ) {
        cpu_run(fs->cpu, CPU_THREAD, fs->end, self, req, on_read_ended);
    }
    if (req != NULL) {
        cpu_continue(fs->cpu, fs->end, self, req, on_write_ended);
    } else if (fs->policy->on_batch_ended != NULL) {
        fs->policy->on_batch_ended(fs);
    }
}

static void on_write_ended(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, req->status);
    end_taken(self, NULL);
}

/* ---- The rest. ---- */

static bool fits(const struct stage *self, const struct virtio_fs *fs, enum request_op op,
                 struct error *err)
{
    int64_t size_bytes = stage_size_max(self, op);
    int64_t needed = size_bytes == 0 ? 0 : descriptors_of(fs, op, size_bytes);
    if (needed <= fs->entries) {
        return true;
    }
    error_user(err, NULL,
               "`%s`: a %s of %" PRId64 " bytes takes %" PRId64 " descriptors of %" PRId64,
               self->name, op == REQUEST_READ ? "read" : "write", size_bytes, needed, fs->entries);
    return error_hint(err, "make `entries` larger or the requests smaller");
}

static bool init(struct stage *self, struct error *err)
{
    struct virtio_fs *fs = self->state;
    if (!fits(self, fs, REQUEST_READ, err) || !fits(self, fs, REQUEST_WRITE, err)) {
        return false;
    }
    fs->free = fs->entries;
    fs->used = (struct completion_queue){ .stage = self,
                                          .cpu = fs->cpu,
                                          .interrupt = fs->interrupt,
                                          .take = fs->take,
                                          .on_taken = on_taken,
                                          .on_pass_ended = end_taken };
    completion_queue_init(&fs->used, USED);
    request_queue_init(&fs->queued, self, PENDING);
    request_queue_init(&fs->taken, self, ENDING);
    cpu_work_init(&fs->dispatch, self, on_dispatch_runs);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct virtio_fs *fs = self->state;
    report_count(report, "parked", fs->parked);
    report_count(report, "attempts", fs->attempts);
    report_count(report, "placed", fs->placed);
    report_count(report, "refused", fs->refused);
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
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
