/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/writer.h"

#include <string.h>

#include "sim/config/suggest.h"
#include "sim/report/csv_report.h"
#include "sim/report/json_report.h"
#include "sim/report/text_report.h"

static const struct writer text_writer = { "text", text_report_write, true };
static const struct writer csv_writer = { "csv", csv_report_write, false };
static const struct writer json_writer = { "json", json_report_write, false };

const struct writer *const writers[] = { &text_writer, &csv_writer, &json_writer, NULL };

const struct writer *writer_find(const char *name, struct error *err)
{
    struct suggest suggest;
    suggest_start(&suggest, name);
    for (size_t i = 0; writers[i] != NULL; i++) {
        if (strcmp(writers[i]->name, name) == 0) {
            return writers[i];
        }
        suggest_offer(&suggest, writers[i]->name);
    }
    error_user(err, NULL, "there is no format `%.40s`", name);
    suggest_hint(&suggest, "formats", err);
    return NULL;
}
