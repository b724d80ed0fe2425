/* SPDX-License-Identifier: MIT */
/* Implements the tree of stacks and the rounding of sizes. Owns the tree's pages,
   which are never unmapped. Called with the lock of the heap held, in any thread that
   allocates or frees, or while the whole heap is held. */

#include <stddef.h>

#include "rt/heap/stacks.h"
#include "rt/format.h"
#include "rt/os/memory.h"

#define STACKS_TABLE_LEAST 4096

/* Returns the entry of the point, or the free entry for it. */
static struct ccprof_heap_entry *stacks_entry(const struct ccprof_heap_stacks *stacks,
                                              uint32_t caller, uint64_t address)
{
    uint64_t hash =
        (address + caller * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t index = hash >> 32 & (stacks->table_size - 1);

    while (stacks->table[index].number != 0 && (stacks->table[index].address != address ||
                                                stacks->table[index].caller != caller))
        index = (index + 1) & (stacks->table_size - 1);
    return &stacks->table[index];
}

static void stacks_set_entry(struct ccprof_heap_stacks *stacks, uint32_t number)
{
    const struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, number);

    *stacks_entry(stacks, point->caller, point->address) = (struct ccprof_heap_entry){
        .address = point->address, .caller = point->caller, .number = number};
}

/* Doubles the number of entries if half of them are in use. If there is no memory for
   this, the remaining entries are used. Returns false if no entry is free. */
static bool stacks_grow_table(struct ccprof_heap_stacks *stacks)
{
    struct ccprof_pages old = {(void *)stacks->table,
                               stacks->table_size * sizeof *stacks->table};
    struct ccprof_pages pages;

    if (stacks->count < stacks->table_size / 2)
        return true;
    if (!ccprof_pages_make(&pages, 2 * old.size))
        return stacks->count < stacks->table_size - 1;
    stacks->table = (void *)pages.start;
    stacks->table_size *= 2;
    stacks->memory += old.size;
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++)
        stacks_set_entry(stacks, i);
    ccprof_pages_free(&old);
    return true;
}

static bool stacks_make_chunk(struct ccprof_heap_stacks *stacks)
{
    uint32_t chunk = stacks->count / CCPROF_HEAP_STACKS_CHUNK;
    struct ccprof_pages pages;

    if (chunk == CCPROF_HEAP_STACKS_CHUNKS)
        return false;
    if (stacks->chunk[chunk])
        return true;
    if (!ccprof_pages_make(&pages, CCPROF_HEAP_STACKS_CHUNK * sizeof **stacks->chunk))
        return false;
    stacks->chunk[chunk] = (void *)pages.start;
    stacks->memory += pages.size;
    return true;
}

static uint32_t stacks_add(struct ccprof_heap_stacks *stacks, uint32_t caller,
                           uint64_t address)
{
    if (!stacks_make_chunk(stacks) || !stacks_grow_table(stacks))
        return 0;
    *ccprof_heap_stacks_point(stacks, stacks->count) =
        (struct ccprof_heap_point){.address = address, .caller = caller};
    stacks_set_entry(stacks, stacks->count);
    return stacks->count++;
}

bool ccprof_heap_stacks_start(struct ccprof_heap_stacks *stacks)
{
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, STACKS_TABLE_LEAST * sizeof *stacks->table))
        return false;
    stacks->table = (void *)pages.start;
    stacks->table_size = STACKS_TABLE_LEAST;
    stacks->memory = pages.size;
    stacks->count = CCPROF_HEAP_STACKS_ROOT + 1;
    return stacks_add(stacks, CCPROF_HEAP_STACKS_ROOT, CCPROF_POINT_CUT) ==
           CCPROF_HEAP_STACKS_CUT;
}

uint32_t ccprof_heap_stacks_find(const struct ccprof_heap_stacks *stacks, uint32_t caller,
                                 uint64_t address)
{
    return stacks_entry(stacks, caller, address)->number;
}

uint32_t ccprof_heap_stacks_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                                uint64_t address)
{
    uint32_t number = ccprof_heap_stacks_find(stacks, caller, address);

    return number ? number : stacks_add(stacks, caller, address);
}

struct ccprof_heap_life *ccprof_heap_stacks_make_life(struct ccprof_heap_stacks *stacks,
                                                      struct ccprof_heap_point *point)
{
    struct ccprof_pages pages;

