/* SPDX-License-Identifier: MIT */
/* Writes the heap over time to mlmon.out, for heap-write.c: from a copy of the cells
   (heap-cells.h), which is made while the lock of the heap is held.  */

#ifndef CCPROF_HEAP_WRITE_TIMES_H
#define CCPROF_HEAP_WRITE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-inside.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"

/* A cell of the copy.  NEXT is another one of the same stack: its number, or 0.  */
struct ccprof_heap_told_cell {
    struct ccprof_heap_cell cell;
    uint32_t next;
};

/* What a stack has made in a bucket, and what of that was freed, by bucket.  */
struct ccprof_heap_told_bucket {
    struct ccprof_heap_amount made, freed[CCPROF_HEAP_TIMES_MOST];
};

struct ccprof_heap_told {
    struct ccprof_pages pages;
    struct ccprof_heap_told_bucket *bucket; /* of one stack; all zeros between two */
    uint32_t *first;                        /* by stack, numbers of cells */
    struct ccprof_heap_told_cell *cell;     /* by number, from 1 */
    uint32_t count;                         /* of cells */
    uint32_t cells;                         /* for how many there is room */
};

/* Maps room for so many STACKS, and for the cells of TIMES and some more.  Returns false
   if there is no memory.  */
bool ccprof_heap_told_make(struct ccprof_heap_told *told, uint32_t stacks,
                           const struct ccprof_heap_times *times);
void ccprof_heap_told_free(struct ccprof_heap_told *told);

/* Whether there is room for the cells of TIMES.  */
bool ccprof_heap_told_fits(const struct ccprof_heap_told *told,
                           const struct ccprof_heap_times *times);

/* Copies the cells and what points have of their last bucket, for which there is room,
   and ends the last bucket of STATE, which is a copy.  */
void ccprof_heap_told_copy(struct ccprof_heap_told *told,
                           struct ccprof_heap_state *state);

/* Writes the lines of the buckets.  */
void ccprof_heap_told_write_buckets(struct ccprof_text *text,
                                    const struct ccprof_heap_times *times);

/* Writes when blocks of the stack were made and freed.  */
void ccprof_heap_told_write(struct ccprof_text *text, struct ccprof_heap_told *told,
                            uint32_t stack);

#endif
