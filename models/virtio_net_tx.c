/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guest's side of a virtio-net transmit queue: one FIFO (the queueing discipline) and one ring,
 * which all senders share.
 *
 *   submit -> fifo -> transmit -> above (early: the socket has its budget back)
 *                              -> ring = below -> used -> reclaimed by a later transmit
 *
 * Modelled: whoever finds the FIFO idle drains it, for the others too; used descriptors are
 * reclaimed before a packet is added; the queue stops while a packet of the most fragments might
 * not fit, and asks for an interrupt when three quarters of what is outstanding are used (event
 * index); that one restarts it, and the FIFO is drained in a burst.
 * Left out: transmit NAPI, byte queue limits, a drain's hand-over to the softirq. Source: Linux
 * drivers/net/virtio_net.c, drivers/virtio/virtio_ring.c (enable_cb_delayed), v4.14.
 */
#include <assert.h>
#include <inttypes.h>

#include "sim/engine/model.h"

enum phase { FIFO, TRANSMIT };

struct virtio_net_tx {
    /* Parameters. */
    int64_t entries;
    int64_t descriptors;
    int64_t fifo;
    sim_time transmit;
    int64_t stop;
    sim_time interrupt;
    struct cpu *cpu;
    /* State. */
    struct request_queue waiting; /* the FIFO */
    int64_t outstanding;          /* packets whose descriptors are not reclaimed */
    int64_t used;                 /* of these, back from below; <= outstanding */
    bool stopped;                 /* the ring may be too full; an interrupt restarts it */
    int64_t armed;                /* it comes when so many are used; 0: is off, or on its way */
    bool draining;                /* a packet is being transmitted; then not stopped */
    struct cpu *drainer;          /* where */
    /* Counters. */
    int64_t stops;
    int64_t interrupts;
    int64_t dropped;
    int64_t waiting_most;
};

static const struct param params[] = {
    PARAM_COUNT(struct virtio_net_tx, entries, .min = 1, .max = 32768, .preset = 256,
                .doc = "Descriptors of the ring."),
    PARAM_COUNT(struct virtio_net_tx, descriptors, .min = 1, .max = 32768, .preset = 2,
                .doc = "Descriptors of a packet: 2 where the header has its own, else 1."),
    PARAM_COUNT(struct virtio_net_tx, fifo, .min = 1, .preset = 1000,
                .doc = "Packets that the FIFO holds; one that finds it full is dropped."),
    PARAM_TIME(struct virtio_net_tx, transmit, .preset = 1 * SIM_US,
               .doc = "The drainer's time to put a packet into the ring."),
    PARAM_COUNT(struct virtio_net_tx, stop, .min = 1, .max = 32768, .preset = 19,
                .doc = "The queue stops when fewer descriptors are free: 2 + 17 fragments."),
    PARAM_TIME(struct virtio_net_tx, interrupt, .preset = 3 * SIM_US,
               .doc = "From the used element that asks for it to the restart of the queue."),
    PARAM_CPU(struct virtio_net_tx, cpu,
              .doc = "Where an interrupt's burst runs; none: its cost is a delay."),
};

static const struct phase_info phases[] = {
    [FIFO] = { .name = "fifo" },
    [TRANSMIT] = { .name = "transmit" },
};

/* ---- Down. ---- */

static int64_t free_descriptors(const struct virtio_net_tx *tx)
{
    return tx->entries - tx->outstanding * tx->descriptors;
}

static void reclaim(struct virtio_net_tx *tx)
{
    tx->outstanding -= tx->used;
    tx->used = 0;
}

/* The event index rule: used_event = last used + 3/4 of what is outstanding, and the interrupt
 * comes when the other side passes it. If it has passed already, the queue goes on at once. */
static void stop_queue(struct virtio_net_tx *tx)
{
    tx->stops++;
    int64_t quiet = tx->outstanding * 3 / 4;
    if (tx->used > quiet) {
        reclaim(tx);
        if (free_descriptors(tx) >= tx->stop) {
            return;
        }
        quiet = 0;
    }
    tx->stopped = true;
    tx->armed = quiet + 1;
}

