/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models that break a rule, each in a process of its own: an assert ends it at the place of the
 * mistake. A request or an end that is lost breaks no assert, since the run may end before it comes
 * back; it is what is left when the run has drained.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/conformance/generator.h"
#include "tests/conformance/probes.h"
#include "tests/conformance/set.h"
#include "tests/conformance/tap.h"

enum phase { HERE, BACK };

struct broken {
    struct request_queue queue;
    struct request_queue other;
    struct cpu *cpu;
};

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct broken *broken = self->state;
    request_queue_init(&broken->queue, self, HERE);
    request_queue_init(&broken->other, self, HERE);
    broken->cpu = self->engine->cpus[0];
    return true;
}

static const struct phase_info phases[] = { { .name = "here" }, { .name = "back", .back = true } };

/* ---- Doors. ---- */

static void lose(struct stage *self, struct request *req)
{
    (void)self;
    (void)req;
}

static void complete_twice(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, REQUEST_DONE);
    stage_complete_above(self, req, REQUEST_DONE);
}

static void submit_twice(struct stage *self, struct request *req)
{
    stage_submit_below(self, req);
    stage_submit_below(self, req);
}

static void complete_without_having_it(struct stage *self, struct request *req)
{
    stage_submit_below(self, req);
    stage_complete_above(self, req, REQUEST_DONE);
}

static void submit_when_back(struct stage *self, struct request *req, enum request_status status)
{
    (void)status;
    stage_submit_below(self, req);
}

static void submit_while_queued(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    request_queue_push(&broken->queue, req);
    stage_submit_below(self, req);
}

static void complete_while_queued(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    request_queue_push(&broken->queue, req);
    stage_complete_above(self, req, REQUEST_DROPPED);
}

static void queue_twice(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    request_queue_push(&broken->queue, req);
    request_queue_push(&broken->other, req);
}

/* ---- Early completions. ---- */

static void complete_early(struct stage *self, struct request *req)
{
    stage_complete_early(self, req);
    stage_submit_below(self, req);
}

static void complete_early_twice(struct stage *self, struct request *req)
{
    stage_complete_early(self, req);
    stage_complete_early(self, req);
}

static void complete_early_when_gone(struct stage *self, struct request *req)
{
    stage_submit_below(self, req);
    stage_complete_early(self, req);
}

/* It is through below, and never told so. */
static void never_end(struct stage *self, struct request *req, enum request_status status)
{
    (void)self;
    (void)req;
    (void)status;
}

static void queue_when_back(struct stage *self, struct request *req, enum request_status status)
{
    struct broken *broken = self->state;
    (void)status;
    request_queue_push(&broken->queue, req);
}

/* ---- Phases. ---- */

static void phase_when_gone(struct stage *self, struct request *req)
{
    stage_submit_below(self, req);
    stage_phase(self, req, HERE);
}

static void unknown_phase(struct stage *self, struct request *req)
{
    stage_phase(self, req, BACK + 1);
}

static void phase_before_it_came(struct stage *self, struct request *req)
{
    stage_phase_since(self, req, BACK, stage_now(self) - 1);
}

static void phase_in_the_future(struct stage *self, struct request *req)
{
    stage_phase_since(self, req, BACK, stage_now(self) + 1);
}

/* ---- Time and cpus. ---- */

static void event_in_the_past(struct stage *self, struct request *req)
{
    stage_at(self, stage_now(self) - 1, req, stage_submit_below);
}

static void negative_delay(struct stage *self, struct request *req)
{
    stage_after(self, -1, req, stage_submit_below);
}

static void negative_cost(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    cpu_run(broken->cpu, CPU_THREAD, -1, self, req, stage_submit_below);
}

static void continue_outside_an_item(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    cpu_continue(broken->cpu, SIM_US, self, req, stage_submit_below);
}

static void item_began_outside_an_item(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    (void)req;
    cpu_item_began(broken->cpu);
}

static void on_item(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    cpu_continue(broken->cpu, SIM_US, self, req, stage_submit_below);
    cpu_continue(broken->cpu, SIM_US, self, req, stage_submit_below);
}

static void continue_twice(struct stage *self, struct request *req)
{
    struct broken *broken = self->state;
    cpu_run(broken->cpu, CPU_THREAD, SIM_US, self, req, on_item);
}

/* ---- Loads and children. ---- */

static void make_request_of_others(struct stage *self, struct request *req)
{
    (void)req;
    load_request(self, stage_now(self));
}

static void finish_for_the_load(struct stage *self, struct request *req)
{
    load_finish(self, req, REQUEST_DONE);
}

static void child_of_a_child(struct stage *self, struct request *req)
{
    stage_create_child(self, stage_create_child(self, req, 1), 1);
}

static void child_of_what_is_gone(struct stage *self, struct request *req)
{
    stage_submit_below(self, req);
    stage_create_child(self, req, 1);
}

