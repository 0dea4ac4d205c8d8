/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the virtio-fs mechanism taken away one at a time, or another clock: each changes the
 * result as the mechanism says, so each matters.
 */
#include "tests/theory/build.h"
#include "tests/theory/virtio_fs_system.h"

static double attempts_per_second(const struct repeats *repeats)
{
    return (double)reported(&repeats->report, "queue", "attempts") / repeats->seconds;
}

/* A refused head that stays the head: the list becomes a plain FIFO, and far too good. */
static void check_fifo(struct tap *tap)
{
    struct repeats *before =
        virtio_fs_run(&(struct virtio_fs_system){ .depth = 64 }, 40 * SIM_S, 1);
    struct repeats *after = virtio_fs_run(
        &(struct virtio_fs_system){ .depth = 64, .after = true, .fifo = true }, 20 * SIM_S, 1);
    double p999 = virtio_fs_percentile(after, P999);
    check_near(tap, "p99.9 after", p999, 1.5, 0.1);
    double ratio = virtio_fs_percentile(before, P999) / p999;
    CHECK(tap, ratio > 200, "ratio %.0f", ratio);
    repeats_destroy(before);
    repeats_destroy(after);
    tap_end(tap, "a refused head stays the head");
}

/* Newcomers that join the list: before the patch, the timer alone fills the ring. */
static void check_no_bypass(struct tap *tap)
{
    struct virtio_fs_system setup = { .depth = 64, .no_bypass = true };
    struct repeats *before = virtio_fs_run(&setup, 20 * SIM_S, 1);
    double capacity = (double)virtio_fs_capacity(false);
    check_near(tap, "rate", repeats_rate(before, 0), capacity * 250 / 2, 0.01);
    repeats_destroy(before);
    tap_end(tap, "newcomers join the list");
}

/* Ticks decide who starves and for how long. At 1000 of them the wait varies less than an
 * exponential one, so p99.9, 150 ms, is a fifth below the closed form (n / r) ln x. */
static void check_hz(struct tap *tap)
{
    struct virtio_fs_system setup = { .depth = 64, .hz = 1000 };
    struct repeats *fast = virtio_fs_run(&setup, 80 * SIM_S, 1);
    double p999 = virtio_fs_percentile(fast, P999);
    CHECK(tap, p999 > 145 && p999 < 240, "p99.9 is %.1f ms", p999);
    check_near(tap, "share that starves", virtio_fs_starved(fast), 0.01, 0.1);
    check_near(tap, "attempts a second", attempts_per_second(fast), 500, 0.01);
    repeats_destroy(fast);
    tap_end(tap, "1000 ticks a second");

    setup.hz = 100;
    struct repeats *slow = virtio_fs_run(&setup, 60 * SIM_S, 1);
    check_near(tap, "share that starves", virtio_fs_starved(slow), 0.001, 0.15);
    check_near(tap, "attempts a second", attempts_per_second(slow), 50, 0.01);
    repeats_destroy(slow);
    tap_end(tap, "100 ticks a second");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    check_fifo(&tap);
    check_no_bypass(&tap);
    check_hz(&tap);
    return tap_exit(&tap);
}
