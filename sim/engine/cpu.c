/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/cpu.h"

#include <assert.h>

#include "sim/base/compiler.h"
#include "sim/engine/engine.h"

enum { NOT_BEGUN = -1 };

/* What a thread is to run. Ended items are used again. */
struct item {
    struct item *next;
    sim_time began; /* when a thread took it first */
    sim_time left;  /* cost not yet paid */
    struct stage *stage;
    struct request *req;
    stage_handler *handler;
    struct cpu_work *work; /* whose run this is, or NULL */
    enum cpu_class class;
};

struct item_queue {
    struct item *head;
    struct item *tail;
    int64_t count;
};

enum wakefulness { ASLEEP, WAKING, AWAKE };

/* Asleep or waking, a thread runs interrupts only. At most one item is preempted, since interrupts
 * do not preempt each other. */
struct thread {
    struct stage self; /* events of the thread are told to this */
    struct cpu *cpu;
    enum wakefulness state;
    struct item *running;
    struct item *preempted;
    struct item *continuation; /* what the handler that runs now goes on with */
    bool in_handler;
    sim_time began;    /* of the item whose handler runs */
    sim_time resumed;  /* start of the running item's current piece */
    sim_event_id end;  /* of that piece */
    int64_t loop_left; /* thread items still to run in this iteration of an event loop */
    bool loop_idle;    /* and an idle one */
};

struct cpu {
    struct engine *engine;
    const char *name;
    struct cpu_config config;
    struct thread *threads;
    struct thread *current; /* whose handler runs */
    struct item_queue queues[CPU_CLASSES];
    struct item *free;
    struct random_stream stream;
    sim_sum busy[CPU_CLASSES];
    int64_t wakeups;
};

const struct param cpu_params[] = {
    PARAM_COUNT(struct cpu_config, threads, .min = 1, .max = CPU_THREADS_MAX, .preset = 1,
                .doc = "Threads that share the work."),
    PARAM_DISTRIBUTION(struct cpu_config, wake, .preset = 0,
                       .doc = "Paid by a thread-class item that finds its thread asleep."),
    PARAM_TIME(struct cpu_config, loop, .min = 0, .preset = -1, .preset_doc = "no event loop",
               .doc = "Makes it an event loop; cost of an iteration."),
};
const size_t cpu_param_count = ARRAY_LENGTH(cpu_params);

/* ---- Items. ---- */

static void push(struct item_queue *queue, struct item *item)
{
    item->next = NULL;
    if (queue->head == NULL) {
        queue->head = item;
    } else {
        queue->tail->next = item;
    }
    queue->tail = item;
    queue->count++;
}

static struct item *pop(struct item_queue *queue)
{
    struct item *item = queue->head;
    if (item != NULL) {
        queue->head = item->next;
        queue->count--;
    }
    return item;
}

/* Field by field: a struct that is put together elsewhere and copied stalls the processor. */
static inline struct item *item_create(struct cpu *cpu, enum cpu_class class, sim_time cost,
                                       struct stage *stage, struct request *req,
                                       stage_handler *handler)
{
    struct item *item = cpu->free;
    if (UNLIKELY(item == NULL)) {
        item = arena_alloc(cpu->engine->arena, sizeof(*item));
    } else {
        cpu->free = item->next;
    }
    item->began = NOT_BEGUN;
    item->left = cost;
    item->stage = stage;
    item->req = req;
    item->handler = handler;
    item->work = NULL;
    item->class = class;
    return item;
}

/* ---- Threads. ---- */

static void on_piece_ends(struct stage *self, struct request *none);
static void interrupt(struct cpu *cpu);

static void start(struct thread *thread, struct item *item)
{
    assert(thread->running == NULL);
    thread->running = item;
    thread->resumed = stage_now(&thread->self);
    item->began = item->began == NOT_BEGUN ? thread->resumed : item->began;
    if (item->left > 0) {
        thread->end = stage_after(&thread->self, item->left, NULL, on_piece_ends);
    }
    if (item->class == CPU_INTERRUPT && thread->cpu->queues[CPU_INTERRUPT].count > 0) {
        interrupt(thread->cpu); /* another thread may take the next one */
    }
}

/* The event loop begins an iteration: what is ready now is what it will run. */
static struct item *begin_iteration(struct thread *thread)
{
    struct cpu *cpu = thread->cpu;
    thread->loop_left = cpu->queues[CPU_THREAD].count;
    thread->loop_idle = cpu->queues[CPU_IDLE].count > 0;
    return item_create(cpu, CPU_THREAD, cpu->config.loop, NULL, NULL, NULL);
}

SLOW_PATH static struct item *choose_of_loop(struct thread *thread)
{
    struct item_queue *queues = thread->cpu->queues;
    if (thread->loop_left > 0) {
        thread->loop_left--;
        return pop(&queues[CPU_THREAD]);
    }
    if (thread->loop_idle) {
        thread->loop_idle = false;
        return pop(&queues[CPU_IDLE]);
    }
    bool ready = queues[CPU_THREAD].count + queues[CPU_IDLE].count > 0;
    return ready ? begin_iteration(thread) : NULL;
}

