/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Linux driver's side of an NVMe queue under io_uring passthrough commands.
 *
 *   submit -> requests of a call allocated -> doorbell: all below at once -> visible
 *     polled:    -> a thread with nothing else to do walks the queue -> ended, freed -> above
 *     interrupt: -> the handler walks the queue -> task work on the thread -> above
 *
 * Modelled: the allocation cache of a call; walks; frees one by one or in chunks, in the thread or
 * in the handler; interrupts that collapse; a call that does not wait does not poll. Left out:
 * entries that join no batch (errors), several hardware queues, the cost of doorbells. Nothing
 * above may part the requests of a call. Source: Linux 6.1, block/blk-mq.c, drivers/nvme/host/,
 * io_uring/rw.c; commits 4b6a5d9cea91, de671d6116b5, ab3e1d3bbab9, c0a7ba77e81b.
 */
#include "sim/engine/model.h"

enum phase { ALLOCATE, VISIBLE, COMPLETE, TASK_WORK };
enum mode { POLLED, INTERRUPT };
enum { CALLS = 256 }; /* one of each load */

/* What has come of a system call whose last request has not come yet. Linked by next. */
struct call {
    struct request *first;
    struct request *last;
    int64_t cached; /* requests that the cache still holds */
    sim_time cost;  /* to be paid before the doorbell */
};

struct nvme_passthrough {
    /* Parameters. */
    const struct policy *policy;
    int64_t mode;
    struct cpu *cpu;
    sim_time allocate;
    sim_time map;
    sim_time walk;
    sim_time end;
    sim_time unmap;
    sim_time free;
    int64_t chunk;
    bool fixed_buffers;
    sim_time statistics;
    sim_time entry;
    sim_time exit;
    sim_time interrupt_extra;
    int64_t interrupt_batch;
    sim_time irq_free_penalty;
    /* State. */
    struct call *calls; /* by load */
    struct completion_walk completions;
    /* Counters. */
    int64_t doorbells;
    int64_t allocations;
    int64_t frees;
};

/* What the series changed: how references and tags are taken and given back. */
struct policy {
    const char *name;
    const char *summary;
    bool caches; /* a call's first allocation fetches as many requests as the call has announced */
    bool links;  /* a walk links its entries, and they are freed in chunks when it is over */
};

static const struct policy policies[] = {
    { "single", "Each request is allocated and freed by itself.", false, false },
    { "batched", "A call allocates its requests at once, a walk frees in chunks.", true, true },
};

static const char *const modes[] = { [POLLED] = "polled", [INTERRUPT] = "interrupt", NULL };

#define COST(field, value, text)                                                                   \
    PARAM_TIME(struct nvme_passthrough, field, .max = SIM_MS, .preset = value, .doc = text)

static const struct param params[] = {
    PARAM_POLICY(struct nvme_passthrough, policy, policies, .preset = 1,
                 .doc = "How requests are allocated and freed."),
    PARAM_CHOICE(struct nvme_passthrough, mode, modes, .doc = "Who looks for completions."),
    PARAM_CPU(struct nvme_passthrough, cpu, .preset_doc = "the caller's",
              .doc = "Of the calls, the polls and the interrupts."),
    COST(allocate, 12 * SIM_NS,
         "Queue reference, tag and initialisation: of a request, or of a whole cache."),
    COST(map, 50 * SIM_NS, "To map the buffer of a request."),
    COST(walk, 30 * SIM_NS, "To take an entry off the completion queue."),
    COST(end, 63700, "To end a request and post its result."),
    COST(unmap, 25 * SIM_NS, "To unmap the buffer of a request."),
    COST(free, 36600, "To give tag and queue reference back: of a request, or of a whole chunk."),
    PARAM_COUNT(struct nvme_passthrough, chunk, .min = 1, .max = 65536, .preset = 32,
                .doc = "Requests freed at once, at most."),
    PARAM_BOOL(struct nvme_passthrough, fixed_buffers, .doc = "No request is mapped."),
    COST(statistics, 0, "I/O statistics of a request."),
    COST(entry, 200 * SIM_NS, "From an interrupt to the walk of its handler."),
    COST(exit, 200 * SIM_NS, "From the end of the handler's work to the thread."),
    COST(interrupt_extra, 0, "What a request costs more in interrupt mode, whatever the batch."),
    PARAM_RATIO(struct nvme_passthrough, interrupt_batch, .max = 65536000,
                .doc = "Requests that share a free in the handler; 0: as each walk finds them."),
    COST(irq_free_penalty, 0, "What a free costs more in the handler, for each request."),
};

static const struct phase_info phases[] = {
    [ALLOCATE] = { "allocate", false },
    [VISIBLE] = { "visible", true },
    [COMPLETE] = { "complete", false },
    [TASK_WORK] = { "task work", false },
};

