/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client that does not sleep while it waits for an answer: it sends a command that asks for it,
 * waits for that command's answer, and sends the next. The commands run on the event loop that
 * prepares the answer: at most one an iteration, after what was ready.
 *
 *   start -> turnaround -> command on the loop -> turnaround -> ... until nothing is awaited
 */
#ifndef RINGTAIL_SIM_ENGINE_BUSY_CLIENT_H
#define RINGTAIL_SIM_ENGINE_BUSY_CLIENT_H

#include "sim/engine/cpu.h"
#include "sim/engine/stage.h"

struct busy_client {
    /* Parameters. */
    bool poll; /* false: it does nothing */
    struct distribution command;
    struct distribution turnaround;
    /* The client's own. */
    struct stage *stage;
    struct cpu *loop;
    struct stage self;
    int64_t awaited;
    bool under_way; /* a command runs, or its time will come */
    int64_t commands;
};

/* The three lines of a parameter table. A command takes time, so that polling does. */
#define PARAMS_BUSY_CLIENT(type, field)                                                            \
    PARAM_BOOL(type, field.poll, .name = "poll",                                                   \
               .doc = "The client sends commands to `cpu` while it waits; false: it sleeps."),     \
        PARAM_DISTRIBUTION(type, field.command, .name = "command", .min = 100 * SIM_NS,            \
                           .preset = 15 * SIM_US, .doc = "With poll: the loop's time for one."),   \
        PARAM_DISTRIBUTION(type, field.turnaround, .name = "turnaround", .preset = 15 * SIM_US,    \
                           .doc = "With poll: the client's time from an answer to the next.")

void busy_client_init(struct busy_client *client, struct stage *stage, struct cpu *loop);

/* An answer is awaited, or has come. */
void busy_client_start(struct busy_client *client);
void busy_client_stop(struct busy_client *client);

#endif
