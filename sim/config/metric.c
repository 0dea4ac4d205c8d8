/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/metric.h"

#include <string.h>

#include "sim/base/time.h"

enum { PERCENTILE_DECIMALS_MAX = 6 };

static const char *const ends[] = {
    [METRIC_LAT] = "lat",
    [METRIC_CLAT] = "clat",
    [METRIC_DELIVERED] = "delivered",
};

/* Names that stand alone. */
static const struct {
    const char *name;
    enum metric_kind kind;
} plain[] = {
    { "rate", METRIC_RATE },
    { "mean", METRIC_MEAN },
    { "max", METRIC_MAX },
    { "drops", METRIC_DROPS },
    { "unfinished", METRIC_UNFINISHED },
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* `p99.9` is 999 / 1000. Its digits beyond the point are at most PERCENTILE_DECIMALS_MAX, and it is
 * at most 100. */
static bool read_percentile(const char *text, struct quantile *quantile)
{
    struct quantile read = { 0, 100 };
    const char *c = text;
    if (*c++ != 'p' || !is_digit(*c)) {
        return false;
    }
    for (; is_digit(*c) && read.numerator <= 100; c++) {
        read.numerator = read.numerator * 10 + (uint64_t)(*c - '0');
    }
    if (*c == '.') {
        const char *point = c++;
        for (; is_digit(*c) && c - point <= PERCENTILE_DECIMALS_MAX; c++) {
            read.numerator = read.numerator * 10 + (uint64_t)(*c - '0');
            read.denominator *= 10;
        }
        if (c == point + 1) {
            return false;
        }
    }
    if (*c != '\0' || read.numerator > read.denominator) {
        return false;
    }
    *quantile = read;
    return true;
}

/* The names of a list, NULL-terminated places of which are cut out of `list`; false if one is
 * empty or there are too many. */
static bool split(char *list, char separator, struct metric *metric)
{
    for (;;) {
        char *end = strchr(list, separator);
        if (end != NULL) {
            *end = '\0';
        }
        if (*list == '\0' || metric->name_count == ARRAY_LENGTH(metric->names)) {
            return false;
        }
        metric->names[metric->name_count++] = list;
        if (end == NULL) {
            return true;
        }
        list = end + 1;
    }
}

/* Each name is STAGE:PHASE. */
static bool are_phases(const struct metric *metric)
{
    for (size_t i = 0; i < metric->name_count; i++) {
        const char *colon = strchr(metric->names[i], ':');
        if (colon == NULL || colon == metric->names[i] || colon[1] == '\0') {
            return false;
        }
    }
    return true;
}

/* What follows a word and a dot, NULL if the text does not begin with them. */
static char *after(char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == '.' ? text + length + 1 : NULL;
}

/* NAME at the end of a metric. */
static bool read_name(char *text, struct metric *metric)
{
    for (size_t i = 0; i < ARRAY_LENGTH(plain); i++) {
        if (strcmp(plain[i].name, text) == 0) {
            metric->kind = plain[i].kind;
            return true;
        }
    }
    if (read_percentile(text, &metric->quantile)) {
        metric->kind = METRIC_PERCENTILE;
        return true;
    }
    char *list;
    if ((list = after(text, "phase")) != NULL) {
        metric->kind = METRIC_PHASE;
        return split(list, '+', metric) && are_phases(metric);
    }
    if ((list = after(text, "share")) != NULL) {
        metric->kind = METRIC_SHARE;
        return split(list, '+', metric) && are_phases(metric);
    }
    if ((list = after(text, "counter")) != NULL) {
        metric->kind = METRIC_COUNTER;
        return split(list, '.', metric) && metric->name_count == 2;
    }
    if ((list = after(text, "utilisation")) != NULL) {
        metric->kind = METRIC_UTILISATION;
        metric->names[metric->name_count++] = list;
        return *list != '\0' && strchr(list, '.') == NULL;
    }
    return false;
}

static char *read_end(char *text, struct metric *metric)
{
    for (size_t i = 0; i < ARRAY_LENGTH(ends); i++) {
        char *rest = after(text, ends[i]);
        if (rest != NULL) {
            metric->end = (enum metric_end)i;
            return rest;
        }
    }
    return text;
}

/* A copy of the text without the part that `read_name` was not satisfied with. */
static bool read_metric(struct arena *arena, const char *text, struct metric *metric)
{
    struct metric start = *metric;
    char *rest = read_end(arena_strdup(arena, text), metric);
    if (read_name(rest, metric)) {
        return true;
    }
    char *load = arena_strdup(arena, text);
    char *dot = strchr(load, '.');
    if (dot == NULL || dot == load) {
        return false;
    }
    *dot = '\0';
    *metric = start;
    metric->load = load;
    return read_name(read_end(dot + 1, metric), metric) && metric->kind != METRIC_COUNTER &&
           metric->kind != METRIC_UTILISATION;
}

bool metric_parse(struct arena *arena, const char *text, const struct place *where,
                  struct metric *metric, struct error *err)
{
    struct metric read = { .text = arena_strdup(arena, text) };
    if (!read_metric(arena, text, &read)) {
        error_user(err, where, "`%.60s` is not a metric", text);
        return error_hint(err, "write [LOAD.][END.]NAME; END is lat, clat or delivered; NAME is "
                               "rate, mean, p99.9, max, drops, unfinished, phase.STAGE:PHASE, "
                               "share.STAGE:PHASE, counter.STAGE.NAME or utilisation.CPU");
    }
    *metric = read;
    return true;
}

bool metric_equals(const struct metric *a, const struct metric *b)
{
    bool same = a->kind == b->kind && a->end == b->end && a->name_count == b->name_count &&
                a->quantile.numerator * b->quantile.denominator ==
                    b->quantile.numerator * a->quantile.denominator &&
                (a->load == NULL || b->load == NULL || strcmp(a->load, b->load) == 0);
    for (size_t i = 0; same && i < a->name_count; i++) {
        same = strcmp(a->names[i], b->names[i]) == 0;
    }
    return same;
}
