/* SPDX-License-Identifier: Apache-2.0 */
/* Where in a JSON document something stands: parsers tell that of wrong syntax alone. */
#ifndef RINGTAIL_SIM_RUN_BASELINE_LINES_H
#define RINGTAIL_SIM_RUN_BASELINE_LINES_H

#include <stddef.h>
#include <stdint.h>

#define BASELINE_KEY SIZE_MAX /* no item: the key itself */

/* The line, from 1, of a key of the document's object, or of an item of the list that it names; 1
 * if there is none. The document is valid JSON. */
int baseline_line_of(const char *bytes, size_t size, const char *key, size_t item);

#endif
