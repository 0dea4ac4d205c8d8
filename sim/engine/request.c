/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/request.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "sim/base/compiler.h"
#include "sim/engine/stage.h"

enum { CHUNK_REQUESTS = 32 };

struct request_chunk {
    struct request_chunk *next;
    struct request requests[CHUNK_REQUESTS];
};

void request_queue_init(struct request_queue *queue, struct stage *stage, unsigned phase)
{
    *queue = (struct request_queue){ .stage = stage, .phase = phase };
}

static void enter_queue(struct request_queue *queue, struct request *req)
{
    /* Above an early completion a request is counted, not queued: the link belongs to what travels.
     */
    assert(request_is_held(req, queue->stage->links[req->load].level) && !req->queued);
    stage_phase(queue->stage, req, queue->phase);
    req->queued = true;
    queue->count++;
}

void request_queue_push(struct request_queue *queue, struct request *req)
{
    enter_queue(queue, req);
    req->next = NULL;
    if (queue->head == NULL) {
        queue->head = req;
    } else {
        queue->tail->next = req;
    }
    queue->tail = req;
}

void request_queue_push_front(struct request_queue *queue, struct request *req)
{
    enter_queue(queue, req);
    req->next = queue->head;
    if (queue->head == NULL) {
        queue->tail = req;
    }
    queue->head = req;
}

struct request *request_queue_pop(struct request_queue *queue)
{
    struct request *req = queue->head;
    if (req != NULL) {
        queue->head = req->next;
        queue->count--;
        req->queued = false;
    }
    return req;
}

void request_pool_init(struct request_pool *pool, struct arena *arena)
{
    *pool = (struct request_pool){ .arena = arena };
}

SLOW_PATH static void add_chunk(struct request_pool *pool)
{
    struct request_chunk *chunk = arena_alloc(pool->arena, sizeof(*chunk));
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (unsigned i = CHUNK_REQUESTS; i-- > 0;) {
        chunk->requests[i].next = pool->free;
        pool->free = &chunk->requests[i];
    }
}

struct request *request_create(struct request_pool *pool)
{
    if (pool->free == NULL) {
        add_chunk(pool);
    }
    struct request *req = pool->free;
    assert(req->parts == 0);
    pool->free = req->next;
    pool->live++;
    pool->live_max = pool->live > pool->live_max ? pool->live : pool->live_max;
    memset(req, 0, offsetof(struct request, up));
    req->parts = 1;
    return req;
}

void request_recycle(struct request_pool *pool, struct request *req)
{
    assert(req->parts == 0 && !req->queued);
    req->place = REQUEST_ENDED;
    req->next = pool->free;
    pool->free = req;
    pool->live--;
}

struct request_cursor request_pool_begin(const struct request_pool *pool)
{
    return (struct request_cursor){ .chunk = pool->chunks };
}

struct request *request_cursor_next(struct request_cursor *cursor)
{
    for (; cursor->chunk != NULL; cursor->chunk = cursor->chunk->next, cursor->place = 0) {
        while (cursor->place < CHUNK_REQUESTS) {
            struct request *req = &cursor->chunk->requests[cursor->place++];
            if (req->parts > 0) {
                return req;
            }
        }
    }
    return NULL;
}