static void end_child_that_is_not_back(struct stage *self, struct request *req)
{
    struct request *child = stage_create_child(self, req, 1);
    stage_submit_below(self, child);
    stage_end_child(self, child);
}

static void end_what_is_no_child(struct stage *self, struct request *req)
{
    stage_end_child(self, req);
}

/* ---- Running them. ---- */

struct wrong {
    const char *name;
    void (*submit)(struct stage *self, struct request *req);
    void (*complete)(struct stage *self, struct request *req, enum request_status status);
    bool completes_early;
    bool over_early; /* a stage that completes early stands under it */
    bool left;       /* no assert: found by what is left */
};

static const struct wrong wrongs[] = {
    { "loses a request", .submit = lose, .left = true },
    { "completes twice", .submit = complete_twice },
    { "submits twice", .submit = submit_twice },
    { "completes what it does not have back", .submit = complete_without_having_it },
    { "submits what is back", .complete = submit_when_back },
    { "submits what is queued", .submit = submit_while_queued },
    { "completes what is queued", .submit = complete_while_queued },
    { "queues twice", .submit = queue_twice },
    { "never ends what it completed early", .submit = complete_early, .complete = never_end,
      .completes_early = true, .left = true },
    { "completes early without saying so", .submit = complete_early },
    { "completes early twice", .submit = complete_early_twice, .completes_early = true },
    { "completes early what is gone", .submit = complete_early_when_gone, .completes_early = true },
    { "queues above an early completion", .complete = queue_when_back, .over_early = true },
    { "sets a phase of what is gone", .submit = phase_when_gone },
    { "sets a phase that it does not have", .submit = unknown_phase },
    { "sets a phase before it began", .submit = phase_before_it_came },
    { "sets a phase in the future", .submit = phase_in_the_future },
    { "schedules in the past", .submit = event_in_the_past },
    { "schedules by a negative delay", .submit = negative_delay },
    { "runs an item of negative cost", .submit = negative_cost },
    { "goes on outside an item", .submit = continue_outside_an_item },
    { "asks for an item outside one", .submit = item_began_outside_an_item },
    { "goes on twice", .submit = continue_twice },
    { "makes requests without being a load", .submit = make_request_of_others },
    { "finishes in the load's place", .submit = finish_for_the_load },
    { "makes a child of a child", .submit = child_of_a_child },
    { "makes a child of what is gone", .submit = child_of_what_is_gone },
    { "ends a child that is not back", .submit = end_child_that_is_not_back },
    { "ends what is no child", .submit = end_what_is_no_child },
};

/* What a drained run shows: requests that live on, and nothing will happen to them. */
static bool something_is_left(struct engine *engine)
{
    return event_list_is_empty(&engine->events) && engine->pool.live > 0;
}

/* In the child process. */
static void run(const struct wrong *wrong)
{
    struct model model = {
        .name = "broken",
        .phases = phases,
        .phase_count = ARRAY_LENGTH(phases),
        .state_size = sizeof(struct broken),
        .completes_early = wrong->completes_early,
        .init = init,
        .submit = wrong->submit,
        .complete = wrong->complete,
    };
    struct arena *arena = arena_create();
    struct engine *engine = stack_create(arena, 1, 0);
    stack_add_cpu(engine, "cpu", &(struct cpu_config){ .threads = 1, .loop = -1 });
    struct stage *load = stack_add_stage(engine, "load", known_model("open_load"));
    set_value(load, "rate", 1000 * 1000);
    stack_add_stage(engine, "broken", &model);
    if (wrong->over_early) {
        stack_add_stage(engine, "early", &probe_early_model);
    }
    set_value(stack_add_stage(engine, "device", known_model("device")), "service", SIM_US);
    build(engine);
    engine_run(engine,
               &(struct engine_span){ .warmup = 0, .measure = 10 * SIM_MS, .drain = SIM_S });
    bool left = something_is_left(engine);
    arena_destroy(arena);
    _exit(left ? 1 : 0);
}

/* Runs it in a child; what it says on stderr goes into `said`. */
static int run_apart(const struct wrong *wrong, char *said, size_t size)
{
    int ends[2];
    int status = 0;
    fflush(stdout);
    if (pipe(ends) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        run(wrong);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;) {
        length += (size_t)got;
    }
    said[length] = '\0';
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

static void check(struct tap *tap, const struct wrong *wrong)
{
    char said[4096];
    int status = run_apart(wrong, said, sizeof(said));
    if (wrong->left) {
        CHECK(tap, WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %x", (unsigned)status);
    } else {
        CHECK(tap, WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %x",
              (unsigned)status);
        CHECK(tap, strstr(said, "Assertion") != NULL, "it said: %s", said);
        CHECK(tap, strstr(said, "sim/engine/") != NULL, "it said: %s", said);
    }
    tap_end(tap, wrong->name);
}

int main(void)
{
    struct tap tap = { 0 };
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < ARRAY_LENGTH(wrongs); i++) {
        check(&tap, &wrongs[i]);
    }
    return tap_exit(&tap);
}
