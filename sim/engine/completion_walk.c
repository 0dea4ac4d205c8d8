/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/completion_walk.h"

static void count_walk(struct completion_walk *walk, int64_t count)
{
    int band = 0;
    while (band < WALK_BANDS - 1 && count >> (band + 1) > 0) {
        band++;
    }
    walk->bands[band]++;
    walk->walks++;
    walk->entries += count;
    walk->entries_max = count > walk->entries_max ? count : walk->entries_max;
}

static void on_interrupt(struct stage *self, struct request *none);
static void on_walk(struct stage *self, struct request *none);

static void run(struct completion_walk *walk)
{
    walk->busy = true;
    if (walk->interrupts) {
        cpu_run(walk->cpu, CPU_INTERRUPT, 0, &walk->self, NULL, on_interrupt);
    } else {
        cpu_run(walk->cpu, CPU_IDLE, 0, &walk->self, NULL, on_walk);
    }
}

static void on_interrupt(struct stage *self, struct request *none)
{
    (void)none;
    struct completion_walk *walk = self->state;
    walk->raises++;
    walk->in_service = true;
    walk->raised = false;
    cpu_continue(walk->cpu, walk->entry, self, NULL, on_walk);
}

static void on_over(struct stage *self, struct request *none)
{
    (void)none;
    struct completion_walk *walk = self->state;
    stage_enter(walk->stage, NULL, walk->on_over);
    walk->busy = false;
    walk->in_service = false;
    if (walk->interrupts ? walk->raised : walk->visible.count > 0) {
        run(walk);
    }
}

static void on_walk(struct stage *self, struct request *none)
{
    (void)none;
    struct completion_walk *walk = self->state;
    int64_t count = walk->visible.count;
    for (struct request *req; (req = request_queue_pop(&walk->visible)) != NULL;) {
        request_queue_push(&walk->walked, req);
    }
    if (count > 0) {
        cpu_continue(walk->cpu, walk->take_cost(walk->stage, count), self, NULL, on_walk);
        return;
    }
    count = walk->walked.count;
    if (count > 0) {
        count_walk(walk, count);
    } else {
        walk->empty_raises += walk->interrupts;
    }
    cpu_continue(walk->cpu, walk->over_cost(walk->stage, count), self, NULL, on_over);
}

void completion_walk_init(struct completion_walk *walk, unsigned visible, unsigned walked)
{
    walk->self = (struct stage){ .engine = walk->stage->engine, .state = walk };
    request_queue_init(&walk->visible, walk->stage, visible);
    request_queue_init(&walk->walked, walk->stage, walked);
}

void completion_walk_push(struct completion_walk *walk, struct request *req,
                          enum request_status status, struct cpu *cpu)
{
    req->status = (uint8_t)status;
    request_queue_push(&walk->visible, req);
    walk->raised = walk->in_service;
    if (!walk->busy) {
        walk->cpu = cpu;
        run(walk);
    }
}

void completion_walk_report(const struct completion_walk *walk, struct report *report)
{
    static const char *const bands[WALK_BANDS] = {
        "walks_1",        "walks_2_to_3",   "walks_4_to_7",    "walks_8_to_15",
        "walks_16_to_31", "walks_32_to_63", "walks_64_to_127", "walks_128_up",
    };
    report_count(report, "entries", walk->entries);
    report_count(report, "interrupts", walk->raises);
    report_count(report, "empty_interrupts", walk->empty_raises);
    report_count(report, "walks", walk->walks);
    for (size_t i = 0; i < WALK_BANDS; i++) {
        report_count(report, bands[i], walk->bands[i]);
    }
    report_level(report, "walk_max", walk->entries_max);
}
