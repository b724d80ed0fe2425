/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what rows are made of: the heap by row, counters by source, and the samples
   that may belong to another source.  For rows.c and for groups/.

   Heap amounts are added over stacks that were built of the heap's points
   (profile/heappoints.h), by row or by whatever else nodes belong to.  This is the only
   place where they are added; rows hold the result.  */

#ifndef MLPROF_AMOUNTS_H
#define MLPROF_AMOUNTS_H

#include "mlprof/profile/heapdata.h"
#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"
#include "mlprof/rows/branch.h"

struct stacks;

/* The amounts of a row by measure: its own, and with all that it called.  */
struct amounts_row {
    struct heapdata_amount own[HEAPDATA_MEASURES];
    struct heapdata_amount stack[HEAPDATA_MEASURES];
};

/* How far the estimates of a measure are from the truth, of blocks and of bytes.  */
struct amounts_error {
    struct statistics_error of[2];
};

struct amounts_errors {
    struct amounts_error own[HEAPDATA_MEASURES];
    struct amounts_error stack[HEAPDATA_MEASURES];
};

/* All zero: there are none.  */
struct amounts {
    uint64_t sample; /* as in struct heapdata */
    size_t count;
    struct amounts_row *rows;      /* by row */
    struct amounts_errors *errors; /* the same; NULL: each block was counted */
};

/* A node of stacks whose own amounts are a row's or, with BELOW, these and those of all
   nodes below it are what the row has with all that it called.  */
struct amounts_place {
    uint32_t node, row;
    bool below;
};

/* Fill AMOUNTS, which amounts_free frees, with what COUNT rows have of HEAP:
   amounts_find_at at PLACE_COUNT places in STACKS; amounts_find where OF_NODE says, by
   node of STACKS, the row of the node, or STACKS_NONE.  A row that is on a stack several
   times has what is below its outermost frame.  */
void amounts_find_at(struct amounts *amounts, const struct stacks *stacks,
                     const struct heapdata *heap, const struct amounts_place *places,
                     size_t place_count, size_t count);
void amounts_find(struct amounts *amounts, const struct stacks *stacks,
                  const struct heapdata *heap, const uint32_t *of_node, size_t count);

/* Makes what rows have with all that they called what they have alone.  */
void amounts_stand_alone(struct amounts *amounts);

/* Adds what row FROM_ROW of FROM has to ROW.  Both are of one heap.  */
void amounts_add(struct amounts *amounts, size_t row, const struct amounts *from,
                 size_t from_row);

/* Adds what row CALLEE has with all that it called to that of row CALLER.  */
void amounts_add_called(struct amounts *amounts, size_t caller, size_t callee);

/* Amounts of COUNT rows that have nothing yet, of the same heap as AMOUNTS.  */
struct amounts amounts_like(const struct amounts *amounts, size_t count);

/* The interval of what a row has of MEASURE, of bytes or of blocks (heapdata_interval):
   of its own, or with STACK with all that it called.  */
struct statistics_interval amounts_interval(const struct amounts *amounts, size_t row,
                                            enum heapdata_measure measure, bool stack,
                                            bool bytes);

void amounts_free(struct amounts *amounts);

/* Counters: the calls of each source, or with COUNTERS_INCLUSIVE all that was counted
   while the source was on the stack.  */

enum counters_kind { COUNTERS_CALLS, COUNTERS_INCLUSIVE };

/* The sum of the counters of one source.  */
struct counters_sum {
    bool counted; /* the source has a counter */
    uint64_t count;
};

/* The sums by source.  There are as many as there were sources when the counters were
   added up.  */
struct counters {
    struct counters_sum *sums;
    size_t count;
    bool any;          /* at least one source has a counter */
    uint64_t left_out; /* the counts of functions that were taken out (names.h) */
};

/* Fills COUNTERS, whose sums are to be freed.  Adds to STACKS the sources that have
   counters and were missing.  Calls whose counter is in no table belong to
   <unprofiled>.  */
void counters_find(struct counters *counters, enum counters_kind kind,
                   struct stacks *stacks, const struct profile *profile,
                   const struct program *program);

/* Adds up for each source the samples whose charge is uncertain: the processor has
   retired two instructions at once (skid.h), and the instructions belong to two sources.
   Branches are sources, too.  This function and the next one add sources that are missing
   to STACKS, which were built from PROGRAM.  */
void amounts_find_uncertainty(struct stacks *stacks, const struct program *program,
                              struct branches *branches);

/* Sets whether each source has machine code.  A source without machine code can have no
   samples.  */
void amounts_find_coded(struct stacks *stacks, const struct program *program);

#endif
