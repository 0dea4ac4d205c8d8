/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/completion_queue.h"

#include <assert.h>

static void on_taken(struct stage *self, struct request *req);

static void take_next(struct completion_queue *queue)
{
    struct request *req = request_queue_pop(&queue->used);
    queue->in_pass = req != NULL;
    if (req != NULL) {
        cpu_continue(queue->cpu, queue->take, &queue->self, req, on_taken);
    } else {
        stage_enter(queue->stage, NULL, queue->on_pass_ended);
    }
}

static void on_taken(struct stage *self, struct request *req)
{
    struct completion_queue *queue = self->state;
    stage_enter(queue->stage, req, queue->on_taken);
    take_next(queue);
}

static void on_pass_runs(struct stage *self, struct request *none)
{
    (void)none;
    take_next(self->state);
}

static void on_interrupt(struct stage *self, struct request *none)
{
    (void)none;
    struct completion_queue *queue = self->state;
    if (queue->used.count > 0) {
        queue->interrupts++;
        cpu_work_queue(queue->cpu, &queue->pass);
    }
}

void completion_queue_init(struct completion_queue *queue, unsigned phase)
{
    assert(queue->cpu != NULL);
    queue->self = (struct stage){ .engine = queue->stage->engine, .state = queue };
    request_queue_init(&queue->used, queue->stage, phase);
    cpu_work_init(&queue->pass, &queue->self, on_pass_runs);
}

void completion_queue_push(struct completion_queue *queue, struct request *req,
                           enum request_status status)
{
    req->status = (uint8_t)status;
    request_queue_push(&queue->used, req);
    if (!queue->in_pass) {
        stage_after(&queue->self, queue->interrupt, NULL, on_interrupt);
    }
}