    if (stacks->lives_left == 0) {
        if (!ccprof_pages_make(&pages, CCPROF_HEAP_STACKS_LIVES * sizeof *stacks->lives))
            return NULL;
        stacks->lives = (void *)pages.start;
        stacks->lives_left = CCPROF_HEAP_STACKS_LIVES;
        stacks->memory += pages.size;
    }
    return point->life = &stacks->lives[--stacks->lives_left];
}

static void stacks_subtract_amount(struct ccprof_heap_amount *amount, uint64_t bytes)
{
    amount->blocks--;
    amount->bytes -= bytes;
}

/* Stores the point's amount in use at the peak, before this amount changes. */
static void stacks_remember(const struct ccprof_heap_stacks *stacks,
                            struct ccprof_heap_point *point)
{
    if (point->peak == stacks->peaks)
        return;
    point->peak = stacks->peaks;
    point->at_peak = point->live;
}

struct ccprof_heap_amount
ccprof_heap_stacks_at_peak(const struct ccprof_heap_stacks *stacks,
                           const struct ccprof_heap_point *point)
{
    return point->peak == stacks->peaks ? point->at_peak : point->live;
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
    ccprof_heap_stacks_add(&point->live, bytes);
    ccprof_heap_stacks_add(&stacks->live, bytes);
    stacks->live_weight += weight;
    if ((int64_t)stacks->live_weight <= (int64_t)stacks->peak_weight)
        return false;
    stacks->at_peak = stacks->live;
    stacks->peak_weight = stacks->live_weight;
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
    stacks_subtract_amount(&point->live, bytes);
    stacks_subtract_amount(&stacks->live, bytes);
    stacks->live_weight -= weight;
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
    stacks->at_peak = stacks->live;
    stacks->peak_weight = stacks->live_weight;
    stacks->peaks++;
}

/* Returns the number of bits that a rounded size keeps after its first bit. With 8
   bits, sizes below 512 are not changed, and larger sizes change by less than 1 in
   256. The more points there are, the fewer bits are kept.

   An estimate of bytes is nearly linear in the size, so rounding does not change its
   mean. An estimate of blocks is nearly proportional to the inverse of the size.
   With B bits, the error of its mean is at most 1 in 4^(B + 1): 0.4 % with 3 bits. */
static unsigned sizes_bits(uint32_t points)
{
    static const uint8_t bits[] = {8, 8, 7, 6, 5, 5, 5, 5};
    const uint32_t number = points / CCPROF_HEAP_SIZES_EXACT;

    return number < sizeof bits ? bits[number] : 3;
}

/* Returns a random number from a linear congruential generator with a multiplier by
   L'Ecuyer ("Tables of linear congruential generators of different sizes and good
   lattice structure", Mathematics of Computation 68, 1999). Use only its upper bits. */
static uint64_t sizes_random(struct ccprof_heap_stacks *stacks)
{
    stacks->random =
        stacks->random * UINT64_C(3202034522624059733) + UINT64_C(1442695040888963407);
    return stacks->random;
}

/* Rounds SIZE up or down to a multiple of WIDTH. Rounds up with the probability
   remainder / WIDTH, so that the mean is SIZE. */
static uint64_t sizes_round(struct ccprof_heap_stacks *stacks, uint64_t size)
{
    const unsigned bits = sizes_bits(stacks->sizes);
    const unsigned length = 63 - (unsigned)__builtin_clzll(size | 1);

    if (length <= bits)
        return size;
    const uint64_t width = UINT64_C(1) << (length - bits);
    return (size + (sizes_random(stacks) >> (64 - (length - bits)))) & -width;
}

uint32_t ccprof_heap_sizes_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                               uint64_t size)
{
    const uint32_t before = stacks->count;

    if (stacks->sizes >= CCPROF_HEAP_SIZES_EXACT &&
        !ccprof_heap_stacks_find(stacks, caller, CCPROF_HEAP_STACKS_SIZE | size))
        size = sizes_round(stacks, size);
    uint32_t number =
        ccprof_heap_stacks_put(stacks, caller, CCPROF_HEAP_STACKS_SIZE | size);
    stacks->sizes += stacks->count - before;
    return number;
}
