/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a load sends: reads, writes or a mix of both, of one size. Loads share these parameters.
 */
#ifndef RINGTAIL_SIM_ENGINE_MIX_H
#define RINGTAIL_SIM_ENGINE_MIX_H

#include <stdint.h>

#include "sim/engine/param.h"
#include "sim/engine/request.h"

struct mix {
    int64_t op;        /* index into mix_ops */
    int64_t rwmixread; /* percent, with op mix */
    int64_t size;      /* bytes */
};

extern const char *const mix_ops[]; /* read, write, mix, NULL */

/* The three lines of a load's parameter table. */
#define PARAMS_MIX(type, field)                                                                    \
    { .kind = PARAM_KIND_CHOICE,                                                                   \
      .name = "op",                                                                                \
      .offset = offsetof(type, field.op),                                                          \
      .choices = mix_ops,                                                                          \
      .doc = "What is sent." },                                                                    \
        { .kind = PARAM_KIND_COUNT,                                                                \
          .name = "rwmixread",                                                                     \
          .offset = offsetof(type, field.rwmixread),                                               \
          .max = 100,                                                                              \
          .preset = 50,                                                                            \
          .doc = "With op mix: percentage of reads (fio's word)." },                               \
    {                                                                                              \
        .kind = PARAM_KIND_SIZE, .name = "size", .offset = offsetof(type, field.size), .min = 1,   \
        .max = INT64_C(1) << 40, .preset = 4096, .doc = "Bytes of a request."                      \
    }

/* In a load's init. */
void mix_declare(const struct mix *mix, struct stage *load);

/* Gives a new request its op and size. A mix draws once. */
void mix_apply(const struct mix *mix, struct stage *load, struct request *req);

#endif
