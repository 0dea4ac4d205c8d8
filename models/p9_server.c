/* SPDX-License-Identifier: Apache-2.0 */
/*
 * QEMU's 9p server listing a directory: its main loop hands file system calls to worker threads,
 * and going there and back, a trip of two hops, costs more than the calls themselves.
 *
 *   submit -> client -> main loop: coroutine -> bottom half -> worker: job -> completion --+
 *   above  <- reply, unless it lists until a reply is empty <- coroutine: marshal, next <--+
 *
 * Modelled: the trips one by one; sizes of entries and replies; inode remapping; a test driver that
 * walks over its list; a test client whose commands run on the main loop. Left out: the directory's
 * mutex (a request lists its own); worker time of anything but reading; that a client which polls
 * sees the reply at its next command. Source: QEMU hw/9pfs/{9p.c,codir.c,9p-synth.c},
 * util/{thread-pool.c,async.c}; batched: v5.2 (2149675b195f, 0c4356ba7daf).
 */
#include <inttypes.h>

#include "sim/engine/model.h"

enum phase { CLIENT, REWINDING, POSITION, REMAP, BOTTOM_HALF, WORKER, JOB, COMPLETION, MARSHAL };

/* Of a reply; and of an entry, besides its name: id 13, offset 8, type 1, length 2. */
enum { HEADER_BYTES = 11, ENTRY_BYTES = 24 };

enum trip { NONE, REWIND, TELL, READ, PATH, STAT, SEEK };

/* A request's marks: the first entry of the reply, and the next one. */
enum { FIRST, NEXT };

struct p9_server {
    /* Parameters. */
    const struct policy *policy;
    int64_t trips;
    int64_t msize;
    bool until_empty;
    bool remap;
    bool path_based;
    sim_time client;
    sim_time marshal;
    struct cpu *cpu;
    struct cpu *pool;
    struct directory directory;
    struct busy_client waiting;
    /* State. */
    struct offload offload;
};

/* What the patch changed. */
struct policy {
    const char *name;
    const char *summary;
    struct offload_rules rules;   /* `resume` is called for a new T_readdir too */
    stage_handler *on_marshalled; /* what was read is in the reply */
};

/* Of a trip that reads, each part is a phase of its own. */
static const struct offload_phases trip_phases[] = {
    [REWIND] = { REWINDING, REWINDING, REWINDING, REWINDING },
    [TELL] = { POSITION, POSITION, POSITION, POSITION },
    [READ] = { BOTTOM_HALF, WORKER, JOB, COMPLETION },
    [PATH] = { REMAP, REMAP, REMAP, REMAP },
    [STAT] = { REMAP, REMAP, REMAP, REMAP },
    [SEEK] = { POSITION, POSITION, POSITION, POSITION },
};

static void reply(struct stage *self, struct request *req);

/* Whether there is a next entry, and room for it in the reply. */
static bool goes_on(const struct p9_server *server, const struct request *req)
{
    return directory_goes_on(&server->directory, req->mark[FIRST], req->mark[NEXT],
                             server->msize - HEADER_BYTES);
}

static void marshal(struct stage *self, struct request *req, int64_t entries)
{
    struct p9_server *server = self->state;
    stage_phase(self, req, MARSHAL);
    cpu_continue(server->cpu, entries * server->marshal, self, req, server->policy->on_marshalled);
}

/* Before: a trip for each entry, and for whatever else is asked of the driver. The last one reads
 * the end of the directory, or an entry without room: then the position is set back. */
static void resume_per_entry(struct stage *self, struct request *req)
{
    struct p9_server *server = self->state;
    enum trip last = offload_kind(req);
    bool full = last == READ && !goes_on(server, req);
    if (full && req->mark[NEXT] < server->directory.count) {
        offload_begin(&server->offload, req, SEEK);
    } else if (full || last == SEEK) {
        reply(self, req);
    } else if (last == READ && server->remap) {
        offload_begin(&server->offload, req, server->path_based ? STAT : PATH);
    } else if (last < READ || last == PATH) {
        offload_begin(&server->offload, req, last + 1);
    } else {
        marshal(self, req, 1);
    }
}

static sim_time read_one(struct stage *self, struct request *req)
{
    struct p9_server *server = self->state;
    return offload_kind(req) == READ ? directory_read(&server->directory, req->mark[NEXT]) : 0;
}

static void read_next(struct stage *self, struct request *req)
{
    struct p9_server *server = self->state;
    req->mark[NEXT]++;
    offload_begin(&server->offload, req, READ);
}

/* After: one trip for all that fits; at first the rewind was still a trip of its own. */
static void resume_batched(struct stage *self, struct request *req)
{
    struct p9_server *server = self->state;
    if (offload_kind(req) == READ) {
        marshal(self, req, req->mark[NEXT] - req->mark[FIRST]);
    } else {
        bool rewinds = offload_kind(req) == NONE && server->trips == 2;
        offload_begin(&server->offload, req, rewinds ? REWIND : READ);
    }
}

