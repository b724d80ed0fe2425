/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap by source function, for view/heapview.c: what each function has
   allocated as the innermost profiled one, and what it and all that it called have.  */

#ifndef MLPROF_HEAPROWS_H
#define MLPROF_HEAPROWS_H

#include "mlprof/rows/rows.h"
#include "mlprof/stacks/stacks-filter.h"

/* The amounts of a row, by measure.  */
struct heaprows_amounts {
    struct heapdata_amount own[HEAPDATA_MEASURES];
    struct heapdata_amount stack[HEAPDATA_MEASURES];
};

/* All zero if no heap was measured.  */
struct heaprows {
    struct rows rows; /* with no numbers of their own but the order of names */
    struct heaprows_amounts *amounts; /* by row */
};

/* Fills ROWS, which heaprows_free frees, from the heap of PROFILE, or what FILTER, unless
   it is NULL, leaves of it.  Its patterns have been found in the heap already.  */
void heaprows_fill(struct heaprows *rows, const struct profile *profile,
                   const struct program *program, const struct stacks_filter *filter,
                   const struct names_style *names);

void heaprows_free(struct heaprows *rows);

#endif
