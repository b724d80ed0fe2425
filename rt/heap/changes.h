/* SPDX-License-Identifier: MIT */
/* All that is counted of the heap, and the changes that are added to it: each block that
   is made or freed is a change.  Only heap.c adds changes, with the lock of the heap
   held.

   With one thread each change is counted at once.  If there are several threads, each
   thread keeps some changes to itself and counts them all under one lock: otherwise
   processors would pass the memory of the tree of stacks to and fro, which takes longer
   than counting.  Sums do not depend on the order in which threads count.  Peaks do, so
   the bytes that a thread keeps to itself are bounded: all threads together have less
   than a hundredth of the peak.  */

#ifndef CCPROF_HEAP_CHANGES_H
#define CCPROF_HEAP_CHANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/stacks.h"
#include "rt/heap/times.h"

/* What is counted.  */
struct ccprof_heap_state {
    struct ccprof_heap_stacks stacks;
    struct ccprof_heap_times times;
    uint64_t size;      /* bytes between samples; 0: each block is counted */
    uint64_t start;     /* of the process or the child of a fork, in nanoseconds */
    uint64_t peak_time; /* of the peak, on the same clock; 0: nothing was in use */
    uint64_t unknown;   /* freed blocks that were not seen when they were allocated */
    uint64_t unkept;    /* calls of the allocator that were not counted completely */
    uint64_t unseen; /* blocks that were not seen when they were freed: others were made
                        at their addresses */
    uint64_t excess; /* bytes counted as in use that are not in use in the allocator */
    uint64_t memory; /* bytes that the runtime maps for all this */
};

enum ccprof_heap_what {
    CCPROF_HEAP_MADE,
    CCPROF_HEAP_MADE_AGAIN, /* by realloc, in place of another one */
    CCPROF_HEAP_FREED,
    CCPROF_HEAP_FREED_AT_ONCE, /* before its thread has allocated or freed another one */
};

struct ccprof_heap_change {
    uint64_t size;  /* bytes */
    uint32_t stack; /* that has made the block */
    uint32_t lived; /* of a freed block, in milliseconds */
    uint8_t what;   /* enum ccprof_heap_what */
    bool kept;      /* of a made block: it is in the table until it is freed */
    bool foreign;   /* of a freed block: another thread has made it */
    uint32_t time;  /* in milliseconds on heap.c's clock */
};

#define CCPROF_HEAP_CHANGES 64

/* The changes that a thread keeps to itself.  All zeros is none.  */
struct ccprof_heap_changes {
    uint32_t count;
    uint32_t counted; /* the first ones, counted by count_now */
    uint64_t bytes;   /* of all of them */
    uint64_t limit;   /* how many bytes may be kept */
    struct ccprof_heap_change change[CCPROF_HEAP_CHANGES];
};

/* Counts a change at TIME, in nanoseconds.  */
void ccprof_heap_change_count(struct ccprof_heap_state *state,
                              const struct ccprof_heap_change *change, uint64_t time);

/* Counts the changes that are not counted yet, but leaves them: for a handler that has
   interrupted their thread, which may be about to keep one more.  */
void ccprof_heap_changes_count_now(struct ccprof_heap_state *state,
                                   struct ccprof_heap_changes *changes, uint64_t time);

/* Counts the changes that are not counted yet, and removes all.  */
void ccprof_heap_changes_count(struct ccprof_heap_state *state,
                               struct ccprof_heap_changes *changes, uint64_t time);

/* Keeps the change.  Returns true if the changes must be counted before the next one.  */
static inline bool ccprof_heap_changes_keep(struct ccprof_heap_changes *changes,
                                            const struct ccprof_heap_change *change)
{
    changes->change[changes->count] = *change;
    atomic_signal_fence(memory_order_seq_cst);
    changes->count++;
    changes->bytes += change->size;
    return changes->count == CCPROF_HEAP_CHANGES || changes->bytes > changes->limit;
}

#endif
