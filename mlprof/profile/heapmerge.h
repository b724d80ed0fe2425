/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the heap of one profile to that of another, for profile-merge.c.

   What was allocated and freed is added.  So is what is alive, and was at the peak, of
   several processes; of the slices of one process only one tells each of the two.  So a
   heap knows which part of these sums each process with slices has, and takes it out when
   another slice tells it.  */

#ifndef MLPROF_HEAPMERGE_H
#define MLPROF_HEAPMERGE_H

#include "mlprof/profile/heapdata.h"

/* Begins to read slice NUMBER of the process PID that began at TIME into HEAP, which has
   no points yet, and ends that.  */
void heapmerge_begin_slice(struct heapdata *heap, uint64_t number, uint64_t pid,
                           uint64_t time);
void heapmerge_end_slice(struct heapdata *heap);

/* Whether the sums of both are not too large.  */
bool heapmerge_fit(const struct heapdata *into, const struct heapdata *from);

/* The numbers in a profile of another one's modules, labels and threads.  */
struct heapmerge_numbers {
    const uint32_t *modules, *labels, *threads;
};

/* Where a point of the other profile is.  */
struct heapmerge_place {
    uint32_t module;
    uint64_t address;
};

struct heapmerge_place heapmerge_place(const struct heapmerge_numbers *of,
                                       uint32_t module, uint64_t address);

/* Adds FROM to INTO, in whose profile the numbers are; the two fit.  */
void heapmerge(struct heapdata *into, const struct heapdata *from,
               const struct heapmerge_numbers *of);

#endif
