/* SPDX-License-Identifier: MIT */
/* Counts what becomes of blocks in the tree of stacks (heap-stacks.h).  Each block that
   is made or freed is a change.  Only heap.c uses this, one thread at a time.

   With one thread each change is counted at once.  Of several threads, each keeps some
   changes to itself and counts them all under one lock: processors hand the memory of the
   tree to each other less often, which takes longer than to count.  Sums do not depend on
   the order in which threads count.  Peaks do, so what a thread keeps to itself is
   bounded: all threads together have less than a hundredth of the most that was alive. */

#ifndef CCPROF_HEAP_CHANGES_H
#define CCPROF_HEAP_CHANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-inside.h"

enum ccprof_heap_what {
    CCPROF_HEAP_MADE,
    CCPROF_HEAP_MADE_AGAIN, /* by realloc, in place of another one */
    CCPROF_HEAP_FREED,
    CCPROF_HEAP_FREED_AT_ONCE, /* before its thread has allocated again */
};

struct ccprof_heap_change {
    uint64_t size;  /* bytes */
    uint32_t stack; /* that has made the block */
    uint32_t lived; /* milliseconds, of one that is freed */
    uint8_t what;   /* enum ccprof_heap_what */
    bool kept;      /* of one that is made: it is in the table until it is freed */
    bool foreign;   /* of one that is freed: by another thread */
    uint32_t time;  /* when it was, in milliseconds on heap.c's clock */
};

#define CCPROF_HEAP_CHANGES 64

/* The changes that a thread keeps to itself.  All zeros is none.  */
struct ccprof_heap_changes {
    uint32_t count;
    uint32_t counted; /* so many of them, the first ones, by who did not clear them */
    uint64_t bytes;   /* of all of them */
    uint64_t limit;   /* how many bytes may be kept */
    struct ccprof_heap_change change[CCPROF_HEAP_CHANGES];
};

/* Counts a change at TIME, in nanoseconds.  */
void ccprof_heap_change_count(struct ccprof_heap_state *state,
                              const struct ccprof_heap_change *change, uint64_t time);

/* Counts the changes that are not counted yet, which stay: where a handler has
   interrupted their thread, which may be about to keep one more.  */
void ccprof_heap_changes_count_now(struct ccprof_heap_state *state,
                                   struct ccprof_heap_changes *changes, uint64_t time);

/* Counts them, and none is left.  */
void ccprof_heap_changes_count(struct ccprof_heap_state *state,
                               struct ccprof_heap_changes *changes, uint64_t time);

/* Keeps the change.  Returns whether there are so many that they must be counted before
   the next one.  */
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
