/* SPDX-License-Identifier: MIT */
/* Decides which blocks are counted: all blocks, or those that a sample hits. Owns
   each thread's random number generator, and the distance to the thread's next sample.
   allocator.c calls ccprof_heap_sampling_pass once for each block (heap.h), and
   ccprof_heap_sampling_hit and _free. changes.c calls ccprof_heap_sampling_weight. heap.c
   and held.c call the other functions, in any thread.

   Imagine the bytes of all blocks of a thread as a line, and samples on it like the
   events of a Poisson process. A block is sampled if a sample hits one of its bytes.
   Each block has one byte more than the program requested, so that blocks of size 0
   can be hit, too. Therefore a block of SIZE bytes is sampled with the probability 1
   - exp(-(SIZE + 1) / MEAN), whatever was allocated before it. The arithmetic uses
   only integers: an allocator must neither change the floating-point flags of the
   program nor cause floating-point traps. */

#ifndef CCPROF_HEAP_SAMPLING_H
#define CCPROF_HEAP_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes that the thread can allocate before the next sample; 0 if each
   block is checked, and as long as nothing is counted. If a signal handler interrupts the
   subtraction, its own subtraction may be lost. */
extern __thread uint64_t ccprof_heap_sampling_left;

/* The number of blocks that the thread has freed, sampled or not. */
extern __thread uint64_t ccprof_heap_sampling_frees;

/* Records that the thread frees or reallocates the block ADDRESS, unless ADDRESS is null.
   Also in signal handlers. */
static inline void ccprof_heap_sampling_free(const void *address)
{
    ccprof_heap_sampling_frees += address != NULL;
}

/* From now on, one block in SIZE allocated bytes is sampled on average. If SIZE is 0,
   every block is counted. Called by the constructor. */
void ccprof_heap_sampling_start(uint64_t size);

/* Returns true if a block of SIZE bytes is certainly not sampled, and counts its bytes
   towards the next sample. Also in signal handlers. */
static inline bool ccprof_heap_sampling_pass(uint64_t size)
{
    if (__builtin_expect(size >= ccprof_heap_sampling_left, false))
        return false;
    ccprof_heap_sampling_left -= size + 1;
    return true;
}

/* Called for a block if ccprof_heap_sampling_pass has returned false for it. Returns
   whether the block is counted. */
bool ccprof_heap_sampling_hit(uint64_t size);

/* From now on no sample hits a block of the calling thread. */
void ccprof_heap_sampling_stop(void);

/* In the child of a fork: makes the random numbers of the calling thread different
   from those of its parent. */
void ccprof_heap_sampling_fork_child(void);

/* Draws the number of bytes before the next sample from the exponential distribution
   with MEAN, rounded down. MEAN is at most 2^53. *STATE is the state of the
   generator; its initial value may be any number. */
uint64_t ccprof_heap_sampling_draw(uint64_t *state, uint64_t mean);

/* Returns SIZE divided by the probability that a block of SIZE bytes is sampled,
   rounded. This is the number of bytes that a sampled block adds to an estimate. */
uint64_t ccprof_heap_sampling_weight(uint64_t size, uint64_t mean);

#endif
