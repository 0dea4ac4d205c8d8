/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/directory.h"

static int64_t name_length(const struct directory *directory, int64_t position)
{
    if (position >= directory->files) {
        return 1 + position - directory->files; /* `.`, then `..` */
    }
    int64_t length = directory->name + 1;
    for (int64_t number = directory->files - 1 - position; number >= 10; number /= 10) {
        length++;
    }
    return length;
}

int64_t directory_init(struct directory *directory, int64_t overhead_bytes, struct arena *arena)
{
    int64_t longest = 0;
    directory->count = directory->files + 2;
    directory->bytes_before = arena_array(arena, (size_t)directory->count + 1, sizeof(int64_t));
    for (int64_t i = 0; i < directory->count; i++) {
        int64_t bytes = overhead_bytes + name_length(directory, i);
        directory->bytes_before[i + 1] = directory->bytes_before[i] + bytes;
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

static int64_t bytes_of(const struct directory *directory, int64_t first, int64_t end)
{
    return directory->bytes_before[end] - directory->bytes_before[first];
}

bool directory_goes_on(const struct directory *directory, int64_t first, int64_t next,
                       int64_t room_bytes)
{
    return next < directory->count && bytes_of(directory, first, next + 1) <= room_bytes;
}

sim_time directory_read(struct directory *directory, int64_t position)
{
    int64_t visits = directory->nsquare ? position : 0;
    directory->visits += visits;
    return visits * directory->step + (position < directory->count ? directory->read : 0);
}

void directory_replied(struct directory *directory, int64_t first, int64_t end)
{
    directory->replies++;
    directory->entries += end - first;
    directory->bytes += bytes_of(directory, first, end);
}

void directory_report(const struct directory *directory, struct report *report)
{
    report_count(report, "requests", directory->replies);
    report_count(report, "entries", directory->entries);
    report_count(report, "bytes", directory->bytes);
    report_count(report, "visits", directory->visits);
}
