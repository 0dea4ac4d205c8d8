/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first line of a result: the experiment as it was run, enough to report from the result alone.
 */
#ifndef RINGTAIL_SIM_RUN_HEADER_JSON_H
#define RINGTAIL_SIM_RUN_HEADER_JSON_H

#include "sim/config/experiment_text.h"
#include "sim/run/field.h"

#define HEADER_FORMAT "ringtail result"

enum { HEADER_VERSION = 1 };

struct header {
    const struct experiment *experiment;
    const char *version; /* of the program */
    char hash[EXPERIMENT_HASH_BYTES];
};

json_t *header_json_of(const struct experiment *experiment);

/* Into the reader's arena. The experiment has all that a report shows, and its document; its
 * `measured` are figures, and no table or trace that it names is read. */
bool header_json_read(const struct field_reader *reader, const json_t *json, struct header *header);

#endif
