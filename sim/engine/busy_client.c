/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/busy_client.h"

static void on_command_due(struct stage *self, struct request *none);

static void turn_around(struct busy_client *client)
{
    sim_time pause = stage_draw_own(client->stage, &client->turnaround);
    stage_after(&client->self, pause, NULL, on_command_due);
}

static void on_command_ended(struct stage *self, struct request *none)
{
    (void)none;
    turn_around(self->state);
}

static void on_command_due(struct stage *self, struct request *none)
{
    (void)none;
    struct busy_client *client = self->state;
    client->under_way = client->awaited > 0;
    if (client->under_way) {
        client->commands++;
        sim_time cost = stage_draw_own(client->stage, &client->command);
        cpu_run(client->loop, CPU_IDLE, cost, self, NULL, on_command_ended);
    }
}

void busy_client_init(struct busy_client *client, struct stage *stage, struct cpu *loop)
{
    client->stage = stage;
    client->loop = loop;
    client->self = (struct stage){ .engine = stage->engine, .state = client };
}

void busy_client_start(struct busy_client *client)
{
    client->awaited++;
    if (client->poll && !client->under_way) {
        client->under_way = true;
        turn_around(client);
    }
}

void busy_client_stop(struct busy_client *client)
{
    assert(client->awaited > 0);
    client->awaited--;
}
