/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/theory/virtio_fs_system.h"

#include "tests/theory/build.h"

#define WARMUP (10 * SIM_S)

sim_time virtio_fs_service(bool write)
{
    return write ? 19100 * SIM_NS : 17200 * SIM_NS;
}

int64_t virtio_fs_capacity(bool write)
{
    return 64 / (write ? 5 : 4);
}

static void fill(struct engine *engine, const void *context)
{
    const struct virtio_fs_system *setup = context;
    struct cpu *app = add_cpu(engine, "app", 1, distribution_exponential(20 * SIM_US));
    struct cpu *kworker = add_cpu(engine, "kworker", 1, distribution_constant(3 * SIM_US));
    struct stage *fio = add_stage(engine, "fio", "closed_load");
    set_value(fio, "depth", setup->depth);
    set_name(fio, "op", setup->write ? "write" : "read");
    set_cpu(fio, "cpu", app);
    set_value(fio, "submit", 2 * SIM_US);
    struct stage *queue = add_stage(engine, "queue", "virtio_fs");
    set_name(queue, "policy", setup->after ? "pending_list" : "timer_retry");
    set_cpu(queue, "cpu", kworker);
    set_value(queue, "hz", setup->hz > 0 ? setup->hz : 250);
    set_value(queue, "rotate", !setup->fifo);
    set_value(queue, "overtake", !setup->no_bypass);
    struct stage *disk = add_stage(engine, "disk", "device");
    sim_time half = virtio_fs_service(setup->write) / 2;
    set_distribution(disk, "service", distribution_plus(distribution_exponential(half), half));
    set_value(disk, "delay", 42 * SIM_US);
}

struct repeats *virtio_fs_run(const struct virtio_fs_system *setup, sim_time measure,
                              size_t repeats)
{
    return repeats_run(
        &(struct system){ fill, setup, { .warmup = WARMUP, .measure = measure }, 1, repeats });
}

double virtio_fs_percentile(const struct repeats *repeats, struct quantile quantile)
{
    return (double)histogram_quantile(&repeats->loads[0].clat.pooled, quantile) / (double)SIM_MS;
}

double virtio_fs_starved(const struct repeats *repeats)
{
    const struct histogram *lat = &repeats->loads[0].lat.pooled;
    return (double)histogram_count_above(lat, 2 * SIM_MS) / (double)lat->count;
}