/* An interrupt, or what was interrupted; NULL: neither. */
SLOW_PATH static struct item *choose_urgent(struct thread *thread)
{
    struct item_queue *interrupts = &thread->cpu->queues[CPU_INTERRUPT];
    struct item *next = thread->continuation;
    if (interrupts->count > 0 && (next == NULL || next->class != CPU_INTERRUPT)) {
        if (next != NULL) { /* it has paid nothing of its next piece yet */
            thread->preempted = next;
            thread->continuation = NULL;
        }
        return pop(interrupts);
    }
    if (next != NULL) {
        thread->continuation = NULL;
        return next;
    }
    next = thread->preempted;
    thread->preempted = NULL;
    return next;
}

/* What a thread that runs nothing runs next, or NULL. */
static inline struct item *choose(struct thread *thread)
{
    struct item_queue *queues = thread->cpu->queues;
    if (thread->continuation != NULL && queues[CPU_INTERRUPT].count == 0) {
        struct item *item = thread->continuation;
        thread->continuation = NULL;
        return item;
    }
    if (UNLIKELY(thread->preempted != NULL || queues[CPU_INTERRUPT].count > 0)) {
        return choose_urgent(thread);
    }
    if (thread->state != AWAKE) {
        return NULL;
    }
    if (thread->cpu->config.loop >= 0) {
        return choose_of_loop(thread);
    }
    struct item *item = pop(&queues[CPU_THREAD]);
    return item != NULL ? item : pop(&queues[CPU_IDLE]);
}

/* The running item has paid its cost. */
static void finish(struct thread *thread)
{
    struct cpu *cpu = thread->cpu;
    struct item *item = thread->running;
    stage_handler *handler = item->handler;
    enum cpu_class class = item->class;
    thread->running = NULL;
    thread->began = item->began;
    if (item->work != NULL) {
        item->work->pending = false;
    }
    item->next = cpu->free;
    cpu->free = item;
    if (handler == NULL) { /* only costs time */
        return;
    }
    thread->in_handler = true;
    cpu->current = thread;
    stage_enter(item->stage, item->req, handler);
    cpu->current = NULL;
    thread->in_handler = false;
    if (thread->continuation != NULL) {
        thread->continuation->class = class;
        thread->continuation->began = thread->began;
    }
}

/* Runs what is ready until something takes time. Not called from within a handler. */
static void run_next(struct thread *thread)
{
    for (struct item *item; (item = choose(thread)) != NULL;) {
        start(thread, item);
        if (item->left > 0) {
            return;
        }
        finish(thread);
    }
    if (thread->state == AWAKE) {
        thread->state = ASLEEP;
    }
}

static void count_busy(struct thread *thread)
{
    sim_time passed = stage_now(&thread->self) - thread->resumed;
    thread->cpu->busy[thread->running->class] += passed;
}

static void on_piece_ends(struct stage *self, struct request *none)
{
    (void)none;
    struct thread *thread = self->state;
    count_busy(thread);
    finish(thread);
    run_next(thread);
}

/* What was queued for a thread that runs nothing and does not sleep. */
static void on_kicked(struct stage *self, struct request *none)
{
    (void)none;
    struct thread *thread = self->state;
    if (thread->running == NULL) {
        run_next(thread);
    }
}

static void on_woken(struct stage *self, struct request *none)
{
    (void)none;
    struct thread *thread = self->state;
    thread->state = AWAKE;
    if (thread->running == NULL) {
        run_next(thread);
    }
}

static inline struct thread *find_asleep(struct cpu *cpu)
{
    for (int64_t i = 0; i < cpu->config.threads; i++) {
        if (cpu->threads[i].state == ASLEEP) {
            return &cpu->threads[i];
        }
    }
    return NULL;
}

static void wake(struct cpu *cpu)
{
    struct thread *thread = find_asleep(cpu);
    if (thread != NULL) {
        thread->state = WAKING;
        uint64_t number = (uint64_t)cpu->wakeups++;
        sim_time cost = distribution_draw_number(&cpu->config.wake, number, &cpu->stream);
        stage_after(&thread->self, cost, NULL, on_woken);
    }
}

/* An idle item needs no wake-up: its thread is one that polls. */
SLOW_PATH static void poll(struct cpu *cpu)
{
    struct thread *thread = find_asleep(cpu);
    if (thread != NULL) {
        thread->state = AWAKE;
        stage_after(&thread->self, 0, NULL, on_kicked);
    }
}

/* The lowest thread that can run an interrupt at once, or soonest: one that runs nothing, one whose
 * handler is about to return, one to preempt. */
static struct thread *find_for_interrupt(struct cpu *cpu)
{
    struct thread *preemptible = NULL;
    for (int64_t i = 0; i < cpu->config.threads; i++) {
        struct thread *thread = &cpu->threads[i];
        if (thread->running == NULL) {
            return thread; /* perhaps its handler is about to return */
        }
        if (preemptible == NULL && thread->running->class != CPU_INTERRUPT) {
            preemptible = thread;
        }
    }
    return preemptible;
}

