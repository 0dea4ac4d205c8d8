/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a model file includes, and nothing else of ours: the form of a model and every call it may
 * make.
 */
#ifndef RINGTAIL_SIM_ENGINE_MODEL_H
#define RINGTAIL_SIM_ENGINE_MODEL_H

#include "sim/base/distribution.h"
#include "sim/base/error.h"
#include "sim/base/time.h"
#include "sim/engine/busy_client.h"
#include "sim/engine/completion_queue.h"
#include "sim/engine/completion_walk.h"
#include "sim/engine/cpu.h"
#include "sim/engine/directory.h"
#include "sim/engine/mix.h"
#include "sim/engine/offload.h"
#include "sim/engine/param.h"
#include "sim/engine/release_ring.h"
#include "sim/engine/report.h"
#include "sim/engine/request.h"
#include "sim/engine/stage.h"
#include "sim/engine/ticks.h"
#include "sim/engine/work_list.h"

/* The first phase is where submit (of a load: creation) puts a request; the one marked `back` is
 * where complete puts it. */
struct phase_info {
    const char *name;
    bool back;
};

/* What an arrival of a recorded or generated load is. */
struct arrival {
    sim_time due;
    int64_t size_bytes;
    sim_time latency; /* as recorded; SIM_NEVER if it was not */
    uint8_t op;
};

/* Where a load that replays something gets its arrivals. next() returns false at the end. */
struct arrival_source {
    bool (*next)(struct arrival_source *self, struct arrival *out);
};

struct model {
    const char *name;
    const char *summary; /* one sentence */
    const struct param *params;
    size_t param_count;
    const struct phase_info *phases; /* at least one */
    size_t phase_count;
    size_t state_size;
    bool load;            /* stands at the top and makes requests */
    bool bottom;          /* stands over nothing */
    bool completes_early; /* may call stage_complete_early */
    bool holds_up;        /* does something with a request on its way back: charges time, queues it.
                             Not over a stage that completes early, where it is only counted */
    /* Checks parameters against one another and prepares the state; allocates from stage_arena
     * only. Default: nothing. */
    bool (*init)(struct stage *self, struct error *err);
    /* Time zero: loads send their first requests. Default: nothing. */
    void (*start)(struct stage *self);
    /* A request comes from above. Default: straight below. */
    void (*submit)(struct stage *self, struct request *req);
    /* A request comes back from below. Default: straight above. */
    void (*complete)(struct stage *self, struct request *req, enum request_status status);
    /* The run ends with this request here: bring its phases up to now. Default: the current one
     * goes on. */
    void (*settle)(struct stage *self, struct request *req);
    /* Counters of the run. Default: none. */
    void (*report)(const struct stage *self, struct report *report);
};

/* The run's memory, for init. */
struct arena *stage_arena(struct stage *self);

#endif
