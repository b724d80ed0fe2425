/* SPDX-License-Identifier: MIT */
/* Decides which blocks are counted: all, or those that a sample hits.  Owns each thread's
   generator of random numbers, and how far it is to the thread's next sample.  calls.c
   calls ccprof_heap_sampling_pass first, once for each block; heap.c calls the other
   functions, in any thread.

   Imagine the bytes of all blocks of a thread as a line, on which samples lie like the
   events of a Poisson process.  A block is sampled if a sample hits one of its bytes.
   Each block has a byte more than the program has asked for, so that blocks of size 0 can
   be hit, too.  So a block of SIZE bytes is sampled with the probability 1 - exp(-(SIZE +
   1) / MEAN), whatever was allocated before it.  The arithmetic uses integers only: an
   allocator must neither change the flags of the program's floating-point arithmetic nor
   trap by them.  */

#ifndef CCPROF_HEAP_SAMPLING_H
#define CCPROF_HEAP_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes that the thread allocates before the next sample; 0 if each block is checked.
   A handler that interrupts a subtraction may lose what it subtracts itself.  */
extern __thread uint64_t ccprof_heap_sampling_left;

/* How many blocks the thread has freed, sampled or not.  */
extern __thread uint64_t ccprof_heap_sampling_frees;

/* Notes that the thread frees or reallocates the block AT, unless AT is null.  Signal
   handlers included.  */
static inline void ccprof_heap_sampling_free(const void *at)
{
    ccprof_heap_sampling_frees += at != NULL;
}

/* From now on, one block in SIZE allocated bytes is sampled on average; 0: each block is
   counted.  Constructor.  */
void ccprof_heap_sampling_start(uint64_t size);

/* Returns true if a block of SIZE bytes is certainly not sampled, and passes over its
   bytes. Signal handlers included.  */
static inline bool ccprof_heap_sampling_pass(uint64_t size)
{
    if (__builtin_expect(size >= ccprof_heap_sampling_left, false))
        return false;
    ccprof_heap_sampling_left -= size + 1;
    return true;
}

/* Returns whether a block that was not passed over is counted.  CHECKS_EACH: the thread
   is between check_each and check_each_end.  */
bool ccprof_heap_sampling_hit(uint64_t size, bool checks_each);

/* From the first call to the second one no block of the thread is passed over, so that
   the thread can do other work at its next block.  Samples hit the same blocks as before.
 */
void ccprof_heap_sampling_check_each(void);
void ccprof_heap_sampling_check_each_end(void);

/* From now on no sample hits a block of the calling thread.  */
void ccprof_heap_sampling_stop(void);

/* In the child of a fork: makes the thread draw other numbers than its parent.  */
void ccprof_heap_sampling_fork_child(void);

/* Draws how many bytes pass before the next sample, rounded down, from the exponential
   distribution with MEAN, which is at most 2^53.  *STATE is the state of the generator,
   any number at first.  */
uint64_t ccprof_heap_sampling_draw(uint64_t *state, uint64_t mean);

/* Returns SIZE divided by the probability that a block of SIZE bytes is sampled, rounded:
   the bytes that a sampled block adds to an estimate.  */
uint64_t ccprof_heap_sampling_weight(uint64_t size, uint64_t mean);

#endif
