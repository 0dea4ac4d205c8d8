/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of the plain test programs, in the Test Anything Protocol: a case is a call of tap_end,
 * and what failed in it is said in the lines before.
 */
#ifndef RINGTAIL_TESTS_CONFORMANCE_TAP_H
#define RINGTAIL_TESTS_CONFORMANCE_TAP_H

#include <stdbool.h>
#include <stdio.h>

struct tap {
    int cases;
    int failed;
    int faults; /* of the case that runs */
};

/* Says what should hold and does not; a case goes on. */
#define CHECK(tap, condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition) && (tap)->faults++ < 10) {                                                \
            printf("# %s:%d: not so: %s: ", __FILE__, __LINE__, #condition);                       \
            printf(__VA_ARGS__);                                                                   \
            putchar('\n');                                                                         \
        }                                                                                          \
    } while (0)

/* Ends a case. Returns whether it passed. */
static inline bool tap_end(struct tap *tap, const char *name)
{
    bool passed = tap->faults == 0;
    printf("%s %d - %s\n", passed ? "ok" : "not ok", ++tap->cases, name);
    tap->failed += !passed;
    tap->faults = 0;
    return passed;
}

/* Prints the plan; the exit status of the program. */
static inline int tap_exit(const struct tap *tap)
{
    printf("1..%d\n", tap->cases);
    return tap->failed > 0;
}

#endif
