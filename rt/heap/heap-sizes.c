/* SPDX-License-Identifier: MIT */
/* Rounds sizes.  Owns nothing.  Called by heap.c with the lock of the heap held, in any
   thread that allocates.  */

#include "rt/heap/heap-sizes.h"

/* The bits of a rounded size behind its first one: with 8, sizes below 512 stay, and
   larger ones change by less than 1 in 256.  The more points there are, the fewer bits.
   An estimate of bytes is nearly linear in the size, and one of blocks nearly its
   inverse: with B bits the mean of the latter is wrong by 1 in 4^(B + 1) at most, 0.4 %
   with 3 bits.  */
static unsigned sizes_bits(uint32_t points)
{
    static const uint8_t bits[] = {8, 8, 7, 6, 5, 5, 5, 5};
    const uint32_t number = points / CCPROF_HEAP_SIZES_EXACT;

    return number < sizeof bits ? bits[number] : 3;
}

/* A linear congruential generator with a multiplier of L'Ecuyer's ("Tables of linear
   congruential generators of different sizes and good lattice structure", Mathematics of
   Computation 68, 1999); only its upper bits are used.  */
static uint64_t sizes_random(struct ccprof_heap_stacks *stacks)
{
    stacks->random =
        stacks->random * UINT64_C(3202034522624059733) + UINT64_C(1442695040888963407);
    return stacks->random;
}

/* Rounds up or down to a multiple of WIDTH, up with the probability of the remainder by
   WIDTH, so that the mean is SIZE.  */
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
