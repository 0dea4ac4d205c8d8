/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/options.h"

static const char slurm[] = "SLURM_ARRAY_TASK_ID";
static const char kubernetes[] = "JOB_COMPLETION_INDEX";

static const char *told(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

static bool read_auto(int64_t *point, struct error *err)
{
    const char *task = told(slurm);
    const char *index = told(kubernetes);
    if (task != NULL && index != NULL) {
        error_user(err, NULL, "`--point auto`: both %s and %s are set", slurm, kubernetes);
        return error_hint(err, "unset the one that does not say which point, or write `--point K`");
    }
    if (task != NULL) {
        return options_count(slurm, task, 1, EXPERIMENT_POINTS_MAX, point, err);
    }
    if (index == NULL) {
        error_user(err, NULL, "`--point auto`: neither %s nor %s is set", slurm, kubernetes);
        return error_hint(err, "write `--point K`; `ringtail plan FILE` lists the points");
    }
    int64_t from_zero = 0;
    if (!options_count(kubernetes, index, 0, EXPERIMENT_POINTS_MAX - 1, &from_zero, err)) {
        return false;
    }
    *point = from_zero + 1;
    return true;
}

bool point_read(const char *text, int64_t *point, struct error *err)
{
    return strcmp(text, "auto") == 0
               ? read_auto(point, err)
               : options_count("--point", text, 1, EXPERIMENT_POINTS_MAX, point, err);
}

bool point_check(int64_t point, const struct experiment *experiment, struct error *err)
{
    if (point <= (int64_t)experiment->point_count) {
        return true;
    }
    const struct place where = { .file = "--point" };
    error_user(err, &where, "there is no point %" PRId64, point);
    return error_hint(err, "the sweep has %zu; `ringtail plan FILE` lists them",
                      experiment->point_count);
}
