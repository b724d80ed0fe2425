/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives stacks that were built of the heap's points (profile/heappoints.h) one measure of
   the heap, for evaluate/evaluate.c, so that views and formats show the heap as they show
   what the kind alloc has counted.  */

#ifndef MLPROF_HEAPSTACKS_H
#define MLPROF_HEAPSTACKS_H

#include "mlprof/stacks/stacks.h"

/* Makes the bytes of MEASURE the counts of the nodes of STACKS, and an allocation site of
   each node that has blocks; what nodes have of each bin is moved into HEAP.  ALL is the
   bytes of the whole heap: what STACKS, which may be filtered, lacks of them is what the
   sites have left out.  Returns the bytes of STACKS.  */
uint64_t heapstacks_weigh(struct stacks *stacks, enum heapdata_measure measure,
                          uint64_t all);

#endif