static void preempt(struct thread *thread)
{
    struct item *item = thread->running;
    count_busy(thread);
    item->left -= stage_now(&thread->self) - thread->resumed;
    stage_cancel(&thread->self, thread->end);
    thread->preempted = item;
    thread->running = NULL;
}

SLOW_PATH static void interrupt(struct cpu *cpu)
{
    struct thread *thread = find_for_interrupt(cpu);
    if (thread == NULL || thread->in_handler) {
        return; /* taken when what runs ends */
    }
    if (thread->running != NULL) {
        preempt(thread);
    }
    stage_after(&thread->self, 0, NULL, on_kicked);
}

static void place(struct cpu *cpu, enum cpu_class class)
{
    switch (class) {
    case CPU_INTERRUPT:
        interrupt(cpu);
        break;
    case CPU_THREAD:
        wake(cpu);
        break;
    default:
        poll(cpu);
    }
}

/* ---- What models call. ---- */

void cpu_run(struct cpu *cpu, enum cpu_class class, sim_time cost, struct stage *stage,
             struct request *req, stage_handler *handler)
{
    assert(cost >= 0);
    if (cpu == NULL) {
        if (handler != NULL) {
            stage_after(stage, cost, req, handler);
        }
        return;
    }
    push(&cpu->queues[class], item_create(cpu, class, cost, stage, req, handler));
    place(cpu, class);
}

void cpu_continue(struct cpu *cpu, sim_time cost, struct stage *stage, struct request *req,
                  stage_handler *handler)
{
    assert(cost >= 0 && handler != NULL);
    if (cpu == NULL) {
        stage_after(stage, cost, req, handler);
        return;
    }
    struct thread *thread = cpu->current;
    assert(thread != NULL && thread->continuation == NULL);
    thread->continuation = item_create(cpu, CPU_THREAD, cost, stage, req, handler);
}

sim_time cpu_item_began(const struct cpu *cpu)
{
    assert(cpu->current != NULL);
    return cpu->current->began;
}

bool cpu_is_loop(const struct cpu *cpu)
{
    return cpu->config.loop >= 0;
}

void cpu_work_init(struct cpu_work *work, struct stage *stage, stage_handler *handler)
{
    *work = (struct cpu_work){ .stage = stage, .handler = handler };
}

static void enqueue_work(struct cpu *cpu, struct cpu_work *work)
{
    struct item *item = item_create(cpu, CPU_THREAD, 0, work->stage, NULL, work->handler);
    item->work = work;
    push(&cpu->queues[CPU_THREAD], item);
    place(cpu, CPU_THREAD);
}

bool cpu_work_queue(struct cpu *cpu, struct cpu_work *work)
{
    assert(cpu != NULL);
    if (work->pending) {
        return false;
    }
    work->pending = true;
    enqueue_work(cpu, work);
    return true;
}

static void on_work_expires(struct stage *self, struct request *none)
{
    (void)none;
    struct cpu_work *work = self->state;
    enqueue_work(work->cpu, work);
}

bool cpu_work_queue_at(struct cpu *cpu, struct cpu_work *work, sim_time when)
{
    if (work->pending) {
        return false;
    }
    work->pending = true;
    work->cpu = cpu;
    work->timer = (struct stage){ .engine = cpu->engine, .state = work };
    stage_at(&work->timer, when, NULL, on_work_expires);
    return true;
}

/* ---- The engine's own. ---- */

struct cpu *cpu_create(struct engine *engine, const char *name, const struct cpu_config *config)
{
    assert(config->threads >= 1 && config->threads <= CPU_THREADS_MAX);
    assert(config->loop < 0 || config->threads == 1);
    struct cpu *cpu = arena_alloc(engine->arena, sizeof(*cpu));
    cpu->engine = engine;
    cpu->name = name;
    cpu->config = *config;
    cpu->stream.state = random_key(engine->seed, engine->repeat, name);
    cpu->threads = arena_array(engine->arena, (size_t)config->threads, sizeof(cpu->threads[0]));
    for (int64_t i = 0; i < config->threads; i++) {
        struct thread *thread = &cpu->threads[i];
        thread->cpu = cpu;
        thread->self.engine = engine;
        thread->self.state = thread;
        thread->self.name = name;
    }
    return cpu;
}

const char *cpu_name(const struct cpu *cpu)
{
    return cpu->name;
}

int64_t cpu_threads(const struct cpu *cpu)
{
    return cpu->config.threads;
}

sim_sum cpu_busy(const struct cpu *cpu, enum cpu_class class)
{
    sim_sum busy = cpu->busy[class];
    for (int64_t i = 0; i < cpu->config.threads; i++) {
        const struct thread *thread = &cpu->threads[i];
        if (thread->running != NULL && !thread->in_handler && thread->running->class == class) {
            busy += stage_now(&thread->self) - thread->resumed;
        }
    }
    return busy;
}

int64_t cpu_wakeups(const struct cpu *cpu)
{
    return cpu->wakeups;
}
