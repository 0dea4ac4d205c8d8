/* SPDX-License-Identifier: Apache-2.0 */
/*
 * virtio_fs against what was measured, its shapes and its closed forms: tests/theory/
 * virtio_fs_cells.h says what. And where the ring is never full, there is no difference.
 */
#include <inttypes.h>

#include "tests/theory/build.h"
#include "tests/theory/virtio_fs_cells.h"

static bool equal(const struct histogram *a, const struct histogram *b)
{
    return a->count == b->count && a->sum == b->sum && a->min == b->min && a->max == b->max &&
           memcmp(a->counts, b->counts, HISTOGRAM_BUCKETS * sizeof(a->counts[0])) == 0;
}

struct shallow {
    int64_t depth;
    bool write;
    double mean; /* as measured before, in microseconds; 0: not measured */
};

static void check_shallow(struct tap *tap, const struct shallow *shallow)
{
    struct virtio_fs_system setup = { .depth = shallow->depth, .write = shallow->write };
    struct repeats *before = virtio_fs_run(&setup, 4 * SIM_S, 1);
    setup.after = true;
    struct repeats *after = virtio_fs_run(&setup, 4 * SIM_S, 1);
    const struct load_repeats *a = &before->loads[0];
    const struct load_repeats *b = &after->loads[0];
    CHECK(tap, equal(&a->lat.pooled, &b->lat.pooled) && equal(&a->clat.pooled, &b->clat.pooled),
          "depth %" PRId64 ": before and after differ", shallow->depth);
    CHECK(tap, reported(&before->report, "queue", "parked") == 0, "depth %" PRId64 ": parked",
          shallow->depth);
    if (shallow->mean > 0) {
        check_near(tap, "mean", repeats_mean(before, 0) / (double)SIM_US, shallow->mean, 0.3);
    }
    repeats_destroy(before);
    repeats_destroy(after);
}

static void check_one_too_deep(struct tap *tap, bool write)
{
    struct virtio_fs_system setup = { .depth = virtio_fs_capacity(write) + 1, .write = write };
    struct repeats *repeats = virtio_fs_run(&setup, SIM_S, 1);
    CHECK(tap, reported(&repeats->report, "queue", "parked") > 0, "the ring holds one more");
    repeats_destroy(repeats);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct tap tap = { 0 };
    const struct shallow shallow[] = {
        { 1, false, 86.64 },  { 2, false, 89.10 }, { 4, false, 121.41 },
        { 8, false, 146.47 }, { 16, false, 0 },    { 12, true, 0 },
    };
    for (size_t i = 0; i < ARRAY_LENGTH(shallow); i++) {
        check_shallow(&tap, &shallow[i]);
    }
    check_one_too_deep(&tap, false);
    check_one_too_deep(&tap, true);
    tap_end(&tap, "depths up to the capacity: no difference");
    virtio_fs_check_cells(&tap, &(struct virtio_fs_lengths){ 60 * SIM_S, 1, 20 * SIM_S, 1 });
    return tap_exit(&tap);
}
