/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap by source function, for view/heapview.c: what each function has
   allocated as the innermost profiled one, and what it and all that it called have.  */

#ifndef MLPROF_HEAPROWS_H
#define MLPROF_HEAPROWS_H

#include "mlprof/rows/rows.h"

/* How far the estimates of a measure are from the truth, of blocks and of bytes.  */
struct heaprows_doubt {
    struct statistics_doubt of[2];
};

/* The amounts of a row, by measure.  */
struct heaprows_amounts {
    struct heapdata_amount own[HEAPDATA_MEASURES];
    struct heapdata_amount stack[HEAPDATA_MEASURES];
    /* All zero where each block was counted.  */
    struct heaprows_doubt own_doubt[HEAPDATA_MEASURES];
    struct heaprows_doubt stack_doubt[HEAPDATA_MEASURES];
};

/* All zero if no heap was measured.  */
struct heaprows {
    struct rows rows; /* with no numbers of their own but the order of names */
    struct heaprows_amounts *amounts; /* by row */
};

/* Fills ROWS, which heaprows_free frees, from the heap of PROFILE.  */
void heaprows_fill(struct heaprows *rows, const struct profile *profile,
                   const struct program *program);

void heaprows_free(struct heaprows *rows);

#endif
