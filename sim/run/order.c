/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/order.h"

#include <stdlib.h>

/* Runs that differ only in their repeat. */
static size_t row_of(const struct order *order, size_t place)
{
    return place % (order->experiment->point_count * order->experiment->variant_count);
}

void order_init(struct order *order, struct arena *arena, const struct experiment *experiment,
                const size_t *places, size_t count)
{
    *order = (struct order){ .experiment = experiment, .count = count };
    size_t rows = experiment->point_count * experiment->variant_count;
    struct order_item *others = arena_array(arena, count, sizeof(*others));
    bool *seen = arena_array(arena, rows, sizeof(*seen));
    order->items = arena_array(arena, count, sizeof(*order->items));
    order->costs = arena_array(arena, rows, sizeof(*order->costs));
    size_t other_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct order_item item = { .place = places == NULL ? i : places[i], .index = i };
        size_t row = row_of(order, item.place);
        item.repeat = item.place / rows;
        if (seen[row]) {
            others[other_count++] = item;
        } else {
            order->items[order->first_count++] = item;
        }
        seen[row] = true;
    }
    for (size_t i = 0; i < other_count; i++) {
        order->items[order->first_count + i] = others[i];
    }
    for (size_t row = 0; row < rows; row++) {
        order->costs[row] = UINT64_MAX; /* of all that are not made yet these may be the longest */
    }
}

static int compare_items(const void *left, const void *right)
{
    const struct order_item *a = left;
    const struct order_item *b = right;
    if (a->repeat != b->repeat) {
        return a->repeat < b->repeat ? -1 : 1;
    }
    if (a->cost != b->cost) {
        return a->cost > b->cost ? -1 : 1;
    }
    return a->index < b->index ? -1 : 1;
}

static void sort_rest(struct order *order)
{
    for (size_t i = order->next; i < order->count; i++) {
        order->items[i].cost = order->costs[row_of(order, order->items[i].place)];
    }
    qsort(order->items + order->next, order->count - order->next, sizeof(*order->items),
          compare_items);
}

bool order_next(struct order *order, struct order_item *item)
{
    if (order->next == order->count) {
        return false;
    }
    if (order->next == order->first_count) {
        sort_rest(order);
    }
    *item = order->items[order->next++];
    return true;
}

void order_learn(struct order *order, size_t place, uint64_t events)
{
    order->costs[row_of(order, place)] = events;
}
