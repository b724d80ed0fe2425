/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a profile from the heap: its points have the memory allocated at them instead
   of samples, so that stacks can be built from the heap in the same way as from
   samples. Used by report/ and by the modules that read the bins.

   The points have no times. Their amounts are divided into bins instead of buckets of
   time. There are two bins for each measure, one of blocks and one of bytes. In stacks
   built from these points, each node has the sum of all bins until stacks_weigh_heap
   selects one measure. */

#ifndef MLPROF_HEAPPOINTS_H
#define MLPROF_HEAPPOINTS_H

#include "mlprof/profile/profile.h"

#define HEAPPOINTS_BINS (2 * HEAPDATA_MEASURES)

/* The two bins of a measure. */
#define HEAPPOINTS_BLOCKS(measure) (2 * (uint32_t)(measure))
#define HEAPPOINTS_BYTES(measure)  (2 * (uint32_t)(measure) + 1)

/* The first of the bins for cells, which come after the bins for measures. A cell has
   the blocks that were allocated in one bucket of time and freed in another bucket or
   never (struct heaptimes_cell). Only points that were made with cells have these
   bins. */
#define HEAPPOINTS_CELLS HEAPPOINTS_BINS

/* The cell to which a bin belongs. Also says whether the bin counts bytes or blocks. */
struct heappoints_cell {
    uint32_t born, freed; /* as in struct heaptimes_cell */
    bool bytes;
};

/* The first of the bins for samples, which come after the bins for cells. Such a bin
   has the number of sampled blocks of one size and one measure. */
#define HEAPPOINTS_SAMPLES (HEAPPOINTS_CELLS + 2 * CCPROF_SPANS * (CCPROF_SPANS + 1))

/* Returns the cell of BIN, which is a bin of cells. */
struct heappoints_cell heappoints_cell_of(uint32_t bin);

/* Return the measure of a bin of samples (HEAPDATA_MEASURES for another bin), and the
   size of its blocks. HEAP is the heap of the points. */
enum heapdata_measure heappoints_measure_of_sample(uint32_t bin);
uint64_t heappoints_size_of_sample(const struct heapdata *heap, uint32_t bin);

/* Returns whether only the heap was measured. */
bool heappoints_alone(const struct profile *profile);

/* Fills POINTS with PROFILE as if only allocated bytes had been measured; freed by
   heappoints_free. Everything except the points belongs to PROFILE, which must live as
   long. WITH_CELLS adds the bins of cells. */
void heappoints_make(struct profile *points, const struct profile *profile,
                     bool with_cells);

void heappoints_free(struct profile *points);

#endif
