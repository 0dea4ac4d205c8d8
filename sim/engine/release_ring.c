/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/release_ring.h"

#include <assert.h>

#include "sim/engine/model.h"

struct release_place {
    struct request *req;
    sim_time since;
    bool done;
};

static struct release_place *place_at(const struct release_ring *ring, int64_t index)
{
    return &ring->place[index % ring->places];
}

void release_ring_init(struct release_ring *ring, struct stage *stage, int64_t places)
{
    *ring = (struct release_ring){ .stage = stage, .places = places };
    ring->place = arena_array(stage_arena(stage), (size_t)places, sizeof(ring->place[0]));
}

void release_ring_push(struct release_ring *ring, struct request *req)
{
    assert(release_ring_held(ring) < ring->places);
    *place_at(ring, ring->newest++) = (struct release_place){ req, stage_now(ring->stage), false };
    ring->in_flight++;
    ring->pushed++;
    int64_t held = release_ring_held(ring);
    ring->held_most = held > ring->held_most ? held : ring->held_most;
}

/* The search is short where requests come back in order, as they mostly do: the one looked for is
 * the first that is not done. */
void release_ring_done(struct release_ring *ring, struct request *req, enum request_status status)
{
    bool overtook = false;
    for (int64_t i = ring->oldest; i < ring->newest; i++) {
        struct release_place *place = place_at(ring, i);
        if (place->req == req) {
            assert(!place->done);
            place->done = true;
            req->status = (uint8_t)status;
            ring->in_flight--;
            ring->overtook += overtook;
            return;
        }
        overtook = overtook || !place->done;
    }
    assert(false);
}

void release_ring_release(struct release_ring *ring)
{
    while (release_ring_held(ring) > 0 && place_at(ring, ring->oldest)->done) {
        const struct release_place *place = place_at(ring, ring->oldest++);
        sim_time time = stage_now(ring->stage) - place->since;
        ring->held_longest = time > ring->held_longest ? time : ring->held_longest;
        ring->held_time += time;
        ring->released++;
        stage_complete_above(ring->stage, place->req, place->req->status);
    }
}

static sim_time longest(const struct release_ring *ring)
{
    sim_time time = 0;
    if (release_ring_held(ring) > 0) {
        time = stage_now(ring->stage) - place_at(ring, ring->oldest)->since;
    }
    return time > ring->held_longest ? time : ring->held_longest;
}

void release_ring_report(const struct release_ring *ring, struct report *report)
{
    sim_sum mean = ring->released > 0 ? ring->held_time / ring->released : 0;
    report_count(report, "released", ring->released);
    report_count(report, "overtook", ring->overtook);
    report_level(report, "held", release_ring_held(ring));
    report_level(report, "held_most", ring->held_most);
    report_span(report, "held_longest", longest(ring));
    report_span(report, "held_mean", (sim_time)mean);
}
