/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells how far what was estimated of the heap may be from the truth, for side.c, which
   adds a run in which blocks were sampled.  Pure functions.  */

#ifndef MLPROF_SIDE_RANGES_H
#define MLPROF_SIDE_RANGES_H

#include "mlprof/rows/amounts.h"

/* The intervals of 95 % of what a function has.  That of BLOCKS has no upper end where
   none was sampled: how many were missed depends on their size.  */
struct side_range {
    struct statistics_interval stack, bytes, blocks;
};

/* The ranges of a run, all zero where nothing was estimated.  */
struct side_ranges {
    struct side_range *by_function;
    size_t count;
    struct side_range none; /* of a function of which nothing was sampled */
    struct side_range all;  /* of all together */
};

/* What parts of the heap have, rows or nodes of stacks, by the numbers that they have in
   a side.  */
struct side_estimates {
    const struct amounts *amounts;
    const uint32_t *numbers;
};

/* Fills RANGES, which side_ranges_free frees, with those of COUNT functions of a side: of
   what the parts have of MEASURE.  Parts with other numbers are left out.  */
void side_ranges_find(struct side_ranges *ranges, size_t count,
                      enum heapdata_measure measure, const struct side_estimates *parts);

void side_ranges_free(struct side_ranges *ranges);

#endif
