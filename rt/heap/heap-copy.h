/* SPDX-License-Identifier: MIT */
/* Copies what is known of the heap, for heap-write.c: the program need not wait for the
   disk, and what is written is of one moment.

   With a copy for a slice the next slice begins, at the same moment.  If the file cannot
   be written the copy is put back before the next one is made, which then has both.  */

#ifndef CCPROF_HEAP_COPY_H
#define CCPROF_HEAP_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-inside.h"
#include "rt/heap/heap-reach.h"
#include "rt/heap/heap-write-times.h"
#include "rt/os/memory.h"

/* A point of the copy.  BELOW is the first point that it has called, BESIDE the next one
   of the same caller: numbers, or 0, which heap-write.c sets.  */
struct ccprof_heap_copied {
    uint64_t address;
    uint32_t caller, below, beside;
    struct ccprof_heap_amount allocated, freed, alive, at_peak;
    struct ccprof_heap_life life;
};

struct ccprof_heap_copy {
    struct ccprof_heap_state state; /* its sums are those of the copied points */
    struct ccprof_pages pages;
    struct ccprof_heap_copied *point; /* by number, ROOT included */
    uint32_t count;
    struct ccprof_heap_told told; /* when blocks were made and freed */
    struct ccprof_pages reach_pages;
    struct ccprof_heap_reach *reach; /* by number; null: not known */
};

/* Makes a copy.  ENDED tells that nothing is counted after it, NEXT that the next slice
   begins with it.  Returns null, or why that is not possible.  As ccprof_heap_write.  */
const char *ccprof_heap_copy_make(struct ccprof_heap_copy *copy, bool ended, bool next);

/* Gives the copy back, unless it was made for a slice: then ccprof_heap_slice_told does.
 */
void ccprof_heap_copy_free(struct ccprof_heap_copy *copy, bool next);

#endif
