/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expectations judged. A figure is judged by its interval over repeats: it passes when all of the
 * interval is within the limits, fails when all of it is outside, and is inconclusive when it
 * straddles a limit, when a percentile has too few requests above it, or when the system is
 * unstable.
 */
#ifndef RINGTAIL_SIM_RUN_JUDGE_H
#define RINGTAIL_SIM_RUN_JUDGE_H

#include "sim/run/finding.h"
#include "sim/run/result.h"

/* Judges the expectations of an experiment that hold at a point of its result, which is open. */
void judge_point(const struct experiment *experiment, const struct result *result, size_t point,
                 struct findings *findings);

#endif
