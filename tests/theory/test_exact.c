/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Systems without chance, of which every latency is known: latency counts from when a request was
 * due (coordinated omission), and more work than a device can do.
 */
#include <inttypes.h>

#include "tests/theory/build.h"
#include "tests/theory/repeats.h"

/* ---- One slow request. ---- */

enum { SLOW_ONE = 500 };

struct hiccup {
    sim_time free_at;
};

static void on_done(struct stage *self, struct request *req)
{
    stage_complete_above(self, req, REQUEST_DONE);
}

/* One server, 1 ms each; one request takes a second. */
static void submit(struct stage *self, struct request *req)
{
    struct hiccup *hiccup = self->state;
    sim_time now = stage_now(self);
    sim_time begin = now > hiccup->free_at ? now : hiccup->free_at;
    hiccup->free_at = begin + (req->number == SLOW_ONE ? SIM_S : SIM_MS);
    stage_at(self, hiccup->free_at, req, on_done);
}

static const struct phase_info phases[] = { { .name = "service" } };

static const struct model hiccup_model = {
    .name = "hiccup",
    .summary = "A server that stalls once.",
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct hiccup),
    .bottom = true,
    .submit = submit,
};

static void fill_open(struct engine *engine, const void *setup)
{
    (void)setup;
    struct stage *load = add_stage(engine, "load", "open_load");
    set_name(load, "arrivals", "constant");
    set_value(load, "rate", 100 * 1000);
    stack_add_stage(engine, "server", &hiccup_model);
}

/* Sends when the last answer is there, 9 ms later. */
static void fill_one_at_a_time(struct engine *engine, const void *setup)
{
    (void)setup;
    struct stage *load = add_stage(engine, "load", "closed_load");
    set_value(load, "think", 9 * SIM_MS);
    stack_add_stage(engine, "server", &hiccup_model);
}

/* A percentile of a histogram, which knows it to one bucket. */
static void check_rank(struct tap *tap, const struct histogram *histogram, struct quantile quantile,
                       double expected_ms)
{
    double value_ms = (double)histogram_quantile(histogram, quantile) / (double)SIM_MS;
    CHECK(tap, value_ms >= expected_ms && value_ms <= expected_ms * (1 + 1.0 / 1024),
          "p%g is %.6g ms where %.6g are expected",
          100 * (double)quantile.numerator / (double)quantile.denominator, value_ms, expected_ms);
}

static void check_mean_us(struct tap *tap, const struct histogram *histogram, int64_t expected_us)
{
    CHECK(tap, histogram->sum == (sim_sum)expected_us * SIM_US * (sim_sum)histogram->count,
          "the mean is %.6f us", histogram_mean(histogram) / (double)SIM_US);
}

static void check_coordinated_omission(struct tap *tap)
{
    struct repeats *repeats = repeats_run(
        &(struct system){ fill_open, NULL, { .measure = 10 * SIM_S, .drain = SIM_S }, 1, 1 });
    const struct histogram *lat = &repeats->loads[0].lat.pooled;
    CHECK(tap, lat->count == 1000, "%" PRIu64 " requests", lat->count);
    check_mean_us(tap, lat, 56944);
    check_rank(tap, lat, P50, 1);
    check_rank(tap, lat, (struct quantile){ 90, 100 }, 100);
    check_rank(tap, lat, (struct quantile){ 95, 100 }, 550);
    check_rank(tap, lat, P99, 910);
    check_rank(tap, lat, P999, 991);
    CHECK(tap, lat->max == SIM_S, "max %" PRId64, lat->max);
    CHECK(tap, histogram_count_above(lat, SIM_MS) == 111, "late ones");
    repeats_destroy(repeats);
    tap_end(tap, "latency from when a request was due");

    repeats = repeats_run(&(struct system){
        fill_one_at_a_time, NULL, { .measure = 11 * SIM_S, .drain = SIM_S }, 1, 1 });
    lat = &repeats->loads[0].lat.pooled;
    CHECK(tap, lat->count == 1000, "%" PRIu64 " requests", lat->count);
    check_mean_us(tap, lat, 1999);
    check_rank(tap, lat, P999, 1);
    CHECK(tap, lat->max == SIM_S, "max %" PRId64, lat->max);
    CHECK(tap, histogram_count_above(lat, SIM_MS) == 1, "late ones");
    repeats_destroy(repeats);
    tap_end(tap, "latency from the actual send");
}

/* ---- More work than the device can do. ---- */

/* 1000 requests a second at a device that takes 1.25 ms: request k takes 1.25 + 0.25 k ms. */
static void fill_overload(struct engine *engine, const void *setup)
{
    (void)setup;
    struct stage *load = add_stage(engine, "load", "open_load");
    set_name(load, "arrivals", "constant");
    set_value(load, "rate", 1000 * 1000);
    struct stage *device = add_stage(engine, "device", "device");
    set_value(device, "service", 1250 * SIM_US);
}

static void check_drained(struct tap *tap, const char *name, sim_time measure, double scale)
{
    struct repeats *repeats = repeats_run(
        &(struct system){ fill_overload, NULL, { .measure = measure, .drain = 60 * SIM_S }, 1, 1 });
    const struct load_repeats *load = &repeats->loads[0];
    const struct histogram *lat = &load->lat.pooled;
    double count = 60000 * scale;
    CHECK(tap, (double)lat->count == count && load->unfinished == 0, "%" PRIu64 " are done",
          lat->count);
    check_rank(tap, lat, P50, 1 + count * 0.125);
    check_rank(tap, lat, (struct quantile){ 95, 100 }, 1 + count * 0.2375);
    check_rank(tap, lat, P99, 1 + count * 0.2475);
    check_rank(tap, lat, P999, 1 + count * 0.24975);
    CHECK(tap, lat->max == SIM_MS + (sim_time)count * 250 * SIM_US, "max %" PRId64, lat->max);
    repeats_destroy(repeats);
    tap_end(tap, name);
}

static void check_stopped(struct tap *tap)
{
    struct repeats *repeats =
        repeats_run(&(struct system){ fill_overload, NULL, { .measure = 60 * SIM_S }, 1, 1 });
    const struct load_repeats *load = &repeats->loads[0];
    const struct histogram *lat = &load->lat.pooled;
    CHECK(tap, lat->count == 48000 && load->unfinished == 12000, "%" PRIu64 " are done",
          lat->count);
    check_rank(tap, lat, P50, 6001);
    check_rank(tap, lat, P99, 11881);
    CHECK(tap, lat->max == 12001 * SIM_MS, "max %" PRId64, lat->max);
    repeats_destroy(repeats);
    tap_end(tap, "overload, stopped");
}

int main(void)
{
    struct tap tap = { 0 };
    check_coordinated_omission(&tap);
    check_drained(&tap, "overload, drained", 60 * SIM_S, 1);
    check_drained(&tap, "overload, drained, twice as long", 120 * SIM_S, 2);
    check_stopped(&tap);
    return tap_exit(&tap);
}
