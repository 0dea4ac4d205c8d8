/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measured virtio-fs system, as configs/virtio_fs_read.yaml and virtio_fs_write.yaml describe
 * it, built through the C API.
 *
 *   fio (cpu app) -> queue (cpu kworker) -> disk
 */
#ifndef RINGTAIL_TESTS_THEORY_VIRTIO_FS_SYSTEM_H
#define RINGTAIL_TESTS_THEORY_VIRTIO_FS_SYSTEM_H

#include <stdbool.h>

#include "tests/theory/repeats.h"

struct virtio_fs_system {
    int64_t depth;
    bool after; /* pending_list, else timer_retry */
    bool write;
    int64_t hz;     /* 0: the 250 that were measured */
    bool fifo;      /* a refused head stays the head */
    bool no_bypass; /* a newcomer joins those that wait */
};

/* Repeats of `measure` after 10 s: at time 0 all that the ring cannot hold waits at once. */
struct repeats *virtio_fs_run(const struct virtio_fs_system *setup, sim_time measure,
                              size_t repeats);

/* The disk's mean time for a request: 1 / rate once it is saturated. */
sim_time virtio_fs_service(bool write);
/* How many requests fit the ring: 64 descriptors, 4 a read, 5 a write. */
int64_t virtio_fs_capacity(bool write);

/* A percentile of clat in milliseconds, as fio prints it. */
double virtio_fs_percentile(const struct repeats *repeats, struct quantile quantile);
/* The share of the requests that waited more than 2 ms. */
double virtio_fs_starved(const struct repeats *repeats);

#endif
