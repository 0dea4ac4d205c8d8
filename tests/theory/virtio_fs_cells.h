/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depths of the virtio-fs system that were measured beyond the ring's capacity or at it, each run
 * before and after the patch, and what must hold for them: the measured figures, the shapes that
 * both have, the closed forms. The quick test and the long one differ in the length of the runs.
 */
#ifndef RINGTAIL_TESTS_THEORY_VIRTIO_FS_CELLS_H
#define RINGTAIL_TESTS_THEORY_VIRTIO_FS_CELLS_H

#include "tests/theory/virtio_fs_system.h"

/* The two sides are as long as they need: a starved request is rare. */
struct virtio_fs_lengths {
    sim_time before;
    size_t before_repeats;
    sim_time after;
    size_t after_repeats;
};

/* Runs all cells and checks them, a case each for every cell and kind of check. */
void virtio_fs_check_cells(struct tap *tap, const struct virtio_fs_lengths *lengths);

#endif
