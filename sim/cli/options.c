/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/options.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/config/suggest.h"

static int fail_unknown(const struct options *options, const char *word, struct error *err)
{
    size_t length = strcspn(word, "=");
    char name[64];
    size_t kept = length < sizeof(name) - 1 ? length : sizeof(name) - 1;
    memcpy(name, word, kept);
    name[kept] = '\0';
    struct suggest suggest;
    char names[16][64];
    suggest_start(&suggest, name);
    for (size_t i = 0; i < options->count && i < 16; i++) {
        names[i][0] = '-';
        names[i][1] = '-';
        size_t end = strlen(options->table[i].name);
        memcpy(names[i] + 2, options->table[i].name, end + 1);
        suggest_offer(&suggest, names[i]);
    }
    error_user(err, NULL, "unknown option `%s`", name);
    suggest_hint(&suggest, "options", err);
    return OPTIONS_ERROR;
}

/* The value stands behind the option or is the next word. */
static int take_value(struct options *options, int index, const char *attached, const char **value,
                      struct error *err)
{
    const struct option *option = &options->table[index];
    if (option->value == NULL) {
        *value = NULL;
        if (attached != NULL) {
            error_user(err, NULL, "option `--%s` takes no value", option->name);
            return OPTIONS_ERROR;
        }
        return index;
    }
    *value = attached != NULL ? attached : *options->words;
    if (*value == NULL) {
        error_user(err, NULL, "option `--%s` needs a value", option->name);
        error_hint(err, "--%s %s", option->name, option->value);
        return OPTIONS_ERROR;
    }
    options->words += attached == NULL;
    return index;
}

static int take_long(struct options *options, const char *word, const char **value,
                     struct error *err)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < options->count; i++) {
        const char *known = options->table[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            const char *attached = name[length] == '=' ? name + length + 1 : NULL;
            return take_value(options, (int)i, attached, value, err);
        }
    }
    return fail_unknown(options, word, err);
}

static int take_short(struct options *options, const char *word, const char **value,
                      struct error *err)
{
    for (size_t i = 0; i < options->count; i++) {
        if (options->table[i].letter == word[1]) {
            return take_value(options, (int)i, word[2] == '\0' ? NULL : word + 2, value, err);
        }
    }
    return fail_unknown(options, word, err);
}

int options_next(struct options *options, const char **value, struct error *err)
{
    const char *word = *options->words;
    if (word == NULL) {
        return OPTIONS_END;
    }
    options->words++;
    if (!options->ended && strcmp(word, "--") == 0) {
        options->ended = true;
        return options_next(options, value, err);
    }
    if (options->ended || word[0] != '-' || word[1] == '\0') {
        *value = word;
        return OPTIONS_OPERAND;
    }
    return word[1] == '-' ? take_long(options, word, value, err)
                          : take_short(options, word, value, err);
}

bool options_read(const struct option *table, size_t count, char **words, options_take *take,
                  void *context, struct error *err)
{
    struct options reader = { table, count, words, false };
    const char *value;
    int index;
    while ((index = options_next(&reader, &value, err)) != OPTIONS_END) {
        if (index == OPTIONS_ERROR || !take(context, index, value, err)) {
            return false;
        }
    }
    return true;
}

bool options_count(const char *option, const char *text, int64_t min, int64_t max, int64_t *count,
                   struct error *err)
{
    enum units_result result = units_parse(UNITS_COUNT, text, min, max, count);
    if (result == UNITS_OK) {
        return true;
    }
    const struct place where = { .file = option };
    return units_error(result, UNITS_COUNT, text, min, max, &where, err);
}
