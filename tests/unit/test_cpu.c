/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>

#include "sim/engine/cpu.h"
#include "tests/unit/machine.h"

/* Times in the expected logs are nanoseconds. */

static struct arena *arena;
static struct engine *engine;
static struct log events;

/* A job is a stage of its own: its handler says its letter and may do something more. */
struct job {
    struct stage stage;
    char letter;
    void (*then)(struct job *job);
    struct cpu *cpu;
    struct job *other;
    int times;
};

static void set_up(void)
{
    arena = arena_create();
    engine = stack_create(arena, 1, 0);
    events.count = 0;
}

static void tear_down(void)
{
    arena_destroy(arena);
}

TestSuite(cpu, .init = set_up, .fini = tear_down);

static struct cpu *make_cpu(int64_t threads, sim_time wake, sim_time loop)
{
    struct cpu_config config = { threads, distribution_constant(wake), loop };
    return stack_add_cpu(engine, "cpu", &config);
}

static struct job make_job(char letter, struct cpu *cpu)
{
    return (struct job){ .stage = { .engine = engine }, .letter = letter, .cpu = cpu };
}

static void on_job(struct stage *self, struct request *none)
{
    struct job *job = (struct job *)(void *)self;
    (void)none;
    log_add(&events, job->letter, stage_now(self));
    if (job->then != NULL) {
        job->then(job);
    }
}

static void queue(struct job *job, enum cpu_class class, sim_time cost)
{
    cpu_run(job->cpu, class, cost, &job->stage, NULL, on_job);
}

/* Events that queue an item of 10 ns. */
static void on_interrupt(struct stage *self, struct request *none)
{
    (void)none;
    queue((struct job *)(void *)self, CPU_INTERRUPT, 10 * SIM_NS);
}

static void on_thread(struct stage *self, struct request *none)
{
    (void)none;
    queue((struct job *)(void *)self, CPU_THREAD, 10 * SIM_NS);
}

static void run(void)
{
    run_until(engine, SIM_S);
}

/* ---- Order and classes. ---- */

Test(cpu, items_of_a_class_run_in_order_to_completion)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job a = make_job('a', cpu);
    struct job b = make_job('b', cpu);
    struct job c = make_job('c', cpu);
    queue(&a, CPU_THREAD, 30 * SIM_NS);
    queue(&b, CPU_THREAD, 0);
    queue(&c, CPU_THREAD, 5 * SIM_NS);
    run();
    log_check(&events, "a30 b30 c35");
}

Test(cpu, interrupts_come_first_and_idle_items_last)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job idle = make_job('i', cpu);
    struct job thread = make_job('t', cpu);
    struct job interrupt = make_job('x', cpu);
    queue(&idle, CPU_IDLE, 10 * SIM_NS);
    queue(&thread, CPU_THREAD, 10 * SIM_NS);
    queue(&interrupt, CPU_INTERRUPT, 10 * SIM_NS);
    run();
    log_check(&events, "x10 t20 i30");
}

Test(cpu, an_item_without_a_handler_only_costs_time)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job a = make_job('a', cpu);
    cpu_run(cpu, CPU_THREAD, 70 * SIM_NS, &a.stage, NULL, NULL);
    cpu_run(cpu, CPU_THREAD, 0, &a.stage, NULL, NULL);
    queue(&a, CPU_THREAD, SIM_NS);
    run();
    log_check(&events, "a71");
}

/* ---- Preemption. ---- */

/* 100 ns of work, interrupted twice for 10 ns: it ends at 120. */
Test(cpu, an_interrupt_preempts_and_the_item_resumes)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job work = make_job('w', cpu);
    struct job next = make_job('n', cpu);
    struct job interrupt = make_job('x', cpu);
    queue(&work, CPU_THREAD, 100 * SIM_NS);
    queue(&next, CPU_THREAD, 5 * SIM_NS);
    stage_after(&interrupt.stage, 30 * SIM_NS, NULL, on_interrupt);
    stage_after(&interrupt.stage, 80 * SIM_NS, NULL, on_interrupt);
    run();
    log_check(&events, "x40 x90 w120 n125");
    cr_expect(cpu_busy(cpu, CPU_INTERRUPT) == 20 * SIM_NS);
    cr_expect(cpu_busy(cpu, CPU_THREAD) == 105 * SIM_NS);
}

Test(cpu, interrupts_do_not_preempt_each_other)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job work = make_job('w', cpu);
    struct job interrupt = make_job('x', cpu);
    queue(&work, CPU_IDLE, 100 * SIM_NS);
    stage_after(&interrupt.stage, 30 * SIM_NS, NULL, on_interrupt);
    stage_after(&interrupt.stage, 35 * SIM_NS, NULL, on_interrupt);
    run();
    log_check(&events, "x40 x50 w120");
}

