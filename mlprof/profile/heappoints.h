/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a profile from the heap: its points have the memory allocated at them instead
   of samples, so that stacks can be built from the heap in the same way as from
   samples. Used by report/ and by the modules that read the columns.

   The count of a point is its number of bytes of one measure. Its values have the amounts
   of all measures, in two columns for each measure, one of blocks and one of bytes. */

#ifndef MLPROF_HEAPPOINTS_H
#define MLPROF_HEAPPOINTS_H

#include "mlprof/profile/profile.h"

#define HEAPPOINTS_COLUMNS (2 * HEAPDATA_MEASURES)

/* The two columns of a measure. */
#define HEAPPOINTS_BLOCKS(measure) (2 * (uint32_t)(measure))
#define HEAPPOINTS_BYTES(measure)  (2 * (uint32_t)(measure) + 1)

/* The first column of cells, after the columns of measures. A cell has the blocks that
   were allocated in one bucket of time and freed in another bucket or never (struct
   heaptimes_cell). Only points that were made with cells have these columns. */
#define HEAPPOINTS_CELLS HEAPPOINTS_COLUMNS

/* The cell of a column, which counts bytes or blocks. */
struct heappoints_cell {
    uint32_t born, freed; /* as in struct heaptimes_cell */
    bool bytes;
};

/* The first column of samples, after the columns of cells. Such a column has the number
   of sampled blocks of one size and one measure. */
#define HEAPPOINTS_SAMPLES (HEAPPOINTS_CELLS + 2 * CCPROF_SPANS * (CCPROF_SPANS + 1))

/* Returns the cell of COLUMN, which is a column of cells. */
struct heappoints_cell heappoints_cell_of(uint32_t column);

/* Return the measure of a column of samples (HEAPDATA_MEASURES for another column), and
   the size of its blocks. HEAP is the heap of the points. */
enum heapdata_measure heappoints_measure_of_sample(uint32_t column);
uint64_t heappoints_size_of_sample(const struct heapdata *heap, uint32_t column);

/* Returns whether only the heap was measured. */
bool heappoints_alone(const struct profile *profile);

/* Fills POINTS with PROFILE as if only bytes of MEASURE had been measured; freed by
   heappoints_free. Everything except the points belongs to PROFILE, which must live as
   long. WITH_CELLS adds the columns of cells. */
void heappoints_make(struct profile *points, const struct profile *profile,
                     enum heapdata_measure measure, bool with_cells);

void heappoints_free(struct profile *points);

#endif
