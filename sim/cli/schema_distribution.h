/* SPDX-License-Identifier: Apache-2.0 */
/* What the schema says of distributions; it names itself `#/definitions/distribution`. */
#ifndef RINGTAIL_SIM_CLI_SCHEMA_DISTRIBUTION_H
#define RINGTAIL_SIM_CLI_SCHEMA_DISTRIBUTION_H

#include <jansson.h>

/* Takes over `time`, the schema of a time. */
json_t *schema_distribution(json_t *time);

#endif