/* The interrupt comes at the instant at which the item has paid all its cost. */
Test(cpu, an_item_preempted_at_its_end_is_through_after_the_interrupt)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job work = make_job('w', cpu);
    struct job interrupt = make_job('x', cpu);
    stage_after(&interrupt.stage, 30 * SIM_NS, NULL, on_interrupt);
    queue(&work, CPU_THREAD, 30 * SIM_NS);
    run();
    log_check(&events, "x40 w40");
    cr_expect(cpu_busy(cpu, CPU_THREAD) == 30 * SIM_NS);
}

static void then_interrupt(struct job *job)
{
    queue(job->other, CPU_INTERRUPT, 10 * SIM_NS);
}

Test(cpu, an_interrupt_raised_in_a_handler_runs_next)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job work = make_job('w', cpu);
    struct job next = make_job('n', cpu);
    struct job interrupt = make_job('x', cpu);
    work.then = then_interrupt;
    work.other = &interrupt;
    queue(&work, CPU_THREAD, 20 * SIM_NS);
    queue(&next, CPU_THREAD, 5 * SIM_NS);
    run();
    log_check(&events, "w20 x30 n35");
}

/* ---- Sleep. ---- */

Test(cpu, a_thread_item_pays_the_wake_up_of_a_sleeping_thread)
{
    struct cpu *cpu = make_cpu(1, 100 * SIM_NS, -1);
    struct job a = make_job('a', cpu);
    struct job b = make_job('b', cpu);
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    queue(&b, CPU_THREAD, 10 * SIM_NS);                   /* it is being woken already */
    stage_after(&b.stage, 115 * SIM_NS, NULL, on_thread); /* it runs */
    stage_after(&b.stage, 500 * SIM_NS, NULL, on_thread); /* it sleeps again */
    run();
    log_check(&events, "a110 b120 b130 b610");
    cr_expect_eq(cpu_wakeups(cpu), 2);
    cr_expect(cpu_busy(cpu, CPU_THREAD) == 40 * SIM_NS);
}

Test(cpu, interrupts_and_idle_items_do_not_wake_anyone)
{
    struct cpu *cpu = make_cpu(1, 100 * SIM_NS, -1);
    struct job job = make_job('x', cpu);
    queue(&job, CPU_INTERRUPT, 10 * SIM_NS);
    run();
    queue(&job, CPU_IDLE, 10 * SIM_NS);
    run();
    log_check(&events, "x10 x20");
    cr_expect_eq(cpu_wakeups(cpu), 0);
}

/* While it is being woken an interrupt runs; the wake-up goes on meanwhile. */
Test(cpu, an_interrupt_runs_while_the_thread_wakes_up)
{
    struct cpu *cpu = make_cpu(1, 100 * SIM_NS, -1);
    struct job work = make_job('w', cpu);
    struct job interrupt = make_job('x', cpu);
    queue(&work, CPU_THREAD, 10 * SIM_NS);
    stage_after(&interrupt.stage, 20 * SIM_NS, NULL, on_interrupt);
    stage_after(&interrupt.stage, 95 * SIM_NS, NULL, on_interrupt);
    run();
    log_check(&events, "x30 x105 w115");
}

static void then_thread(struct job *job)
{
    queue(job->other, CPU_THREAD, 10 * SIM_NS);
}

/* An interrupt keeps the processor, not the thread, awake. */
Test(cpu, work_that_an_interrupt_makes_wakes_the_thread)
{
    struct cpu *cpu = make_cpu(1, 100 * SIM_NS, -1);
    struct job interrupt = make_job('x', cpu);
    struct job work = make_job('w', cpu);
    interrupt.then = then_thread;
    interrupt.other = &work;
    queue(&interrupt, CPU_INTERRUPT, 10 * SIM_NS);
    run();
    log_check(&events, "x10 w120");
}

static void then_idle(struct job *job)
{
    if (--job->times > 0) {
        queue(job, CPU_IDLE, 10 * SIM_NS);
    }
}

/* A thread that polls does not sleep: what comes waits for the poll to end, and pays nothing. */
Test(cpu, a_polling_thread_is_awake)
{
    struct cpu *cpu = make_cpu(1, 100 * SIM_NS, -1);
    struct job idle = make_job('i', cpu);
    struct job work = make_job('w', cpu);
    idle.then = then_idle;
    idle.times = 4;
    queue(&idle, CPU_IDLE, 10 * SIM_NS);
    stage_after(&work.stage, 15 * SIM_NS, NULL, on_thread);
    run();
    log_check(&events, "i10 i20 w30 i40 i50");
    cr_expect(cpu_busy(cpu, CPU_IDLE) == 40 * SIM_NS);
    cr_expect_eq(cpu_wakeups(cpu), 0);
}

