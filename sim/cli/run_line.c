/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/run_line.h"

#include <string.h>

#include "sim/cli/point.h"
#include "sim/config/until.h"
#include "sim/run/run.h"

enum { QUICK_DIVISOR = 10, QUICK_REPEATS = 2, SHARDS_MAX = 100000 };

enum option_index {
    OUTPUT,
    FORMAT,
    SET,
    SEED,
    REPEATS,
    THREADS,
    QUICK,
    RESUME,
    SHARD,
    POINT,
    HELP
};

const struct option run_options[RUN_OPTION_COUNT] = {
    [OUTPUT] = { "output", 'o', "FILE",
                 "keep the result; until it is whole in FILE.part; in a "
                 "folder under a name of its own" },
    [FORMAT] = { "format", 0, "NAME", "of the report: text, csv or json" },
    [SET] = { "set", 0, "PATH=VALUE", "change a parameter, as in `queue.hz=1000`" },
    [SEED] = { "seed", 0, "N", "instead of the file's" },
    [REPEATS] = { "repeats", 0, "N", "instead of the file's" },
    [THREADS] = { "threads", 'j', "N", "runs at a time; as many as there are processors" },
    [QUICK] = { "quick", 0, NULL, "a tenth of warm-up and measure, 2 repeats: for a first look" },
    [RESUME] = { "resume", 0, NULL, "keep the runs that FILE.part or FILE has, make the others" },
    [SHARD] = { "shard", 0, "I/N", "the I-th of N parts of the runs, for `ringtail merge`" },
    [POINT] = { "point", 0, "K", "point K of the sweep alone, from 1; auto: of an array job" },
    [HELP] = { "help", 'h', NULL, "this text" },
};

static bool take_shard(const char *value, struct run_line *line, struct error *err)
{
    char first[24];
    const char *slash = strchr(value, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - value);
    if (length == 0 || length >= sizeof(first)) {
        error_user(err, NULL, "`--shard %.40s` is not of the form I/N", value);
        return error_hint(err, "`--shard 1/3`, `2/3` and `3/3` together are all runs");
    }
    memcpy(first, value, length);
    first[length] = '\0';
    return options_count("--shard", slash + 1, 1, SHARDS_MAX, &line->shard_count, err) &&
           options_count("--shard", first, 1, line->shard_count, &line->shard, err);
}

static bool take_operand(const char *value, struct run_line *line, struct error *err)
{
    if (line->file_count == RUN_FILES_MAX) {
        return error_user(err, NULL, "more than %d files", RUN_FILES_MAX);
    }
    line->files[line->file_count++] = value;
    return true;
}

static bool take_set(const char *value, struct run_line *line, struct error *err)
{
    if (line->set_count == RUN_SETS_MAX) {
        return error_user(err, NULL, "more than %d options --set", RUN_SETS_MAX);
    }
    line->sets[line->set_count++] = value;
    return true;
}

static bool take(void *context, int index, const char *value, struct error *err)
{
    struct run_line *line = context;
    switch (index) {
    case OPTIONS_OPERAND:
        return take_operand(value, line, err);
    case OUTPUT:
        line->output = value;
        return true;
    case FORMAT:
        line->writer = writer_find(value, err);
        return line->writer != NULL;
    case SET:
        return take_set(value, line, err);
    case SEED:
        return options_count("--seed", value, 0, INT64_MAX, &line->seed, err);
    case REPEATS:
        return options_count("--repeats", value, 1, EXPERIMENT_REPEATS_MAX, &line->repeats, err);
    case THREADS:
        return options_count("--threads", value, 1, RUN_THREADS_MAX, &line->threads, err);
    case QUICK:
        line->quick = true;
        return true;
    case RESUME:
        line->resume = true;
        return true;
    case SHARD:
        return take_shard(value, line, err);
    case POINT:
        return point_read(value, &line->point, err);
    case HELP:
        line->help = true;
        return true;
    default:
        return false;
    }
}

bool run_line_take(struct run_line *line, const char *option, const char *value, struct error *err)
{
    int index = OPTIONS_OPERAND;
    for (int i = 0; option != NULL && i < RUN_OPTION_COUNT; i++) {
        index = strcmp(run_options[i].name, option) == 0 ? i : index;
    }
    return take(line, index, value, err);
}

bool run_line_is_part(const struct run_line *line)
{
    return line->shard_count > 1 || line->point > 0;
}

bool run_line_check(const struct run_line *line, struct error *err)
{
    if (line->help) {
        return true;
    }
    if (line->file_count == 0) {
        error_user(err, NULL, "no experiment to run");
        return error_hint(err, "ringtail run FILE; `ringtail help run` lists the options");
    }
    bool kept = line->output != NULL || run_line_is_part(line);
    if (!kept && line->resume) {
        error_user(err, NULL, "`--resume` needs a result");
        return error_hint(err, "name it with `-o FILE`");
    }
    if (line->file_count > 1 && (kept || !line->writer->joins)) {
        error_user(err, NULL, "%s holds one experiment, and there are %zu",
                   kept ? "a result" : "this format", line->file_count);
        return error_hint(err, "run them one by one");
    }
    if (line->output != NULL && line->output[0] == '\0') {
        error_user(err, NULL, "the name of the result is empty");
        return error_hint(err, "-o FILE");
    }
    return true;
}

void run_line_init(struct run_line *line)
{
    *line = (struct run_line){
        .seed = -1,
        .threads = run_threads_default(),
        .writer = writers[0],
        .shard = 1,
        .shard_count = 1,
    };
}

bool run_line_read(char **words, struct run_line *line, struct error *err)
{
    struct run_line read;
    run_line_init(&read);
    if (!options_read(run_options, RUN_OPTION_COUNT, words, take, &read, err)) {
        return false;
    }
    *line = read;
    return run_line_check(line, err);
}

static void shorten(sim_time *time)
{
    *time = *time > QUICK_DIVISOR ? *time / QUICK_DIVISOR : *time;
}

bool run_line_apply(const struct run_line *line, struct experiment *experiment, struct error *err)
{
    struct engine_span *span = &experiment->span;
    if (line->quick) {
        experiment->quick = true;
        shorten(&span->warmup);
        if (span->requests > 0) {
            span->requests = (span->requests - 1) / QUICK_DIVISOR + 1;
        } else {
            shorten(&span->measure);
        }
        experiment->repeats =
            experiment->repeats < QUICK_REPEATS ? experiment->repeats : QUICK_REPEATS;
    }
    if (line->seed >= 0) {
        experiment->seed = (uint64_t)line->seed;
    }
    if (line->repeats > 0) {
        experiment->repeats = line->repeats;
    }
    if (line->quick || line->repeats > 0) {
        experiment->until = NULL;
    }
    if (experiment->until != NULL && run_line_is_part(line)) {
        const struct place where = experiment->until->place;
        error_user(err, &where, "a part of the runs cannot tell when `until` is reached");
        return error_hint(err, "say how many with `--repeats N`, the same for all parts");
    }
    return point_check(line->point, experiment, err);
}
