/* SPDX-License-Identifier: MIT */
/* The anonymous mappings: a sorted array.  Programs have dozens of mappings, and each of
   their calls changes the table of pages.  */

#include <string.h>

#include "rt/heap/heap-maps.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"

static struct ccprof_heap_map *map; /* by address */
static uint32_t count;
static ccprof_lock lock;

bool ccprof_heap_maps_start(void)
{
    map = ccprof_pages_map(CCPROF_HEAP_MAPS * sizeof *map);
    return map != NULL;
}

bool ccprof_heap_maps_hold(uint64_t patience)
{
    return ccprof_lock_wait(&lock, patience);
}

void ccprof_heap_maps_release(void)
{
    ccprof_lock_release(&lock);
}

/* Returns the number of the first mapping that ends behind ADDRESS.  */
static uint32_t maps_find(uint64_t address)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map[middle].to <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ccprof_heap_maps_put(struct ccprof_heap_map put)
{
    uint32_t at = maps_find(put.from);

    if (count == CCPROF_HEAP_MAPS)
        return false;
    memmove(&map[at + 1], &map[at], (count - at) * sizeof *map);
    map[at] = put;
    count++;
    return true;
}

bool ccprof_heap_maps_take(struct ccprof_heap_map range, struct ccprof_heap_map *taken)
{
    uint32_t at = maps_find(range.from);

    if (at == count || map[at].from >= range.to)
        return false;
    *taken = map[at];
    count--;
    memmove(&map[at], &map[at + 1], (count - at) * sizeof *map);
    return true;
}

uint64_t ccprof_heap_maps_memory(void)
{
    return map ? CCPROF_HEAP_MAPS * sizeof *map : 0;
}
