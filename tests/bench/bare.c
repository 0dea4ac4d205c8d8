/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The yardstick: M/M/1 at load 0.9 as an engineer would write it in an afternoon. A binary heap of
 * callbacks, a ring of arrival times, ziggurat variates; no requests, stages, phases, asserts.
 */
#include <stdlib.h>

#include "sim/base/ziggurat.h"
#include "tests/bench/bench.h"

enum { LINE = 4096 };

struct bare;

struct bare_event {
    double time;
    uint64_t sequence;
    void (*callback)(struct bare *bare);
};

struct bare {
    struct bare_event heap[16];
    int heap_count;
    uint64_t sequence;
    double now;
    struct random_stream stream;
    double arrivals[LINE]; /* of those in the system, a ring */
    uint64_t first;
    uint64_t next;
    double sum; /* of times in the system */
};

static int is_before(const struct bare_event *a, const struct bare_event *b)
{
    return a->time < b->time || (a->time == b->time && a->sequence < b->sequence);
}

static void schedule(struct bare *bare, double delay, void (*callback)(struct bare *bare))
{
    struct bare_event event = { bare->now + delay, bare->sequence++, callback };
    int i = bare->heap_count++;
    while (i > 0 && is_before(&event, &bare->heap[(i - 1) / 2])) {
        bare->heap[i] = bare->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    bare->heap[i] = event;
}

static struct bare_event pop(struct bare *bare)
{
    struct bare_event first = bare->heap[0];
    struct bare_event last = bare->heap[--bare->heap_count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < bare->heap_count; i = child) {
        child +=
            child + 1 < bare->heap_count && is_before(&bare->heap[child + 1], &bare->heap[child]);
        if (!is_before(&bare->heap[child], &last)) {
            break;
        }
        bare->heap[i] = bare->heap[child];
    }
    bare->heap[i] = last;
    return first;
}

static void on_departure(struct bare *bare)
{
    bare->sum += bare->now - bare->arrivals[bare->first++ % LINE];
    if (bare->first != bare->next) {
        schedule(bare, 0.9 * ziggurat_exponential(&bare->stream), on_departure);
    }
}

static void on_arrival(struct bare *bare)
{
    bare->arrivals[bare->next++ % LINE] = bare->now;
    if (bare->next - bare->first == 1) {
        schedule(bare, 0.9 * ziggurat_exponential(&bare->stream), on_departure);
    }
    schedule(bare, ziggurat_exponential(&bare->stream), on_arrival);
}

uint64_t bench_bare(uint64_t count)
{
    struct bare *bare = calloc(1, sizeof(*bare));
    if (bare == NULL) {
        exit(4);
    }
    schedule(bare, 0, on_arrival);
    while (bare->first < count) {
        struct bare_event event = pop(bare);
        bare->now = event.time;
        event.callback(bare);
    }
    uint64_t result = (uint64_t)(bare->sum / (double)count * 1e6);
    free(bare);
    return result;
}
