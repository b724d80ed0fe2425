/* SPDX-License-Identifier: MIT */
/* The counts of the heap, and the changes that are added to them. Each allocation and
   each free of a block is a change. heap.c and held.c add changes, with the lock of
   the heap held or with the whole heap held.

   In a process with one thread, each change is counted at once. If there are several
   threads, each thread collects some changes and then counts all of them under one
   lock. Otherwise the cache lines of the tree of stacks would move between processors
   for each change, which takes longer than the counting. Sums do not depend on the
   order in which threads count. Peaks do, so the number of bytes in collected changes
   is limited: all threads together have less than a hundredth of the peak. */

#ifndef CCPROF_HEAP_CHANGES_H
#define CCPROF_HEAP_CHANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/stacks.h"
#include "rt/heap/times.h"

/* All counts of the heap. */
struct ccprof_heap_state {
    struct ccprof_heap_stacks stacks;
    struct ccprof_heap_times times;
    uint64_t size;      /* mean bytes between samples; 0: every block is counted */
    uint64_t start;     /* start of the process or forked child, in nanoseconds */
    uint64_t peak_time; /* time of the peak on the same clock; 0: nothing was in use */
    uint64_t unknown;   /* freed blocks whose allocation was not seen */
    uint64_t unkept;    /* calls of the allocator that were not fully counted */
    /* Blocks whose free was not seen: a later block has the same address. */
    uint64_t unseen;
    uint64_t excess; /* bytes counted as in use that are not in use in the allocator */
    uint64_t memory; /* bytes that the runtime has mapped for the heap */
};

enum ccprof_heap_change_kind {
    CCPROF_HEAP_MADE,
    CCPROF_HEAP_FREED,
    CCPROF_HEAP_FREED_AT_ONCE, /* freed before its thread's next allocation or free */
};

struct ccprof_heap_change {
    uint64_t size;  /* bytes */
    uint32_t stack; /* number of the stack that allocated the block */
    uint32_t lived; /* freed block: its lifetime in milliseconds */
    uint8_t kind;   /* enum ccprof_heap_change_kind */
    bool in_table;  /* new block: it is in the table of blocks */
    uint32_t time;  /* milliseconds on heap.c's clock */
};

#define CCPROF_HEAP_CHANGES 64

/* The changes that a thread has collected. A structure of zeros means no changes. */
struct ccprof_heap_changes {
    uint32_t count;
    uint32_t counted; /* number of changes, from the first one on, that are already
                         counted (count_now) */
    uint64_t bytes;   /* sum of the changes' sizes */
    uint64_t limit;   /* maximum of BYTES */
    struct ccprof_heap_change change[CCPROF_HEAP_CHANGES];
};

/* Counts a change. TIME is the current time in nanoseconds. */
void ccprof_heap_change_count(struct ccprof_heap_state *state,
                              const struct ccprof_heap_change *change, uint64_t time);

/* Counts the changes that are not counted yet, but does not remove them. For a signal
   handler that has interrupted the changes' thread, which may be adding one more. */
void ccprof_heap_changes_count_now(struct ccprof_heap_state *state,
                                   struct ccprof_heap_changes *changes, uint64_t time);

/* Counts the changes that are not counted yet, and removes all changes. */
void ccprof_heap_changes_count(struct ccprof_heap_state *state,
                               struct ccprof_heap_changes *changes, uint64_t time);

/* Adds the change to the collected ones. Returns true if they must be counted before
   the next change is added. */
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
