/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/baseline_differences.h"

#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"

struct list {
    struct arena *arena;
    const char **texts;
    size_t count;
};

/* Unless both are equal. */
static void add(struct list *list, const char *what, const char *before, const char *after)
{
    if (strcmp(before, after) != 0) {
        list->texts[list->count++] = arena_printf(list->arena, "%s %s -> %s", what, before, after);
    }
}

static void add_count(struct list *list, const char *what, uint64_t before, uint64_t after)
{
    add(list, what, arena_printf(list->arena, "%" PRIu64, before),
        arena_printf(list->arena, "%" PRIu64, after));
}

static const char *time_text(struct arena *arena, sim_time time)
{
    char text[UNITS_TEXT_BYTES];
    units_format_exact(UNITS_TIME, time, text, sizeof(text));
    return arena_strdup(arena, text);
}

static void add_time(struct list *list, const char *what, sim_time before, sim_time after)
{
    add(list, what, time_text(list->arena, before), time_text(list->arena, after));
}

static const char *measure_text(struct arena *arena, const struct engine_span *span)
{
    return span->requests > 0 ? arena_printf(arena, "%" PRIu64 " requests", span->requests)
                              : time_text(arena, span->measure);
}

static const char *drain_text(struct arena *arena, const struct baseline *baseline)
{
    return baseline->drains_fully ? "until nothing is in flight"
                                  : time_text(arena, baseline->span.drain);
}

/* Both are sorted. */
static void add_parameters(struct list *list, const struct parameters *before,
                           const struct parameters *after)
{
    for (size_t i = 0, j = 0; i < before->count || j < after->count;) {
        const struct parameter *a = i < before->count ? &before->items[i] : NULL;
        const struct parameter *b = j < after->count ? &after->items[j] : NULL;
        int order = a == NULL ? 1 : b == NULL ? -1 : parameter_order(a, b);
        const struct parameter *named = order <= 0 ? a : b;
        const char *what = named->variant[0] == '\0'
                               ? named->path
                               : arena_printf(list->arena, "%s: %s", named->variant, named->path);
        add(list, what, order <= 0 ? a->text : "(not there)", order >= 0 ? b->text : "(not there)");
        i += order <= 0;
        j += order >= 0;
    }
}

struct differences baseline_differences(struct arena *arena, const struct baseline *before,
                                        const struct baseline *after)
{
    enum { HEAD_MAX = 16 };
    size_t most = HEAD_MAX + before->parameters.count + after->parameters.count;
    struct list list = { .arena = arena, .texts = arena_array(arena, most, sizeof(char *)) };
    add(&list, "ringtail", before->version, after->version);
    size_t version = list.count;
    add(&list, "title", before->title, after->title);
    size_t title = list.count - version;
    add_count(&list, "seed", before->seed, after->seed);
    add_count(&list, "repeats", before->repeats, after->repeats);
    add_time(&list, "warmup", before->span.warmup, after->span.warmup);
    add(&list, "measure", measure_text(arena, &before->span), measure_text(arena, &after->span));
    add(&list, "drain", drain_text(arena, before), drain_text(arena, after));
    add_parameters(&list, &before->parameters, &after->parameters);
    if (list.count == version + title && strcmp(before->hash, after->hash) != 0) {
        list.texts[list.count++] =
            "the points of the sweep, a file of values or the order in which "
            "the experiment is written";
    }
    return (struct differences){ list.texts, list.count };
}

bool baseline_has_lengths(const struct baseline *before, const struct baseline *after)
{
    const struct engine_span *a = &before->span;
    const struct engine_span *b = &after->span;
    bool drains = before->drains_fully == after->drains_fully &&
                  (before->drains_fully || a->drain == b->drain);
    bool measures = a->requests == b->requests && (a->requests > 0 || a->measure == b->measure);
    return measures && drains && a->warmup == b->warmup;
}