static sim_time read_all(struct stage *self, struct request *req)
{
    sim_time cost = read_one(self, req);
    while (offload_kind(req) == READ && goes_on(self->state, req)) {
        req->mark[NEXT]++;
        cost += read_one(self, req);
    }
    return cost;
}

static const struct policy policies[] = {
    { "per_entry",
      "A trip to a worker for each entry.",
      { read_one, resume_per_entry, trip_phases },
      read_next },
    { "batched",
      "One trip for all entries of a reply.",
      { read_all, resume_batched, trip_phases },
      reply },
};

static const struct param params[] = {
    PARAM_POLICY(struct p9_server, policy, policies, .preset = 1, .doc = "How entries are read."),
    PARAM_COUNT(struct p9_server, trips, .min = 1, .max = 2, .preset = 1,
                .doc = "If batched: 2 at first, 1 since the rewind was merged."),
    PARAMS_DIRECTORY(struct p9_server, directory),
    PARAM_SIZE(struct p9_server, msize, .preset = 256 * 1024, .doc = "Largest message."),
    PARAM_BOOL(struct p9_server, until_empty, .doc = "List until a reply is empty; false: once."),
    PARAM_BOOL(struct p9_server, remap, .doc = "Inodes are remapped: each entry is looked up."),
    PARAM_BOOL(struct p9_server, path_based, .preset = true,
               .doc = "With remap: an entry's path takes no trip."),
    PARAM_TIME(struct p9_server, client, .doc = "Client's time before a T_readdir is sent."),
    PARAM_TIME(struct p9_server, marshal, .max = 100 * SIM_MS, .preset = 314 * SIM_NS,
               .doc = "Main loop's time to put an entry into a reply."),
    PARAM_CPU(struct p9_server, cpu, .required = true, .doc = "The main loop, an event loop."),
    PARAM_CPU(struct p9_server, pool, .required = true,
              .doc = "Worker threads; QEMU has up to 64."),
    PARAMS_BUSY_CLIENT(struct p9_server, waiting),
};

static const struct phase_info phases[] = {
    [CLIENT] = { .name = "client" },
    [REWINDING] = { .name = "rewind" },
    [POSITION] = { .name = "position" },
    [REMAP] = { .name = "remap" },
    [BOTTOM_HALF] = { .name = "bottom half" },
    [WORKER] = { .name = "worker" },
    [JOB] = { .name = "read" },
    [COMPLETION] = { .name = "completion" },
    [MARSHAL] = { .name = "marshal" },
};

/* ---- The client. ---- */

static void on_sent(struct stage *self, struct request *req)
{
    struct p9_server *server = self->state;
    busy_client_start(&server->waiting);
    cpu_run(server->cpu, CPU_THREAD, 0, self, req, server->policy->rules.resume);
}

static void send_readdir(struct stage *self, struct request *req, int64_t first)
{
    struct p9_server *server = self->state;
    req->mark[FIRST] = req->mark[NEXT] = first;
    offload_forget(req);
    cpu_run(req->cpu, CPU_THREAD, server->client, self, req, on_sent);
}

static void submit(struct stage *self, struct request *req)
{
    send_readdir(self, req, 0);
}

static void reply(struct stage *self, struct request *req)
{
    struct p9_server *server = self->state;
    directory_replied(&server->directory, req->mark[FIRST], req->mark[NEXT]);
    busy_client_stop(&server->waiting);
    if (server->until_empty && req->mark[NEXT] > req->mark[FIRST]) {
        stage_phase(self, req, CLIENT);
        send_readdir(self, req, req->mark[NEXT]);
    } else {
        stage_complete_above(self, req, REQUEST_DONE);
    }
}

static bool init(struct stage *self, struct error *err)
{
    struct p9_server *server = self->state;
    int64_t longest = directory_init(&server->directory, ENTRY_BYTES, stage_arena(self));
    if (server->msize < longest + HEADER_BYTES) {
        error_user(err, NULL, "`%s` has an `msize` of %" PRId64 " B, too small for one entry",
                   self->name, server->msize);
        return error_hint(err, "make it %" PRId64 "B or more", longest + HEADER_BYTES);
    }
    busy_client_init(&server->waiting, self, server->cpu);
    return offload_init(&server->offload, self, server->cpu, server->pool, &server->policy->rules,
                        err);
}

static void report(const struct stage *self, struct report *report)
{
    const struct p9_server *server = self->state;
    offload_report(&server->offload, report);
    directory_report(&server->directory, report);
    report_count(report, "commands", server->waiting.commands);
}

const struct model p9_server_model = {
    .name = "p9_server",
    .summary = "QEMU's 9p server listing a directory: trips between main loop and workers.",
    .params = params,
    .param_count = ARRAY_LENGTH(params),
    .phases = phases,
    .phase_count = ARRAY_LENGTH(phases),
    .state_size = sizeof(struct p9_server),
    .bottom = true,
    .init = init,
    .submit = submit,
    .report = report,
};
