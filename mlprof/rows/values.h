/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up all measures of the heap over stacks that were built of its points
   (profile/heappoints.h), by row or by whatever else nodes belong to: the only place
   where amounts are added.  Rows have the result, and views ask it.  */

#ifndef MLPROF_VALUES_H
#define MLPROF_VALUES_H

#include "mlprof/profile/heapdata.h"

struct stacks;

/* The amounts of a row by measure: its own, and with all that it called.  */
struct values_amounts {
    struct heapdata_amount own[HEAPDATA_MEASURES];
    struct heapdata_amount stack[HEAPDATA_MEASURES];
};

/* How far the estimates of a measure are from the truth, of blocks and of bytes.  */
struct values_doubt {
    struct statistics_doubt of[2];
};

struct values_doubts {
    struct values_doubt own[HEAPDATA_MEASURES];
    struct values_doubt stack[HEAPDATA_MEASURES];
};

/* All zero: there are none.  */
struct values {
    uint64_t sample; /* as in struct heapdata */
    size_t count;
    struct values_amounts *amounts; /* by row */
    struct values_doubts *doubts;   /* the same; NULL: each block was counted */
};

/* A node of stacks whose own amounts are a row's or, with BELOW, these and those of all
   nodes below it are what the row has with all that it called.  */
struct values_place {
    uint32_t node, row;
    bool below;
};

/* Fill VALUES, which values_free frees, with what COUNT rows have of HEAP:
   values_find_at at PLACE_COUNT places in STACKS; values_find where OF_NODE says, by node
   of STACKS, the row of the node, or STACKS_NONE.  A row that is on a stack several times
   has what is below its outermost frame.  */
void values_find_at(struct values *values, const struct stacks *stacks,
                    const struct heapdata *heap, const struct values_place *places,
                    size_t place_count, size_t count);
void values_find(struct values *values, const struct stacks *stacks,
                 const struct heapdata *heap, const uint32_t *of_node, size_t count);

/* Makes what rows have with all that they called what they have alone.  */
void values_stand_alone(struct values *values);

/* Adds what row FROM_ROW of FROM has to ROW.  Both are of one heap.  */
void values_add(struct values *values, size_t row, const struct values *from,
                size_t from_row);

/* Adds what row CALLEE has with all that it called to that of row CALLER.  */
void values_add_called(struct values *values, size_t caller, size_t callee);

/* Values of COUNT rows that have nothing yet, of the same heap as VALUES.  */
struct values values_like(const struct values *values, size_t count);

/* The interval of what a row has of MEASURE, of bytes or of blocks (heapdata_interval):
   of its own, or with STACK with all that it called.  */
struct statistics_interval values_interval(const struct values *values, size_t row,
                                           enum heapdata_measure measure, bool stack,
                                           bool bytes);

void values_free(struct values *values);

#endif
