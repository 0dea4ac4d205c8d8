/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As test_virtio_fs, with runs as long as the measured ones and eight repeats.
 */
#include "tests/theory/virtio_fs_cells.h"

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    virtio_fs_check_cells(&tap, &(struct virtio_fs_lengths){ 60 * SIM_S, 8, 60 * SIM_S, 8 });
    return tap_exit(&tap);
}
