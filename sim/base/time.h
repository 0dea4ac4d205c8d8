/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulated time: signed 64-bit picoseconds, for instants and for durations. The range is 106 days,
 * and costs such as 36.6 ns or 0.31 us are exact enough. Sums of times are 128 bits wide.
 */
#ifndef RINGTAIL_SIM_BASE_TIME_H
#define RINGTAIL_SIM_BASE_TIME_H

#include <stdint.h>

typedef int64_t sim_time;
typedef __int128 sim_sum;

#define SIM_PS ((sim_time)1)
#define SIM_NS ((sim_time)1000)
#define SIM_US ((sim_time)1000 * SIM_NS)
#define SIM_MS ((sim_time)1000 * SIM_US)
#define SIM_S ((sim_time)1000 * SIM_MS)

/* Later than anything that happens. Durations are at most SIM_DURATION_MAX, so that an instant plus
 * a duration cannot overflow. */
#define SIM_NEVER INT64_MAX
#define SIM_DURATION_MAX (INT64_MAX / 4)

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
