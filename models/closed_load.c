/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A closed-loop load, as fio and t/io_uring make it: one thread keeps `depth` requests outstanding.
 *
 *   +-> a call submits up to submit_batch requests, the next one more, until depth are outstanding
 *   |   sleep until `wait` are back, wake up, reap everything that is visible
 *   +-- each reaped request's slot thinks, then may send again
 *
 * Modelled: depth, batches, waiting, wake-up (the cpu's), costs of submitting and reaping, think
 * time per slot. A request is due when the application issues it; `clat` counts from the return of
 * the submitting call. Left out: several threads (use several loads), offsets.
 */
#include "sim/engine/model.h"

enum phase { SUBMIT, REAP };
enum loop { LOOP_FIO, LOOP_IO_URING }; /* t/io_uring.c in fio: submitter_uring_fn() */

struct closed_load {
    /* Parameters. */
    int64_t depth;
    int64_t submit_batch;
    int64_t wait;
    int64_t loop;
    struct mix mix;
    struct cpu *cpu;
    struct distribution submit;
    struct distribution reap;
    struct distribution think;
    /* State. depth = ready + thinking + outstanding + what the call has not submitted yet. */
    int64_t ready;
    int64_t outstanding;          /* submitted and not yet reaped */
    struct request_queue visible; /* back, not yet reaped */
    struct request **call; /* requests of the call that has not returned; NULL: back already */
    int64_t call_size;     /* 0: no call is under way */
    bool in_wait;          /* the last call waits: nothing is sent before it returns */
    bool waiting;          /* the thread has nothing to do */
    /* Counters. */
    int64_t calls;
    int64_t reaps;
};

static const char *const loops[] = { [LOOP_FIO] = "fio", [LOOP_IO_URING] = "io_uring", NULL };

static const struct param params[] = {
    PARAM_COUNT(struct closed_load, depth, .min = 1, .max = 65536, .preset = 1,
                .doc = "Requests kept outstanding."),
    PARAM_COUNT(struct closed_load, submit_batch, .min = 1, .max = 65536, .preset = 1,
                .doc = "Requests in one submitting call, at most."),
    PARAM_COUNT(struct closed_load, wait, .min = 1, .max = 65536, .preset = 1,
                .doc = "Completions the thread waits for when it can send no more."),
    PARAM_CHOICE(struct closed_load, loop, loops,
                 .doc = "fio: sends while it may; t/io_uring: a call waits if no more would fit."),
    PARAMS_MIX(struct closed_load, mix),
    PARAM_CPU(struct closed_load, cpu, .doc = "Where the thread runs; none: costs are delays."),
    PARAM_DISTRIBUTION(struct closed_load, submit, .doc = "The thread's time to send a request."),
    PARAM_DISTRIBUTION(struct closed_load, reap, .doc = "The thread's time for a completion."),
    PARAM_DISTRIBUTION(struct closed_load, think, .doc = "Pause of a slot before each request."),
};

static const struct phase_info phases[] = {
    [SUBMIT] = { "submit", false }, [REAP] = { "reap", true }
};

static void next_step(struct stage *self, struct request *none);

static bool may_send(struct stage *self, const struct closed_load *load)
{
    bool in_wait = load->in_wait && load->outstanding > 0;
    return load->ready > 0 && !in_wait && load_may_send(self, stage_now(self));
}

static bool has_waited_enough(const struct closed_load *load)
{
    int64_t wanted = load->wait < load->outstanding ? load->wait : load->outstanding;
    return load->visible.count > 0 && load->visible.count >= wanted;
}

/* Something happened that the sleeping thread may be waiting for. */
static void wake_if_due(struct stage *self, struct closed_load *load)
{
    if (load->waiting && (may_send(self, load) || has_waited_enough(load))) {
        load->waiting = false;
        cpu_run(load->cpu, CPU_THREAD, 0, self, NULL, next_step);
    }
}

static void on_thought(struct stage *self, struct request *none)
{
    (void)none;
    struct closed_load *load = self->state;
    load->ready++;
    wake_if_due(self, load);
}

static void end_request(struct stage *self, struct closed_load *load, struct request *req,
                        enum request_status status)
{
    sim_time pause = stage_draw(self, req, &load->think);
    load->outstanding--;
    load_finish(self, req, status);
    if (pause > 0) {
        stage_after(self, pause, NULL, on_thought);
    } else {
        load->ready++;
    }
}

/* The thread takes what is visible, one by one, until nothing is. It has paid for `req`. */
static void reap(struct stage *self, struct request *req)
{
    struct closed_load *load = self->state;
    load->in_wait = false;
    load->reaps += req == NULL;
    if (req != NULL) {
        end_request(self, load, req, req->status);
    }
    while ((req = request_queue_pop(&load->visible)) != NULL) {
        sim_time cost = stage_draw(self, req, &load->reap);
        if (cost > 0) {
            cpu_run(load->cpu, CPU_THREAD, cost, self, req, reap);
            return;
        }
        end_request(self, load, req, req->status);
    }
    next_step(self, NULL);
}

static void on_submitted(struct stage *self, struct request *req);

static void pay_submit(struct stage *self, struct closed_load *load, struct request *req)
{
    cpu_run(load->cpu, CPU_THREAD, stage_draw(self, req, &load->submit), self, req, on_submitted);
}

static void begin_call(struct stage *self, struct closed_load *load)
{
    load->call_size = load->ready < load->submit_batch ? load->ready : load->submit_batch;
    load->ready -= load->call_size;
    load->calls++;
    for (int64_t i = 0; i < load->call_size; i++) {
        struct request *req = load_request(self, stage_now(self));
        mix_apply(&load->mix, self, req);
        req->cpu = load->cpu;
        req->batch_left = (uint16_t)(load->call_size - 1 - i);
        load->call[i] = req;
    }
    pay_submit(self, load, load->call[0]);
}

static void on_returned(struct stage *self, struct request *none)
{
    (void)none;
    struct closed_load *load = self->state;
    for (int64_t i = 0; i < load->call_size; i++) {
        if (load->call[i] != NULL) {
            load->call[i]->issued = stage_now(self);
        }
    }
    bool fits = load->outstanding + load->call_size <= load->depth;
    load->in_wait = load->loop == LOOP_IO_URING && !fits;
    load->call_size = 0;
    (load->in_wait || load->loop == LOOP_FIO ? next_step : reap)(self, NULL);
}

/* What the kernel does in the caller's context queues on its cpu: the next step comes behind it. */
static void on_submitted(struct stage *self, struct request *req)
{
    struct closed_load *load = self->state;
    int64_t left = req->batch_left;
    load->outstanding++;
    stage_submit_below(self, req);
    if (left > 0) {
        pay_submit(self, load, load->call[load->call_size - left]);
    } else {
        cpu_run(load->cpu, CPU_THREAD, 0, self, NULL, on_returned);
    }
}

/* The thread sends what may be sent, else reaps, else sleeps. */
static void next_step(struct stage *self, struct request *none)
{
    (void)none;
    struct closed_load *load = self->state;
    if (may_send(self, load)) {
        begin_call(self, load);
    } else if (has_waited_enough(load)) {
        reap(self, NULL);
    } else {
        load->waiting = true;
    }
}

/* A request whose rest still travels is counted, not queued: it ends now. */
static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct closed_load *load = self->state;
    int64_t place = load->call_size - 1 - req->batch_left; /* in the call, if it is one of it */
    if (!request_is_forked(req)) {
        req->status = (uint8_t)status;
        request_queue_push(&load->visible, req);
    } else {
        if (place >= 0 && load->call[place] == req) {
            load->call[place] = NULL;
            req->issued = stage_now(self);
        }
        end_request(self, load, req, status);
    }
    wake_if_due(self, load);
}

static void start(struct stage *self)
{
    struct closed_load *load = self->state;
    load->waiting = true;
    for (int64_t i = 0; i < load->depth; i++) {
        stage_after(self, stage_draw_own(self, &load->think), NULL, on_thought);
    }
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct closed_load *load = self->state;
    request_queue_init(&load->visible, self, REAP);
    load->call = arena_array(stage_arena(self), (size_t)load->submit_batch, sizeof(load->call[0]));
    mix_declare(&load->mix, self);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct closed_load *load = self->state;
    report_count(report, "calls", load->calls);
    report_count(report, "reaps", load->reaps);
}

const struct model closed_load_model = {
    .name = "closed_load",
    .summary = "Closed loop: one thread keeps a number of requests outstanding, as fio does.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct closed_load),
    .load = true,
    .init = init,
    .start = start,
    .complete = complete,
    .report = report,
};
