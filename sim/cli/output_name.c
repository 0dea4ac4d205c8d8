/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/output_name.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The experiment's file without its folder and without `.yaml`. */
static const char *stem_of(struct arena *arena, const char *file)
{
    static const char *const endings[] = { ".yaml", ".yml" };
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0) {
            return arena_strndup(arena, name, length - ending);
        }
    }
    return name;
}

const char *output_name(struct arena *arena, const struct run_line *line,
                        const struct experiment *experiment)
{
    bool in_folder = line->output != NULL && is_folder(line->output);
    if (!in_folder && (line->output != NULL || !run_line_is_part(line))) {
        return line->output;
    }
    const char *name = stem_of(arena, experiment->file);
    if (line->point > 0) {
        name = arena_printf(arena, "%s.point-%04" PRId64 "-of-%04zu", name, line->point,
                            experiment->point_count);
    }
    if (line->shard_count > 1) {
        name = arena_printf(arena, "%s.shard-%" PRId64 "-of-%" PRId64, name, line->shard,
                            line->shard_count);
    }
    return arena_printf(arena, "%s%s%s.jsonl", in_folder ? line->output : "", in_folder ? "/" : "",
                        name);
}
