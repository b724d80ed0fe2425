/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds which blocks of memory one or more runs allocated and freed, by call stack, as
   mlmon.out(5) has it.  A struct profile holds one.  */

#ifndef MLPROF_HEAPDATA_H
#define MLPROF_HEAPDATA_H

#include "mlprof/base/index.h"

#include <stdbool.h>

/* What amounts are of, in the order of the data file.  */
enum heapdata_measure {
    HEAPDATA_TOTAL, /* allocated */
    HEAPDATA_FREED,
    HEAPDATA_LIVE, /* alive when the file was written */
    HEAPDATA_PEAK, /* alive when most was */
    HEAPDATA_MEASURES
};

struct heapdata_amount {
    uint64_t blocks, bytes;
};

/* No sum is larger than this.  */
#define HEAPDATA_MOST (UINT64_C(1) << 56)

/* A program point, reached by way of the points above it, and what was allocated in it,
   without what was in points below it.  */
struct heapdata_node {
    uint32_t parent; /* the point above it, or PROFILE_NO_NODE */
    uint32_t module; /* or PROFILE_NO_MODULE */
    uint64_t address;
    struct heapdata_amount of[HEAPDATA_MEASURES];
};

/* All zero: no heap was measured.  */
struct heapdata {
    bool measured;
    bool ended; /* all its runs had ended */
    /* Of a profile whose points are the heap's (heappoints.h): what they have is bytes of
       MEASURE, and the rows are those of all measures if WHOLE is set.  */
    bool shown, whole;
    enum heapdata_measure measure;
    struct heapdata_amount sums[HEAPDATA_MEASURES]; /* of all points */
    uint64_t peak_time; /* nanoseconds up to the peak; 0: not known, or several runs */
    uint64_t unknown;   /* blocks that were freed and not seen allocated */
    uint64_t unkept;    /* calls of the allocator that are not all counted */
    uint64_t memory;    /* bytes that the runtime had for this, in the run with most */
    struct heapdata_node *nodes; /* a parent stands before its children */
    size_t node_count, node_capacity;
    struct index index; /* of the nodes; key: parent, module, address */
};

/* The number of the point, which is added if it is missing.  */
uint32_t heapdata_put(struct heapdata *heap, uint32_t parent, uint32_t module,
                      uint64_t address);

/* Adds AMOUNTS, one for each measure, to SUMS.  Returns false, with SUMS partly added to,
   if one becomes too large.  */
bool heapdata_add(struct heapdata_amount *sums, const struct heapdata_amount *amounts);

/* Whether the sums of both are not too large.  */
bool heapdata_fit(const struct heapdata *into, const struct heapdata *from);

/* Adds FROM to INTO; the two fit.  MODULES has, by module of FROM, the number in INTO. */
void heapdata_merge(struct heapdata *into, const struct heapdata *from,
                    const uint32_t *modules);

void heapdata_free(struct heapdata *heap);

#endif
