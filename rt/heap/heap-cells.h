/* SPDX-License-Identifier: MIT */
/* Keeps when blocks of stacks were made and freed: for each stack and bucket of time
   (heap-times.h) how much was made there, and for each two buckets how much of what was
   made in one was freed in the other.  Only what is not 0 has a cell.  Only heap-times.c
   and heap-write.c use this, one thread at a time.  */

#ifndef CCPROF_HEAP_CELLS_H
#define CCPROF_HEAP_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-stacks.h"

/* In place of the bucket in which blocks were freed: all that were made.  */
#define CCPROF_HEAP_CELLS_MADE UINT8_MAX

/* The most places of the table, of 24 bytes each.  */
#define CCPROF_HEAP_CELLS_MOST (1u << 20)

struct ccprof_heap_cell {
    uint32_t stack; /* 0: this place is free */
    uint8_t born, freed;
    struct ccprof_heap_amount of;
};

/* All zeros is an empty table.  */
struct ccprof_heap_cells {
    struct ccprof_heap_cell *cell;
    uint32_t places; /* a power of 2, or 0 */
    uint32_t count;
    uint64_t memory; /* bytes that are mapped */
};

/* Adds to the cell.  Returns false, with nothing added, if there is no room.  */
bool ccprof_heap_cells_add(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                           uint8_t freed, const struct ccprof_heap_amount *amount);

/* Makes one bucket of each two.  Returns false, with nothing changed, if there is no
   memory for that.  */
bool ccprof_heap_cells_halve(struct ccprof_heap_cells *cells);

/* Leaves no cell.  */
void ccprof_heap_cells_clear(struct ccprof_heap_cells *cells);

#endif
