/* SPDX-License-Identifier: Apache-2.0 */
#include "models/registry.h"

#include <string.h>

#include "sim/engine/model.h"

#define MODEL(name) extern const struct model name##_model;
#include "models/models.def"
#undef MODEL

#define MODEL(name) &name##_model,
const struct model *const models[] = {
#include "models/models.def"
};
#undef MODEL

const size_t model_count = ARRAY_LENGTH(models);

const struct model *model_find(const char *name)
{
    for (size_t i = 0; i < model_count; i++) {
        if (strcmp(models[i]->name, name) == 0) {
            return models[i];
        }
    }
    return NULL;
}
