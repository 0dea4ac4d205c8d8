/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config/suggest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WORD_LENGTH_MAX = 64 }; /* longer ones are close to nothing */

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The row-by-row form: row i holds the distances from the first i letters of `a` to every beginning
 * of `b`. A swap looks two rows back. Both are at most WORD_LENGTH_MAX long. */
static int distance(const char *a, const char *b)
{
    int a_length = (int)strlen(a);
    int b_length = (int)strlen(b);
    int rows[3][WORD_LENGTH_MAX + 1];
    for (int j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3];
        const int *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int cost = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + cost);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

void suggest_start(struct suggest *suggest, const char *word)
{
    size_t length = strlen(word);
    int close = length <= 4 ? 1 : length <= 8 ? 2 : 3;
    int at_most = least(close, (int)length - 1); /* with as many changes, any word becomes any */
    *suggest = (struct suggest){ .word = word, .distance = at_most + 1 };
}

static void list(struct suggest *suggest, const char *name)
{
    size_t room = sizeof(suggest->list) - suggest->list_used;
    bool is_whole = suggest->listed + 1 == suggest->offered; /* nothing was left out before it */
    size_t needed = strlen(name) + sizeof(", ``");
    if (is_whole && needed <= room) {
        int used = snprintf(suggest->list + suggest->list_used, room, "%s`%s`",
                            suggest->listed > 0 ? ", " : "", name);
        suggest->list_used += (size_t)used;
        suggest->listed++;
    }
}

void suggest_offer(struct suggest *suggest, const char *name)
{
    suggest->offered++;
    list(suggest, name);
    if (strlen(name) <= WORD_LENGTH_MAX && strlen(suggest->word) <= WORD_LENGTH_MAX) {
        int found = distance(suggest->word, name);
        if (found < suggest->distance) {
            suggest->distance = found;
            suggest->best = name;
        }
    }
}

bool suggest_hint(const struct suggest *suggest, const char *what, struct error *err)
{
    assert(err->kind != ERROR_NONE);
    if (suggest->best != NULL) {
        return error_hint(err, "did you mean `%s`?", suggest->best);
    }
    if (suggest->offered == 0) {
        return error_hint(err, "there are no %s", what);
    }
    if (suggest->listed < suggest->offered) {
        return error_hint(err, "the %s are %s and %zu more", what, suggest->list,
                          suggest->offered - suggest->listed);
    }
    return error_hint(err, "the %s are %s", what, suggest->list);
}
