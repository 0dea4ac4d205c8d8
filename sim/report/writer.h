/* SPDX-License-Identifier: Apache-2.0 */
/* The forms that a report can be written in. */
#ifndef RINGTAIL_SIM_REPORT_WRITER_H
#define RINGTAIL_SIM_REPORT_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/error.h"
#include "sim/run/result.h"

struct writer {
    const char *name;
    /* Point by point. False with the error when the result cannot be read to its end; write errors
     * are the stream's to remember. */
    bool (*write)(struct result *result, FILE *file, struct error *err);
    bool joins; /* several reports may follow each other */
};

/* The first is the usual one; NULL-terminated. */
extern const struct writer *const writers[];

/* NULL with the error, which lists the names. */
const struct writer *writer_find(const char *name, struct error *err);

#endif
