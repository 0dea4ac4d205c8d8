/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/finding.h"

#include <string.h>

void findings_init(struct findings *findings, struct arena *arena)
{
    *findings = (struct findings){ .arena = arena };
}

void findings_add(struct findings *findings, const struct finding *finding)
{
    if (findings->count == findings->capacity) {
        findings->capacity = 2 * findings->capacity + 16;
        struct finding *larger =
            arena_array(findings->arena, findings->capacity, sizeof(findings->items[0]));
        if (findings->count > 0) {
            memcpy(larger, findings->items, findings->count * sizeof(findings->items[0]));
        }
        findings->items = larger;
    }
    findings->items[findings->count++] = *finding;
}

enum outcome findings_outcome(const struct findings *findings)
{
    enum outcome worst = FINDING_PASSED;
    for (size_t i = 0; i < findings->count; i++) {
        enum outcome outcome = findings->items[i].outcome;
        worst = outcome > worst ? outcome : worst;
    }
    return worst == FINDING_IMPROVED ? FINDING_PASSED : worst;
}
