/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a profile of the heap, whose points have the memory that was allocated there.  So
   stacks are built of the heap as they are of samples.  For evaluate/evaluate.c.

   The points have no times: what they have is divided among bins, which have the place of
   buckets, two for each measure, of blocks and of bytes.  Stacks that were built of them
   have the sum of all bins in each node until stacks_weigh_heap sets one measure.  */

#ifndef MLPROF_HEAPPOINTS_H
#define MLPROF_HEAPPOINTS_H

#include "mlprof/profile/profile.h"

#define HEAPPOINTS_BINS (2 * HEAPDATA_MEASURES)

/* The bins of a measure.  */
#define HEAPPOINTS_BLOCKS(measure) (2 * (uint32_t)(measure))
#define HEAPPOINTS_BYTES(measure)  (2 * (uint32_t)(measure) + 1)

/* The first of the bins behind these: of blocks that were made in a bucket of time and
   freed in another one or not at all (struct heaptimes_cell), in points that were made
   with cells.  */
#define HEAPPOINTS_CELLS HEAPPOINTS_BINS

/* The cell that a bin is of, its blocks or its bytes.  */
struct heappoints_cell {
    uint32_t born, freed; /* as in struct heaptimes_cell */
    bool bytes;
};

/* The first of the bins behind these: of blocks of one size and one measure that were
   sampled, how many they are.  */
#define HEAPPOINTS_SAMPLES (HEAPPOINTS_CELLS + 2 * CCPROF_SPANS * (CCPROF_SPANS + 1))

/* The cell of BIN, which is before the bins of samples.  */
struct heappoints_cell heappoints_cell_of(uint32_t bin);

/* The measure of a bin of samples, HEAPDATA_MEASURES for another bin; and the size of its
   blocks, HEAP being that of the points.  */
enum heapdata_measure heappoints_measure_of_sample(uint32_t bin);
uint64_t heappoints_size_of_sample(const struct heapdata *heap, uint32_t bin);

/* The amount that a bin is of.  */
uint64_t *heappoints_of_bin(struct heapdata_amount *amounts, uint32_t bin);

/* Whether nothing but the heap was measured.  */
bool heappoints_alone(const struct profile *profile);

/* Fills POINTS, which heappoints_free frees: PROFILE as if bytes alone had been measured.
   All but the points belongs to PROFILE, which must live as long.  WITH_CELLS asks for
   bins of cells.  */
void heappoints_make(struct profile *points, const struct profile *profile,
                     bool with_cells);

void heappoints_free(struct profile *points);

#endif
