/* SPDX-License-Identifier: MIT */
/* Implements the tree of stacks.  Owns its pages, which are never given back.  Called by
   heap.c with the lock of the heap held, in any thread that allocates or frees.  */

#include <stddef.h>

#include "rt/heap/heap-stacks.h"
#include "rt/format.h"
#include "rt/os/assert.h"
#include "rt/os/pages.h"

#define STACKS_HEADS_LEAST 4096

static uint32_t *stacks_head(const struct ccprof_heap_stacks *stacks, uint32_t caller,
                             uint64_t address)
{
    uint64_t hash =
        (address + caller * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);
    return &stacks->head[hash >> 32 & (stacks->heads - 1)];
}

/* Without memory for more heads the lists become longer.  */
static void stacks_rehash(struct ccprof_heap_stacks *stacks)
{
    struct ccprof_pages old = {(void *)stacks->head,
                               stacks->heads * sizeof *stacks->head};
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, 2 * old.size))
        return;
    stacks->head = (void *)pages.at;
    stacks->heads *= 2;
    stacks->memory += old.size;
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        uint32_t *head = stacks_head(stacks, point->caller, point->address);
        point->next = *head;
        *head = i;
    }
    ccprof_pages_free(&old);
}

static bool stacks_make_room(struct ccprof_heap_stacks *stacks)
{
    uint32_t chunk = stacks->count / CCPROF_HEAP_STACKS_CHUNK;
    struct ccprof_pages pages;

    if (chunk == CCPROF_HEAP_STACKS_CHUNKS)
        return false;
    if (stacks->chunk[chunk])
        return true;
    if (!ccprof_pages_make(&pages, CCPROF_HEAP_STACKS_CHUNK * sizeof **stacks->chunk))
        return false;
    stacks->chunk[chunk] = (void *)pages.at;
    stacks->memory += pages.size;
    return true;
}

static uint32_t stacks_add(struct ccprof_heap_stacks *stacks, uint32_t caller,
                           uint64_t address)
{
    if (!stacks_make_room(stacks))
        return 0;
    if (stacks->count == stacks->heads)
        stacks_rehash(stacks);
    uint32_t *head = stacks_head(stacks, caller, address);
    uint32_t number = stacks->count;
    *ccprof_heap_stacks_point(stacks, number) =
        (struct ccprof_heap_point){.address = address, .caller = caller, .next = *head};
    *head = number;
    stacks->count++;
    return number;
}

bool ccprof_heap_stacks_start(struct ccprof_heap_stacks *stacks)
{
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, STACKS_HEADS_LEAST * sizeof *stacks->head))
        return false;
    stacks->head = (void *)pages.at;
    stacks->heads = STACKS_HEADS_LEAST;
    stacks->memory = pages.size;
    stacks->count = CCPROF_HEAP_STACKS_ROOT + 1;
    return stacks_add(stacks, CCPROF_HEAP_STACKS_ROOT, CCPROF_POINT_CUT) ==
           CCPROF_HEAP_STACKS_CUT;
}

uint32_t ccprof_heap_stacks_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                                uint64_t address)
{
    uint32_t number = *stacks_head(stacks, caller, address);

    while (number != 0) {
        const struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, number);
        if (point->address == address && point->caller == caller)
            return number;
        number = point->next;
    }
    return stacks_add(stacks, caller, address);
}

struct ccprof_heap_life *ccprof_heap_stacks_life(struct ccprof_heap_stacks *stacks,
                                                 uint32_t stack)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);
    struct ccprof_pages pages;

    if (point->life)
        return point->life;
    if (stacks->lives_left == 0) {
        if (!ccprof_pages_make(&pages, CCPROF_HEAP_STACKS_LIVES * sizeof *stacks->lives))
            return NULL;
        stacks->lives = (void *)pages.at;
        stacks->lives_left = CCPROF_HEAP_STACKS_LIVES;
        stacks->memory += pages.size;
    }
    return point->life = &stacks->lives[--stacks->lives_left];
}

static void stacks_subtract_amount(struct ccprof_heap_amount *amount, uint64_t bytes)
{
    ccprof_assert(amount->blocks != 0 && amount->bytes >= bytes);
    amount->blocks--;
    amount->bytes -= bytes;
}

/* Remembers what the point has alive, before that changes.  */
static void stacks_remember(const struct ccprof_heap_stacks *stacks,
                            struct ccprof_heap_point *point)
{
    if (point->peak == stacks->peaks)
        return;
    point->peak = stacks->peaks;
    point->at_peak = point->alive;
}

struct ccprof_heap_amount
ccprof_heap_stacks_at_peak(const struct ccprof_heap_stacks *stacks,
                           const struct ccprof_heap_point *point)
{
    return point->peak == stacks->peaks ? point->at_peak : point->alive;
}

bool ccprof_heap_stacks_allocate(struct ccprof_heap_stacks *stacks, uint32_t stack,
                                 uint64_t bytes, uint64_t weight, bool kept)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    ccprof_heap_stacks_add(&point->allocated, bytes);
    ccprof_heap_stacks_add(&stacks->allocated, bytes);
    if (!kept)
        return false;
    stacks_remember(stacks, point);
    ccprof_heap_stacks_add(&point->alive, bytes);
    ccprof_heap_stacks_add(&stacks->alive, bytes);
    stacks->alive_weight += weight;
    if (stacks->alive_weight <= stacks->most_weight)
        return false;
    stacks->most = stacks->alive;
    stacks->most_weight = stacks->alive_weight;
    stacks->peaks++;
    return true;
}

void ccprof_heap_stacks_free(struct ccprof_heap_stacks *stacks, uint32_t stack,
                             uint64_t bytes, uint64_t weight)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    stacks_remember(stacks, point);
    ccprof_heap_stacks_add(&point->freed, bytes);
    ccprof_heap_stacks_add(&stacks->freed, bytes);
    stacks_subtract_amount(&point->alive, bytes);
    stacks_subtract_amount(&stacks->alive, bytes);
    stacks->alive_weight -= weight;
}

void ccprof_heap_stacks_restart(struct ccprof_heap_stacks *stacks)
{
    const struct ccprof_heap_amount none = {0, 0};

    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        if (point->allocated.blocks | point->freed.blocks)
            point->allocated = point->freed = none;
        if (point->life)
            *point->life = (struct ccprof_heap_life){.temporary = none};
    }
    stacks->allocated = stacks->freed = none;
    stacks->most = stacks->alive;
    stacks->most_weight = stacks->alive_weight;
    stacks->peaks++;
}
