/* SPDX-License-Identifier: MIT */
/* Tells which blocks are counted: all, or those that a sample hits (heap-draw.h).  Owns
   each thread's generator, and how far it is to the thread's next sample.  heap-calls.c
   asks ccprof_heap_samples_pass first, once for each block, and heap.c the rest, in any
   thread.  */

#ifndef CCPROF_HEAP_SAMPLES_H
#define CCPROF_HEAP_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes that the thread allocates before the next one that is hit; 0 if each block is
   looked at.  A handler may lose what it subtracts.  */
extern __thread uint64_t ccprof_heap_samples_left;

/* How many blocks the thread has freed, sampled or not.  */
extern __thread uint64_t ccprof_heap_samples_frees;

/* Tells that the thread frees or reallocates the block AT, unless it is null.  Signal
   handlers included.  */
static inline void ccprof_heap_samples_free(const void *at)
{
    ccprof_heap_samples_frees += at != NULL;
}

/* From now on one block in SIZE bytes that are allocated is sampled; 0: each block is
   counted.  Constructor.  */
void ccprof_heap_samples_start(uint64_t size);

/* Returns whether a block of SIZE bytes is passed over, without a look at it.  Signal
   handlers included.  */
static inline bool ccprof_heap_samples_pass(uint64_t size)
{
    if (__builtin_expect(size >= ccprof_heap_samples_left, false))
        return false;
    ccprof_heap_samples_left -= size + 1;
    return true;
}

/* Returns whether a block that is not passed over is counted.  ASIDE tells that the
   thread looks at each block.  */
bool ccprof_heap_samples_hit(uint64_t size, bool aside);

/* From now on the thread looks at each block, hit or not, and then no more.  */
void ccprof_heap_samples_look(void);
void ccprof_heap_samples_look_no_more(void);

/* From now on no sample hits a block of the calling thread.  */
void ccprof_heap_samples_stop(void);

/* In the child of a fork: the thread draws other numbers than its parent.  */
void ccprof_heap_samples_fork_child(void);

#endif
