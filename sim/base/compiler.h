/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hints for the compiler, where measured.
 */
#ifndef RINGTAIL_SIM_BASE_COMPILER_H
#define RINGTAIL_SIM_BASE_COMPILER_H

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Kept out of the hot functions that call it, whose registers it would use up. */
#define SLOW_PATH __attribute__((noinline, cold))

#endif