/* ---- Several threads. ---- */

Test(cpu, threads_share_the_work)
{
    struct cpu *cpu = make_cpu(2, 100 * SIM_NS, -1);
    struct job a = make_job('a', cpu);
    struct job b = make_job('b', cpu);
    struct job c = make_job('c', cpu);
    queue(&a, CPU_THREAD, 50 * SIM_NS);
    queue(&b, CPU_THREAD, 10 * SIM_NS);
    queue(&c, CPU_THREAD, 10 * SIM_NS);
    run();
    log_check(&events, "b110 c120 a150");
    cr_expect_eq(cpu_wakeups(cpu), 2);
    cr_expect_eq(cpu_threads(cpu), 2);
}

Test(cpu, an_interrupt_takes_a_thread_that_runs_nothing)
{
    struct cpu *cpu = make_cpu(2, 0, -1);
    struct job work = make_job('w', cpu);
    struct job first = make_job('x', cpu);
    struct job second = make_job('y', cpu);
    queue(&work, CPU_THREAD, 100 * SIM_NS);
    stage_after(&first.stage, 30 * SIM_NS, NULL, on_interrupt);
    stage_after(&second.stage, 35 * SIM_NS, NULL, on_interrupt); /* preempts */
    run();
    log_check(&events, "x40 y45 w110");
}

/* ---- Event loops. ---- */

/* An iteration of 100 ns takes what is ready as it begins; what that adds comes in a later one. */
Test(cpu, an_event_loop_runs_what_was_ready)
{
    struct cpu *cpu = make_cpu(1, 0, 100 * SIM_NS);
    struct job a = make_job('a', cpu);
    struct job b = make_job('b', cpu);
    struct job c = make_job('c', cpu);
    a.then = then_thread;
    a.other = &c;
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    queue(&b, CPU_THREAD, 10 * SIM_NS);
    run();
    log_check(&events, "a110 b120 c230");
    cr_expect(cpu_busy(cpu, CPU_THREAD) == 230 * SIM_NS);
}

Test(cpu, what_comes_during_an_iteration_waits_for_the_next)
{
    struct cpu *cpu = make_cpu(1, 0, 100 * SIM_NS);
    struct job a = make_job('a', cpu);
    struct job b = make_job('b', cpu);
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    stage_after(&b.stage, 50 * SIM_NS, NULL, on_thread);
    run();
    log_check(&events, "a110 b220");
}

Test(cpu, an_iteration_runs_one_idle_item_at_its_end)
{
    struct cpu *cpu = make_cpu(1, 0, 100 * SIM_NS);
    struct job i = make_job('i', cpu);
    struct job a = make_job('a', cpu);
    queue(&i, CPU_IDLE, 10 * SIM_NS);
    queue(&i, CPU_IDLE, 10 * SIM_NS);
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    run();
    log_check(&events, "a110 i120 i230");
    cr_expect(cpu_busy(cpu, CPU_IDLE) == 20 * SIM_NS);
}

Test(cpu, an_interrupt_preempts_an_event_loop)
{
    struct cpu *cpu = make_cpu(1, 0, 100 * SIM_NS);
    struct job a = make_job('a', cpu);
    struct job x = make_job('x', cpu);
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    stage_after(&x.stage, 50 * SIM_NS, NULL, on_interrupt);
    stage_after(&x.stage, 115 * SIM_NS, NULL, on_interrupt);
    run();
    log_check(&events, "x60 x125 a130");
}

Test(cpu, an_event_loop_has_one_thread, .signal = SIGABRT)
{
    make_cpu(2, 0, SIM_NS);
}

/* ---- Going on. ---- */

static void then_continue(struct job *job)
{
    if (--job->times > 0) {
        cpu_continue(job->cpu, 10 * SIM_NS, &job->stage, NULL, on_job);
    }
}

Test(cpu, an_item_that_goes_on_comes_before_others)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job a = make_job('a', cpu);
    struct job b = make_job('b', cpu);
    a.then = then_continue;
    a.times = 3;
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    queue(&b, CPU_THREAD, 10 * SIM_NS);
    run();
    log_check(&events, "a10 a20 a30 b40");
}

