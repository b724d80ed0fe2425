/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the heap of one run over time, as mlmon.out(5) has it: in buckets how much was
   alive, and by program point when blocks were made and freed.  A struct heapdata holds
   one.  */

#ifndef MLPROF_HEAPTIMES_H
#define MLPROF_HEAPTIMES_H

#include "rt/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of the bucket in which blocks were freed: none.  */
#define HEAPTIMES_ALIVE UINT8_MAX

/* Bytes; those of blocks are estimates if these were sampled.  */
struct heaptimes_bucket {
    uint64_t most;     /* of blocks that were alive at the same time */
    uint64_t alive;    /* of those at its end */
    uint64_t resident; /* memory of the process at its start; 0: not known */
};

/* Blocks of a node that were made in one bucket and freed in another or never.  No block
   is in two cells; those of a node, and with samples of a size, stand side by side.  */
struct heaptimes_cell {
    uint32_t node;
    uint8_t born, freed;
    uint64_t size; /* 0: each block was counted */
    uint64_t blocks, bytes;
};

/* A range of time, in milliseconds from the start, whose bounds are those of buckets.  */
struct heaptimes_range {
    uint64_t from, to; /* both 0: none */
    bool at_end;       /* what is alive is so at the end of the run, not at TO */
};

/* All zero: nothing is known.  */
struct heaptimes {
    uint64_t width; /* of a bucket, in milliseconds */
    uint32_t count; /* of buckets */
    bool cells_known;
    struct heaptimes_bucket buckets[CCPROF_SPANS];
    struct heaptimes_cell *cells;
    size_t cell_count, cell_capacity;
    struct heaptimes_range range; /* all else that is told of the heap is of this */
};

/* Adds a cell.  */
void heaptimes_add(struct heaptimes *times, const struct heaptimes_cell *cell);

/* The first of the buckets of the last tenth of the run, in which blocks were made that
   are young at its end; HEAPTIMES_ALIVE if there are too few buckets to say, or no cells.
 */
uint32_t heaptimes_young(const struct heaptimes *times);

void heaptimes_free(struct heaptimes *times);

#endif
