/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open-loop load: requests come when they come, however slow the answers are.
 *
 *   arrival (due) -> submit on a cpu, if one is named -> below -> done
 *
 * Modelled: constant, Poisson and bursty arrivals; the cost of submitting on a cpu that may be late
 * (latency counts from when the request was due). Left out: reaping. Source of the bursty process:
 * Fischer and Meier-Hellstern, "The Markov-modulated Poisson process (MMPP) cookbook", Performance
 * Evaluation 18 (1993), with two states.
 */
#include "sim/engine/model.h"

enum phase { SUBMIT, BACK };

struct open_load {
    /* Parameters. */
    const struct policy *arrivals;
    int64_t rate;
    int64_t rate_off;
    sim_time on;
    sim_time off;
    struct mix mix;
    struct cpu *cpu;
    struct distribution submit;
    /* State. */
    uint64_t sent;
    sim_time due;               /* of the next arrival */
    bool is_off;                /* bursty: in the quiet state */
    sim_time state_end;         /* bursty: when the state changes */
    struct distribution gap[2]; /* between arrivals while on, while off */
    struct distribution stay[2];
};

struct policy {
    const char *name;
    const char *summary;
    sim_time (*next)(struct stage *self, struct open_load *load); /* when the next one is due */
};

/* Exactly, so that nothing drifts: rate is in thousandths per second. */
static sim_time next_constant(struct stage *self, struct open_load *load)
{
    (void)self;
    sim_sum when = (sim_sum)load->sent * (1000 * SIM_S) / load->rate;
    return when < SIM_DURATION_MAX ? (sim_time)when : SIM_DURATION_MAX;
}

static sim_time next_poisson(struct stage *self, struct open_load *load)
{
    return load->due + stage_draw_own(self, &load->gap[0]);
}

/* Both the gap and what is left of the state are memoryless, so a change of state draws the gap
 * anew. */
static sim_time next_bursty(struct stage *self, struct open_load *load)
{
    sim_time from = load->due;
    for (;;) {
        bool silent = load->is_off && load->rate_off == 0;
        sim_time gap = silent ? SIM_DURATION_MAX : stage_draw_own(self, &load->gap[load->is_off]);
        if (gap < load->state_end - from) {
            return from + gap;
        }
        from = load->state_end;
        load->is_off = !load->is_off;
        load->state_end = from + 1 + stage_draw_own(self, &load->stay[load->is_off]);
        if (from >= SIM_DURATION_MAX) {
            return SIM_DURATION_MAX;
        }
    }
}

static const struct policy arrivals_policies[] = {
    { .name = "poisson", .summary = "Poisson arrivals.", .next = next_poisson },
    { .name = "constant", .summary = "Evenly spaced, the first at 0.", .next = next_constant },
    { .name = "bursty",
      .summary =
          "Poisson at `rate` while on, at `rate_off` while off; both stay exponentially long.",
      .next = next_bursty },
};

static const struct param params[] = {
    PARAM_RATE(struct open_load, rate, .required = true,
               .doc = "Requests per second; of bursty arrivals, while on."),
    PARAM_POLICY(struct open_load, arrivals, arrivals_policies, .preset = 0,
                 .doc = "How requests follow each other."),
    PARAM_RATE(struct open_load, rate_off, .min = 0, .preset = 0, .preset_doc = "none",
               .doc = "Bursty: requests per second while off."),
    PARAM_TIME(struct open_load, on, .min = 1, .preset = 10 * SIM_MS,
               .doc = "Bursty: how long the load stays on, on average."),
    PARAM_TIME(struct open_load, off, .min = 1, .preset = 10 * SIM_MS,
               .doc = "Bursty: how long it stays off, on average."),
    PARAMS_MIX(struct open_load, mix),
    PARAM_CPU(struct open_load, cpu,
              .doc = "Where the sender runs; none: sending takes no one's time."),
    PARAM_DISTRIBUTION(struct open_load, submit, .preset = 0,
                       .doc = "The sender's time for a request."),
};

static const struct phase_info phases[] = {
    [SUBMIT] = { .name = "submit" },
    [BACK] = { .name = "back", .back = true },
};

static void on_submitted(struct stage *self, struct request *req)
{
    stage_submit_below(self, req);
}

static void plan_next(struct stage *self);

static void on_due(struct stage *self, struct request *none)
{
    (void)none;
    struct open_load *load = self->state;
    struct request *req = load_request(self, load->due);
    load->sent++;
    plan_next(self);
    mix_apply(&load->mix, self, req);
    req->cpu = load->cpu;
    if (load->cpu == NULL && load->submit.kind == DISTRIBUTION_CONSTANT &&
        load->submit.shift == 0) {
        stage_submit_below(self, req);
    } else {
        cpu_run(load->cpu, CPU_THREAD, stage_draw(self, req, &load->submit), self, req,
                on_submitted);
    }
}

static void plan_next(struct stage *self)
{
    struct open_load *load = self->state;
    load->due = load->arrivals->next(self, load);
    if (load_may_send(self, load->due)) {
        stage_at(self, load->due, NULL, on_due);
    }
}

static void complete(struct stage *self, struct request *req, enum request_status status)
{
    load_finish(self, req, status);
}

static struct distribution gap_at(int64_t rate)
{
    return distribution_exponential(rate > 0 ? 1000 * SIM_S / rate : SIM_DURATION_MAX);
}

static bool init(struct stage *self, struct error *err)
{
    (void)err;
    struct open_load *load = self->state;
    load->gap[0] = gap_at(load->rate);
    load->gap[1] = gap_at(load->rate_off);
    load->stay[0] = distribution_exponential(load->on);
    load->stay[1] = distribution_exponential(load->off);
    load->state_end = 1 + stage_draw_own(self, &load->stay[0]);
    mix_declare(&load->mix, self);
    return true;
}

const struct model open_load_model = {
    .name = "open_load",
    .summary = "Open loop: requests come at a rate, whatever the answers take.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct open_load),
    .load = true,
    .init = init,
    .start = plan_next,
    .complete = complete,
};
