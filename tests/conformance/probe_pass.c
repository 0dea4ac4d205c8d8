/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stage without callbacks: what the engine does by itself. `submit -> below`, `complete ->
 * above`.
 */
#include "sim/engine/model.h"

static const struct phase_info phases[] = { { .name = "inside" } };

const struct model probe_pass_model = {
    .name = "probe_pass",
    .summary = "Passes everything through.",
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
};