Test(cpu, an_interrupt_comes_between_the_pieces_of_an_item)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job a = make_job('a', cpu);
    struct job x = make_job('x', cpu);
    a.then = then_continue;
    a.times = 3;
    stage_after(&x.stage, 10 * SIM_NS, NULL, on_interrupt);
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    run();
    log_check(&events, "x20 a20 a30 a40");
}

static void then_say_when_it_began(struct job *job)
{
    log_add(&events, 'b', cpu_item_began(job->cpu));
    then_continue(job);
}

/* Interrupted and gone on with, it is one item. */
Test(cpu, an_item_knows_when_it_began)
{
    struct cpu *cpu = make_cpu(1, 7 * SIM_NS, -1);
    struct job a = make_job('a', cpu);
    struct job x = make_job('x', cpu);
    a.then = then_say_when_it_began;
    a.times = 2;
    queue(&a, CPU_THREAD, 10 * SIM_NS);
    stage_after(&x.stage, 10 * SIM_NS, NULL, on_interrupt);
    run();
    log_check(&events, "x20 a27 b7 a37 b7");
}

/* ---- Work. ---- */

struct work_job {
    struct job job; /* first */
    struct cpu_work work;
    int again; /* times it queues itself while it runs */
};

static void then_queue_again(struct job *job)
{
    struct work_job *self = (struct work_job *)(void *)job;
    if (self->again-- > 0) {
        cr_expect(cpu_work_queue(job->cpu, &self->work));
        cr_expect_not(cpu_work_queue(job->cpu, &self->work));
    }
}

Test(cpu, work_that_is_pending_is_queued_once)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct work_job self = { .job = make_job('w', cpu) };
    struct job a = make_job('a', cpu);
    cpu_work_init(&self.work, &self.job.stage, on_job);
    queue(&a, CPU_THREAD, 20 * SIM_NS);
    cr_expect(cpu_work_queue(cpu, &self.work));
    cr_expect_not(cpu_work_queue(cpu, &self.work));
    run();
    cr_expect(cpu_work_queue(cpu, &self.work));
    run();
    log_check(&events, "a20 w20 w20");
}

Test(cpu, work_that_runs_runs_once_more)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct work_job self = { .job = make_job('w', cpu), .again = 1 };
    struct job a = make_job('a', cpu);
    self.job.then = then_queue_again;
    cpu_work_init(&self.work, &self.job.stage, on_job);
    cpu_work_queue(cpu, &self.work);
    queue(&a, CPU_THREAD, 20 * SIM_NS);
    run();
    log_check(&events, "w0 a20 w20");
}

Test(cpu, delayed_work_is_pending_until_it_runs)
{
    struct cpu *cpu = make_cpu(1, 5 * SIM_NS, -1);
    struct work_job self = { .job = make_job('w', cpu) };
    cpu_work_init(&self.work, &self.job.stage, on_job);
    cr_expect(cpu_work_queue_at(cpu, &self.work, 50 * SIM_NS));
    cr_expect_not(cpu_work_queue_at(cpu, &self.work, 20 * SIM_NS));
    cr_expect_not(cpu_work_queue(cpu, &self.work));
    run();
    cr_expect(cpu_work_queue(cpu, &self.work));
    run();
    log_check(&events, "w55 w60");
}

Test(cpu, what_runs_counts_up_to_now)
{
    struct cpu *cpu = make_cpu(1, 0, -1);
    struct job a = make_job('a', cpu);
    struct job x = make_job('x', cpu);
    queue(&a, CPU_THREAD, 100 * SIM_NS);
    stage_after(&x.stage, 40 * SIM_NS, NULL, on_interrupt);
    run_until(engine, 45 * SIM_NS);
    engine->events.now = 45 * SIM_NS;
    cr_expect(cpu_busy(cpu, CPU_THREAD) == 40 * SIM_NS);
    cr_expect(cpu_busy(cpu, CPU_INTERRUPT) == 5 * SIM_NS);
    run();
    cr_expect(cpu_busy(cpu, CPU_THREAD) == 100 * SIM_NS);
    cr_expect(cpu_busy(cpu, CPU_IDLE) == 0);
}

Test(cpu, without_a_cpu_costs_are_delays)
{
    struct job a = make_job('a', NULL);
    struct job b = make_job('b', NULL);
    a.then = then_continue;
    a.times = 2;
    queue(&a, CPU_THREAD, 30 * SIM_NS);
    queue(&b, CPU_IDLE, 10 * SIM_NS);
    cpu_run(NULL, CPU_THREAD, 99 * SIM_NS, &a.stage, NULL, NULL);
    run();
    log_check(&events, "b10 a30 a40");
}
