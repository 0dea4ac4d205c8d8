/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small models of the hard shapes, one file each. They include what a model may include, so they
 * also show that the engine's interface is enough for them. No experiment can name them.
 */
#ifndef RINGTAIL_TESTS_CONFORMANCE_PROBES_H
#define RINGTAIL_TESTS_CONFORMANCE_PROBES_H

#include "sim/engine/model.h"

#define PROBE(name) extern const struct model name##_model;
#include "tests/conformance/probes.def"
#undef PROBE

#endif
