/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "Did you mean": offer every valid name once, in the order in which they should be listed, then
 * ask for the hint. Names are compared by their optimal-string-alignment distance (insertions,
 * deletions, substitutions, swaps of neighbours; upper and lower case are equal); a name is close
 * when that is at most 1 for words of up to 4 letters, 2 up to 8, and 3 beyond, and less than the
 * word's length.
 *
 *   struct suggest suggest;
 *   suggest_start(&suggest, word);
 *   for (size_t i = 0; i < count; i++) {
 *       suggest_offer(&suggest, table[i].name);
 *   }
 *   error_user(err, &place, "unknown parameter `%s`", word);
 *   return suggest_hint(&suggest, "parameters", err);
 */
#ifndef RINGTAIL_SIM_CONFIG_SUGGEST_H
#define RINGTAIL_SIM_CONFIG_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

/* Fill it with suggest_start; the texts belong to the caller and outlive it. */
struct suggest {
    const char *word;
    const char *best; /* the closest name so far, the first of equals; NULL: none is close */
    int distance;     /* of the best; at first one more than a close name may have */
    size_t offered;   /* names */
    size_t listed;    /* those of them that fitted into the list */
    size_t list_used;
    char list[256];
};

void suggest_start(struct suggest *suggest, const char *word);
void suggest_offer(struct suggest *suggest, const char *name);

/* Sets the hint of an error that is set already: "did you mean `depth`?", else "the WHAT are `a`,
 * `b` and 3 more", else "there are no WHAT". Returns false. */
bool suggest_hint(const struct suggest *suggest, const char *what, struct error *err);

#endif
