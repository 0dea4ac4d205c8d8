/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/work_list.h"

#include <assert.h>

static void on_tried(struct stage *self, struct request *req);

static void try_head(struct work_list *list)
{
    struct request *req = request_queue_pop(&list->queue);
    if (req != NULL) {
        cpu_continue(list->cpu, list->cost, &list->self, req, on_tried);
    }
}

/* The stage's functions run as if it had been told of an event. */
static void on_tried(struct stage *self, struct request *req)
{
    struct work_list *list = self->state;
    assert(!list->stage->entered);
    list->stage->entered = true;
    if (list->try(list->stage, req)) {
        list->placed++;
        try_head(list);
    } else {
        list->refused++;
        (list->rotate ? request_queue_push : request_queue_push_front)(&list->queue, req);
        if (list->on_refused != NULL) {
            list->on_refused(list->stage);
        }
    }
    list->stage->entered = false;
}

static void on_work_runs(struct stage *self, struct request *none)
{
    (void)none;
    struct work_list *list = self->state;
    list->runs++;
    try_head(list);
}

void work_list_init(struct work_list *list, unsigned phase)
{
    assert(list->cpu != NULL);
    list->self = (struct stage){ .engine = list->stage->engine, .state = list };
    request_queue_init(&list->queue, list->stage, phase);
    cpu_work_init(&list->work, &list->self, on_work_runs);
}

void work_list_push(struct work_list *list, struct request *req)
{
    request_queue_push(&list->queue, req);
}
