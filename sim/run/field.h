/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of a JSON object, one by one: each must be there, of its type and in its range, else
 * the error names it and the line. Integers beyond 2^53 are decimal strings, because most readers
 * of JSON round them.
 */
#ifndef RINGTAIL_SIM_RUN_FIELD_H
#define RINGTAIL_SIM_RUN_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/time.h"

/* Who reads: texts are copied into the arena. */
struct field_reader {
    struct arena *arena;
    struct place where;
    struct error *err;
    const char *hint; /* of errors; NULL: that of results */
};

/* An integer of any size; the second returns false for what is none. */
json_t *field_json_of(sim_sum value);
bool field_of_json(const json_t *json, sim_sum *value);

/* The line is damaged; says how. Returns false. */
bool field_error(const struct field_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool field_sum(const struct field_reader *reader, const json_t *object, const char *key,
               sim_sum min, sim_sum max, sim_sum *value);
bool field_count(const struct field_reader *reader, const json_t *object, const char *key,
                 uint64_t *value);
/* Not negative. */
bool field_time(const struct field_reader *reader, const json_t *object, const char *key,
                sim_time *value);
bool field_bool(const struct field_reader *reader, const json_t *object, const char *key,
                bool *value);

/* NULL with the error. */
const char *field_text(const struct field_reader *reader, const json_t *object, const char *key);
const json_t *field_array(const struct field_reader *reader, const json_t *object, const char *key);
const json_t *field_object(const struct field_reader *reader, const json_t *object,
                           const char *key);

#endif
