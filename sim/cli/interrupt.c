/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/interrupt.h"

#include <time.h>

void interrupt_block(struct interrupt *interrupt)
{
    sigemptyset(&interrupt->watched);
    const int signals[] = { SIGINT, SIGTERM };
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction action;
        /* Linux keeps a blocked signal even if it is ignored. */
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&interrupt->watched, signals[i]);
        }
    }
    pthread_sigmask(SIG_BLOCK, &interrupt->watched, &interrupt->before);
}

bool interrupt_is_pending(const struct interrupt *interrupt)
{
    sigset_t pending;
    sigpending(&pending);
    return (sigismember(&pending, SIGINT) == 1 && sigismember(&interrupt->watched, SIGINT) == 1) ||
           (sigismember(&pending, SIGTERM) == 1 && sigismember(&interrupt->watched, SIGTERM) == 1);
}

void interrupt_release(struct interrupt *interrupt)
{
    const struct timespec none = { 0 };
    while (sigtimedwait(&interrupt->watched, NULL, &none) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}
