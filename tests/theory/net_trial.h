/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A network system step by step: built in a test, run up to an instant, and what its stages counted
 * until then compared with what must be.
 */
#ifndef RINGTAIL_TESTS_THEORY_NET_TRIAL_H
#define RINGTAIL_TESTS_THEORY_NET_TRIAL_H

#include "sim/engine/engine.h"
#include "tests/conformance/tap.h"

/* A frame of 298 bytes at 1 Mbit/s. */
#define PACKET (2384 * SIM_US)

struct trial {
    struct tap *tap;
    struct arena *arena;
    struct engine *engine;
};

/* Ends with `end`; between them stages are added. */
struct trial begin(struct tap *tap);
/* Loads send until `measure`; what they sent may go on. */
void start(struct trial *trial, sim_time measure);
void end(struct trial *trial, const char *name);

/* What the stage has counted so far. */
int64_t counted(const struct trial *trial, const char *owner, const char *name);
void expect(const struct trial *trial, const char *owner, const char *name, int64_t value);
/* All events up to and including `when` have happened. */
void expect_at(struct trial *trial, sim_time when, const char *owner, const char *name,
               int64_t value);

/* Writes, evenly spaced. */
struct stage *add_load(struct engine *engine, const char *name, int64_t per_second,
                       int64_t size_bytes);
/* Called netem. */
struct stage *add_link(struct engine *engine, int64_t bits_per_second, int64_t limit);

#endif
