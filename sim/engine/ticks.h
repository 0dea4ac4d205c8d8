/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timers of a kernel with ticks: a timer for n ticks that is set during tick J fires at the start
 * of tick J + n + 1 (Linux, kernel/time/timer.c since v4.8), so what asks for 1 ms waits 4 to 8 ms
 * at 250 Hz.
 */
#ifndef RINGTAIL_SIM_ENGINE_TICKS_H
#define RINGTAIL_SIM_ENGINE_TICKS_H

#include <stdint.h>

#include "sim/base/time.h"

/* When a timer fires that is set at `now` for `delay`, at `hz` ticks a second since time 0; hz 0:
 * timers are exact. delay > 0. */
static inline sim_time ticks_expiry(int64_t hz, sim_time now, sim_time delay)
{
    if (hz == 0) {
        return now + delay;
    }
    sim_sum ticks = (delay * (sim_sum)hz + SIM_S - 1) / SIM_S;
    sim_sum current = now * (sim_sum)hz / SIM_S;
    return (sim_time)(((current + ticks + 1) * SIM_S + hz - 1) / hz);
}

#endif