static struct cpu *cpu_of(const struct nvme_passthrough *nvme, const struct request *req)
{
    return nvme->cpu != NULL ? nvme->cpu : req->cpu;
}

/* ---- Down. ---- */

static void on_allocated(struct stage *self, struct request *req)
{
    ((struct nvme_passthrough *)self->state)->doorbells++;
    for (struct request *next; req != NULL; req = next) {
        next = req->next;
        stage_submit_below(self, req);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct nvme_passthrough *nvme = self->state;
    struct call *call = &nvme->calls[req->load];
    req->next = NULL;
    *(call->first == NULL ? &call->first : &call->last->next) = req;
    call->last = req;
    call->cost += nvme->fixed_buffers ? 0 : nvme->map;
    if (call->cached > 0) {
        call->cached--;
    } else {
        call->cached = nvme->policy->caches ? req->batch_left : 0;
        call->cost += nvme->allocate;
        nvme->allocations++;
    }
    if (req->batch_left == 0) {
        cpu_run(cpu_of(nvme, req), CPU_THREAD, call->cost, self, call->first, on_allocated);
        *call = (struct call){ 0 };
    }
}

/* ---- Up. ---- */

/* To end so many requests in the thread. */
static sim_time end_cost(struct nvme_passthrough *nvme, int64_t count)
{
    sim_time each = nvme->end + nvme->statistics + (nvme->fixed_buffers ? 0 : nvme->unmap);
    if (!nvme->policy->links) {
        nvme->frees += count;
        each += nvme->free;
    }
    return count * each;
}

static sim_time take_cost(struct stage *self, int64_t count)
{
    struct nvme_passthrough *nvme = self->state;
    if (nvme->mode == INTERRUPT) {
        return count * (nvme->walk + nvme->interrupt_extra);
    }
    return count * nvme->walk + (nvme->policy->links ? 0 : end_cost(nvme, count));
}

/* What a walk has linked is freed at once: in the thread that polled, or in the handler. */
static sim_time over_cost(struct stage *self, int64_t count)
{
    struct nvme_passthrough *nvme = self->state;
    int64_t chunks = nvme->policy->links ? (count + nvme->chunk - 1) / nvme->chunk : 0;
    nvme->frees += chunks;
    if (nvme->mode == POLLED) {
        return nvme->policy->links ? chunks * nvme->free + end_cost(nvme, count) : 0;
    }
    sim_time cost = chunks * nvme->free;
    if (chunks > 0 && nvme->interrupt_batch > 0) {
        cost = count * (nvme->free * 1000 / nvme->interrupt_batch);
    }
    return cost + (chunks > 0 ? count * nvme->irq_free_penalty : 0) + nvme->exit;
}

static void on_ended(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, req->status);
}

/* Polled: all results are posted at once. Interrupt: the handler is over, the thread goes on. */
static void on_walked(struct stage *self, struct request *none)
{
    (void)none;
    struct nvme_passthrough *nvme = self->state;
    for (struct request *req; (req = request_queue_pop(&nvme->completions.walked)) != NULL;) {
        if (nvme->mode == POLLED) {
            on_ended(self, req);
        } else {
            stage_phase(self, req, TASK_WORK);
            cpu_run(cpu_of(nvme, req), CPU_THREAD, end_cost(nvme, 1), self, req, on_ended);
        }
    }
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct nvme_passthrough *nvme = self->state;
    completion_walk_push(&nvme->completions, req, status, cpu_of(nvme, req));
}

static bool init(struct stage *self, struct error *err)
{
    struct nvme_passthrough *nvme = self->state;
    int64_t batch = nvme->interrupt_batch;
    if (batch > 0 && (batch < 1000 || batch > 1000 * nvme->chunk)) {
        error_user(err, NULL, "`%s` cannot free such an `interrupt_batch`", self->name);
        return error_hint(err, "from 1 to `chunk` requests, or 0: as each walk finds them");
    }
    nvme->calls = arena_array(stage_arena(self), CALLS, sizeof(nvme->calls[0]));
    nvme->completions = (struct completion_walk){ .stage = self,
                                                  .interrupts = nvme->mode == INTERRUPT,
                                                  .entry = nvme->entry,
                                                  .take_cost = take_cost,
                                                  .over_cost = over_cost,
                                                  .on_over = on_walked };
    completion_walk_init(&nvme->completions, VISIBLE, COMPLETE);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct nvme_passthrough *nvme = self->state;
    report_count(report, "doorbells", nvme->doorbells);
    report_count(report, "allocations", nvme->allocations);
    report_count(report, "frees", nvme->frees);
    completion_walk_report(&nvme->completions, report);
}

const struct model nvme_passthrough_model = {
    .name = "nvme_passthrough",
    .summary = "NVMe under io_uring passthrough: allocation per call, completion per walk.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct nvme_passthrough),
    .holds_up = true,
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
