/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C without a handler and without a global: the signal is blocked while runs are under way,
 * and they ask whether it is pending.
 */
#ifndef RINGTAIL_SIM_CLI_INTERRUPT_H
#define RINGTAIL_SIM_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

struct interrupt {
    sigset_t watched; /* SIGINT and SIGTERM, but for those that the caller ignores */
    sigset_t before;  /* the mask to be restored */
};

/* From here on the signals wait. Called before threads are made, which inherit it. */
void interrupt_block(struct interrupt *interrupt);

/* Whether one waits. Any thread may ask. */
bool interrupt_is_pending(const struct interrupt *interrupt);

/* Takes those that wait and lets later ones end the program. */
void interrupt_release(struct interrupt *interrupt);

#endif