/* The transmit begins with reclaiming; what is used during it is for the next one. */
static struct request *take(struct stage *self)
{
    struct virtio_net_tx *tx = self->state;
    struct request *req = request_queue_pop(&tx->waiting);
    if (req != NULL) {
        reclaim(tx);
        stage_phase(self, req, TRANSMIT);
    }
    return req;
}

/* A queue that is not stopped has room: `stop` is no less than a packet takes. */
static void on_transmitted(struct stage *self, struct request *req)
{
    struct virtio_net_tx *tx = self->state;
    assert(!tx->stopped && free_descriptors(tx) >= tx->descriptors);
    tx->outstanding++;
    stage_complete_early(self, req);
    stage_submit_below(self, req);
    if (free_descriptors(tx) < tx->stop) {
        stop_queue(tx);
    }
    struct request *next = tx->stopped ? NULL : take(self);
    tx->draining = next != NULL;
    if (next != NULL) {
        cpu_continue(tx->drainer, tx->transmit, self, next, on_transmitted);
    }
}

static void drain(struct stage *self, struct cpu *cpu, enum cpu_class class)
{
    struct virtio_net_tx *tx = self->state;
    struct request *req = take(self);
    if (req != NULL) {
        tx->draining = true;
        tx->drainer = cpu;
        cpu_run(cpu, class, tx->transmit, self, req, on_transmitted);
    }
}

static void submit(struct stage *self, struct request *req)
{
    struct virtio_net_tx *tx = self->state;
    if (tx->waiting.count == tx->fifo) {
        tx->dropped++;
        stage_complete_above(self, req, REQUEST_DROPPED);
        return;
    }
    request_queue_push(&tx->waiting, req);
    tx->waiting_most = tx->waiting.count > tx->waiting_most ? tx->waiting.count : tx->waiting_most;
    if (!tx->stopped && !tx->draining) {
        drain(self, req->cpu, CPU_THREAD);
    }
}

/* ---- Up. ---- */

static void on_interrupt(struct stage *self, struct request *none)
{
    (void)none;
    struct virtio_net_tx *tx = self->state;
    tx->stopped = false;
    drain(self, tx->cpu, CPU_INTERRUPT);
}

/* Its sender has heard of it before: here it is counted only. */
static void complete(struct stage *self, struct request *req, enum request_status status)
{
    struct virtio_net_tx *tx = self->state;
    tx->used++;
    stage_complete_above(self, req, status);
    if (tx->armed > 0 && tx->used >= tx->armed) {
        tx->armed = 0;
        tx->interrupts++;
        stage_after(self, tx->interrupt, NULL, on_interrupt);
    }
}

static bool init(struct stage *self, struct error *err)
{
    struct virtio_net_tx *tx = self->state;
    if (tx->descriptors > tx->entries) {
        error_user(err, NULL, "`%s`: a packet takes %" PRId64 " descriptors, the ring has %" PRId64,
                   self->name, tx->descriptors, tx->entries);
        return error_hint(err, "make `entries` larger or `descriptors` smaller");
    }
    if (tx->stop > tx->entries || tx->stop < tx->descriptors) {
        error_user(err, NULL,
                   "`%s`: `stop` is %" PRId64 ", which is not between the %" PRId64
                   " descriptors of a packet and the %" PRId64 " of the ring",
                   self->name, tx->stop, tx->descriptors, tx->entries);
        return error_hint(err, "a queue that is not stopped has room for a packet, and an empty "
                               "one is not stopped");
    }
    stage_declare_ring(self, tx->entries);
    request_queue_init(&tx->waiting, self, FIFO);
    return true;
}

static void report(const struct stage *self, struct report *report)
{
    const struct virtio_net_tx *tx = self->state;
    report_count(report, "stops", tx->stops);
    report_count(report, "interrupts", tx->interrupts);
    report_count(report, "dropped", tx->dropped);
    report_level(report, "outstanding", tx->outstanding);
    report_level(report, "fifo_most", tx->waiting_most);
}

const struct model virtio_net_tx_model = {
    .name = "virtio_net_tx",
    .summary = "Guest side of a virtio-net transmit queue: one FIFO and one ring for all senders.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct virtio_net_tx),
    .completes_early = true,
    .init = init,
    .submit = submit,
    .complete = complete,
    .report = report,
};
