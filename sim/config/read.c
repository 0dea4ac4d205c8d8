/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/read.h"

#include <string.h>

#include "sim/config/suggest.h"

bool node_is_blank(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted && node->count == 0;
}

static const char *kind_noun(const struct node *node)
{
    return node->kind == NODE_SCALAR    ? "a single value"
           : node->kind == NODE_MAPPING ? "a mapping"
                                        : "a list";
}

const struct node *read_mapping(const struct node *node, const char *what, struct error *err)
{
    static const struct node empty = { .kind = NODE_MAPPING, .nodes = 1 };
    if (node_is_blank(node)) {
        return &empty;
    }
    if (node->kind != NODE_MAPPING) {
        error_user(err, &node->place, "%s is %s, and a mapping is needed", what, kind_noun(node));
        error_hint(err, "write `{key: value, ...}`, or one `key: value` a line below it");
        return NULL;
    }
    return node;
}

const struct node *read_list(const struct node *node, const char *what, struct error *err)
{
    if (node->kind != NODE_SEQUENCE) {
        error_user(err, &node->place, "%s is %s, and a list is needed", what, kind_noun(node));
        error_hint(err, "write `[one, two, ...]`, or one `- item` a line below it");
        return NULL;
    }
    return node;
}

const char *read_text(const struct node *node, const char *what, struct error *err)
{
    if (node->kind != NODE_SCALAR) {
        error_user(err, &node->place, "%s is %s, and one word is needed", what, kind_noun(node));
        error_hint(err, "put a text with brackets or commas in quotes");
        return NULL;
    }
    if (node->count == 0) {
        error_user(err, &node->place, "%s is empty", what);
        error_hint(err, "write its value, or remove the key");
        return NULL;
    }
    return node->text;
}

bool read_check_printable(const struct node *node, const char *what, struct error *err)
{
    for (const unsigned char *c = (const unsigned char *)node->text; *c != '\0'; c++) {
        bool c1 = c[0] == 0xc2 && c[1] < 0xa0; /* U+0080 to U+009F */
        if (*c < 0x20 || *c == 0x7f || c1) {
            error_user(err, &node->place, "%s has a line end or a control character in it", what);
            return error_hint(err, "write it on one line, without escapes");
        }
    }
    return true;
}

bool read_keys(const struct node *mapping, const char *const *keys, const char *what,
               struct error *err)
{
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *key = mapping->entries[i].key;
        struct suggest suggest;
        suggest_start(&suggest, key->text);
        size_t k = 0;
        while (keys[k] != NULL && strcmp(keys[k], key->text) != 0) {
            suggest_offer(&suggest, keys[k++]);
        }
        if (keys[k] == NULL) {
            error_user(err, &key->place, "unknown key `%.60s` in %s", key->text, what);
            return suggest_hint(&suggest, "keys here", err);
        }
    }
    return true;
}

const struct node *read_required(const struct node *mapping, const char *key, const char *what,
                                 struct error *err)
{
    const struct node *value = node_find(mapping, key);
    if (value == NULL) {
        error_user(err, &mapping->place, "`%s:` is missing in %s", key, what);
        error_hint(err, "add it");
    }
    return value;
}

bool read_blame(const struct place *where, struct error *err)
{
    if (err->line > 0) {
        return false;
    }
    struct error found = *err;
    *err = (struct error){ 0 };
    if (found.kind == ERROR_USER) {
        error_user(err, where, "`%.200s`: %.300s", found.file, found.message);
    } else {
        error_environment(err, where, "`%.200s`: %.300s", found.file, found.message);
    }
    return error_hint(err, "%s", found.hint);
}

static bool check_scalar(const struct node *node, const char *noun, struct error *err)
{
    if (node->kind != NODE_SCALAR) {
        error_user(err, &node->place, "%s stands where %s is needed", kind_noun(node), noun);
        return error_hint(err, "write a single value");
    }
    return true;
}

bool read_quantity(const struct node *node, enum units_quantity quantity, int64_t min, int64_t max,
                   int64_t *value, struct error *err)
{
    static const char *const nouns[] = {
        [UNITS_TIME] = "a time",         [UNITS_SIZE] = "a size",
        [UNITS_RATE] = "a rate",         [UNITS_COUNT] = "a count",
        [UNITS_BIT_RATE] = "a bit rate", [UNITS_RATIO] = "a decimal number",
    };
    if (!check_scalar(node, nouns[quantity], err)) {
        return false;
    }
    enum units_result result = units_parse(quantity, node->text, min, max, value);
    return result == UNITS_OK ||
           units_error(result, quantity, node->text, min, max, &node->place, err);
}

bool read_number(const struct node *node, bool above, double min, double max, double *value,
                 struct error *err)
{
    double number = 0;
    if (!check_scalar(node, "a number", err)) {
        return false;
    }
    enum units_result result = units_parse_real(UNITS_NUMBER, node->text, &number);
    if (result != UNITS_OK) {
        return units_error(result, UNITS_NUMBER, node->text, 0, 0, &node->place, err);
    }
    bool small = above ? number <= min : number < min;
    if (small || number > max) {
        error_user(err, &node->place, "`%.60s` is too %s", node->text, small ? "small" : "large");
        return error_hint(err, "write %s %g and at most %.15g", above ? "more than" : "at least",
                          min, max);
    }
    *value = number;
    return true;
}
