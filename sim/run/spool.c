/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/spool.h"

#include <string.h>
#include <unistd.h>

#include "sim/run/output.h"

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool check_same(const struct result_source *old, const struct header *header,
                       struct error *err)
{
    const struct place where = { .file = old->name };
    if (strcmp(old->header.hash, header->hash) != 0) {
        error_user(err, &where, "this is of another experiment: it cannot be resumed");
        return error_hint(err, "something that changes the runs has changed; remove the file, or "
                               "name another with -o");
    }
    if (strcmp(old->header.version, header->version) != 0) {
        error_user(err, &where, "this was made by ringtail %.20s: it cannot be resumed",
                   old->header.version);
        return error_hint(err, "remove the file, or name another with -o");
    }
    return true;
}

/* Adds what a file holds, if it is there. */
static bool add_old(struct result_store *store, const char *path, enum source_use use,
                    struct error *err)
{
    struct result_source old;
    if (!exists(path)) {
        return true;
    }
    if (!result_source_open(path, use, &old, err)) {
        return false;
    }
    bool empty = old.header.experiment == NULL;
    if (empty || !check_same(&old, store->header, err) || !result_store_add(store, &old, err)) {
        result_source_close(&old);
        return empty;
    }
    return true;
}

/* Writes FILE.part anew from what there is: with this experiment's header, without a cut line. */
static bool gather(const struct experiment *experiment, const struct spool *spool,
                   struct error *err)
{
    struct result_source nameless;
    if (!result_source_create(NULL, experiment, &nameless, err)) {
        return false;
    }
    struct result_store *store = result_store_create(&nameless);
    bool good = add_old(store, spool->part, SOURCE_BROKEN_OFF, err) &&
                add_old(store, spool->path, SOURCE_READ, err) && result_store_scan(store, err) &&
                result_store_write(store, spool->part, err);
    result_store_destroy(store);
    return good;
}

static bool open_part(const struct experiment *experiment, const struct spool *spool, bool resume,
                      struct result_source *source, struct error *err)
{
    if (resume) {
        return gather(experiment, spool, err) &&
               result_source_open(spool->part, SOURCE_APPEND, source, err);
    }
    if (exists(spool->part)) {
        const struct place where = { .file = spool->part };
        error_user(err, &where, "an earlier run was broken off and has left this");
        return error_hint(err, "--resume goes on with it; remove it to start anew");
    }
    return result_source_create(spool->part, experiment, source, err);
}

bool spool_begin(struct arena *arena, const struct experiment *experiment, const char *path,
                 bool resume, struct spool *spool, struct error *err)
{
    struct spool begun = { .path = path };
    struct result_source source;
    if (path != NULL && output_is_replaceable(path)) {
        begun.part = arena_printf(arena, "%s.part", path);
        if (!open_part(experiment, &begun, resume, &source, err)) {
            return false;
        }
    } else if (!result_source_create(NULL, experiment, &source, err)) {
        return false;
    }
    begun.store = result_store_create(&source);
    if (!result_store_scan(begun.store, err)) {
        spool_end(&begun);
        return false;
    }
    *spool = begun;
    return true;
}

bool spool_settle(struct spool *spool, const struct experiment *experiment, struct error *err)
{
    struct result_source nameless;
    if (!result_source_create(NULL, experiment, &nameless, err)) {
        return false;
    }
    struct result_store *store = result_store_create(&nameless);
    if (!result_store_add(store, &spool->store->sources[0], err) ||
        !result_store_scan(store, err)) {
        result_store_destroy(store);
        return false;
    }
    result_store_destroy(spool->store);
    spool->store = store;
    return true;
}

bool spool_finish(struct spool *spool, struct error *err)
{
    if (spool->path == NULL) {
        return true;
    }
    if (!result_store_write(spool->store, spool->path, err)) {
        return false;
    }
    if (spool->part != NULL) {
        unlink(spool->part);
        spool->part = NULL;
    }
    return true;
}

void spool_end(struct spool *spool)
{
    if (spool->part != NULL && spool->store->finished == 0) {
        unlink(spool->part);
    }
    result_store_destroy(spool->store);
    spool->store = NULL;
}
