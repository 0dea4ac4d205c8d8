/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/offload.h"

static void on_job_ended(struct stage *self, struct request *req)
{
    struct offload *offload = self->state;
    const struct offload_phases *phases = &offload->rules->phases[offload_kind(req)];
    if (phases->job != phases->worker) {
        stage_phase_since(offload->stage, req, phases->job, cpu_item_began(offload->pool));
    }
    if (phases->completion != phases->job) {
        stage_phase(offload->stage, req, phases->completion);
    }
    offload->hops++;
    cpu_run(offload->loop, CPU_THREAD, 0, offload->stage, req, offload->rules->resume);
}

static void on_bottom_half(struct stage *self, struct request *req)
{
    struct offload *offload = self->state;
    const struct offload_phases *phases = &offload->rules->phases[offload_kind(req)];
    if (phases->worker != phases->bottom_half) {
        stage_phase(offload->stage, req, phases->worker);
    }
    offload->hops++;
    sim_time cost = offload->rules->job(offload->stage, req);
    cpu_run(offload->pool, CPU_THREAD, cost, self, req, on_job_ended);
}

bool offload_init(struct offload *offload, struct stage *stage, struct cpu *loop, struct cpu *pool,
                  const struct offload_rules *rules, struct error *err)
{
    assert(loop != NULL && pool != NULL);
    if (!cpu_is_loop(loop)) {
        error_user(err, NULL, "`%s` runs its main loop on `%s`, which is no event loop",
                   stage->name, cpu_name(loop));
        return error_hint(err, "write `%s: {loop: 4us}` under `cpus`", cpu_name(loop));
    }
    *offload = (struct offload){ .stage = stage, .loop = loop, .pool = pool, .rules = rules };
    offload->self = (struct stage){ .engine = stage->engine, .state = offload };
    return true;
}

void offload_forget(struct request *req)
{
    req->mark[OFFLOAD_MARK] = 0;
}

void offload_begin(struct offload *offload, struct request *req, unsigned kind)
{
    assert(kind > 0 && kind < OFFLOAD_KINDS);
    int64_t trips = req->mark[OFFLOAD_MARK] / OFFLOAD_KINDS + 1;
    req->mark[OFFLOAD_MARK] = trips * OFFLOAD_KINDS + (int64_t)kind;
    offload->trips++;
    offload->trips_most = trips > offload->trips_most ? trips : offload->trips_most;
    stage_phase(offload->stage, req, offload->rules->phases[kind].bottom_half);
    cpu_run(offload->loop, CPU_THREAD, 0, &offload->self, req, on_bottom_half);
}

unsigned offload_kind(const struct request *req)
{
    return (unsigned)(req->mark[OFFLOAD_MARK] % OFFLOAD_KINDS);
}

void offload_report(const struct offload *offload, struct report *report)
{
    report_count(report, "trips", offload->trips);
    report_count(report, "hops", offload->hops);
    report_level(report, "trips_most", offload->trips_most);
}
