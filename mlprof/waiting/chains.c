/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the waits of threads that held a lock by lock and time, and looks up the time of
   each wait for that lock in them. A thread that waits has neither run nor waited for a
   processor until the end of the wait's part TIME. */

#include "mlprof/waiting/chains.h"
#include "mlprof/waiting/waiting.h"

#include <stdlib.h>

#define DEEPEST 8

/* Limits for files that no program writes: as many threads would wait at once. */
#define MOST_LINKS 100000
#define MOST_STEPS 20000000

/* A wait of a thread that held OBJECT. */
struct item {
    uint64_t from, to;
    uint32_t object, wait;
};

/* A link, and its place in the tree. */
struct place {
    struct chains_link link;
    uint32_t number; /* from 1 */
    uint32_t parent; /* 0: none */
};

struct search {
    const struct waitdata *waits;
    const struct chains_groups *groups;
    BUF_VECTOR(struct item) items; /* of an object, no two at the same time */
    BUF_VECTOR(struct place) places;
    struct index index; /* key: lock, parent, wait */
    uint64_t steps;
};

BUF_COMPARE(by_start, struct item,
            BUF_ORDER(a->object, b->object) ?: BUF_ORDER(a->from, b->from))
BUF_COMPARE(by_parent, struct place,
            BUF_ORDER(a->parent, b->parent)
                ?: BUF_ORDER(a->link.lock, b->link.lock)
                ?: BUF_ORDER(b->link.time, a->link.time)
                ?: BUF_ORDER(a->link.wait, b->link.wait))

/* If several readers hold a lock, the time belongs to the one that began to wait first.
 */
static void find_items(struct search *search)
{
    const struct waitdata *waits = search->waits;
    size_t kept = 0;
    for (size_t i = 0; i < waits->longest.count; i++) {
        const struct waitdata_single *single = &waits->longest.list[i];
        const uint32_t held = waits->waits.list[single->wait].held;
        if (held != WAITDATA_NONE)
            BUF_PUSH(search->items) = (struct item){
                single->start, single->start + single->time, held, single->wait};
    }
    BUF_SORT(search->items.list, search->items.count, by_start);
    for (size_t i = 0; i < search->items.count; i++) {
        struct item item = search->items.list[i];
        const struct item *last = kept ? &search->items.list[kept - 1] : NULL;
        if (last && last->object == item.object && item.from < last->to)
            item.from = last->to;
        if (item.from < item.to)
            search->items.list[kept++] = item;
    }
    search->items.count = kept;
}

/* Returns the index of the first item of OBJECT, or of a later one, that ends after
   FROM. */
static size_t first_item(const struct search *search, uint32_t object, uint64_t from)
{
    const struct item *items = search->items.list;
    size_t i;
    BUF_SEARCH(i, search->items.count, k,
               items[k].object < object ||
                   (items[k].object == object && items[k].to <= from));
    return i;
}

/* Adds what the holders of OBJECT waited for between FROM and TO, below the link PARENT.
   FIRST is the object of the first wait of the chain: if it comes again, the threads wait
   for each other. */
static void follow(struct search *search, uint32_t object, uint64_t from, uint64_t to,
                   uint32_t parent, const struct chains_link *like, uint32_t first)
{
    for (size_t i = first_item(search, object, from); i < search->items.count; i++) {
        const struct item item = search->items.list[i];
        const struct waitdata_wait *wait = &search->waits->waits.list[item.wait];
        struct chains_link link = *like;
        bool fresh;
        if (item.object != object || item.from >= to || search->steps == MOST_STEPS ||
            search->places.count == MOST_LINKS)
            break;
        search->steps++;
        const uint64_t start = item.from > from ? item.from : from,
                       end = item.to < to ? item.to : to;
        link.wait = search->groups[item.wait].wait;
        const uint32_t number =
            index_put(&search->index, link.lock, parent, link.wait, &fresh);
        if (fresh)
            BUF_PUSH(search->places) = (struct place){link, number + 1, parent};
        search->places.list[number].link.time += end - start;
        link.depth++;
        if (waiting_is_for_lock(wait->reason) && wait->object != WAITDATA_NONE &&
            wait->object != first && link.depth < DEEPEST)
            follow(search, wait->object, start, end, number + 1, &link, first);
    }
}

/* Adds the links below PARENT, each followed by those below it. */
static void put_links(struct chains *chains, const struct search *search, uint32_t parent)
{
    const struct place *places = search->places.list;
    const size_t count = search->places.count;
    size_t i;
    BUF_SEARCH(i, count, k, places[k].parent < parent);
    for (; i < count && places[i].parent == parent; i++) {
        BUF_PUSH(chains->links) = places[i].link;
        put_links(chains, search, places[i].number);
    }
}

void chains_find(struct chains *chains, const struct waitdata *waits,
                 const struct chains_groups *groups)
{
    struct search search = {.waits = waits, .groups = groups};
    find_items(&search);
    for (size_t i = 0; i < waits->longest.count; i++) {
        const struct waitdata_single *single = &waits->longest.list[i];
        const struct waitdata_wait *wait = &waits->waits.list[single->wait];
        const struct chains_link link = {.lock = groups[single->wait].lock};
        if (waiting_is_for_lock(wait->reason) && link.lock != WAITDATA_NONE)
            follow(&search, wait->object, single->start, single->start + single->time, 0,
                   &link, wait->object);
    }
    BUF_SORT(search.places.list, search.places.count, by_parent);
    put_links(chains, &search, 0);
    free(search.items.list);
    free(search.places.list);
    index_free(&search.index);
}
