/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which regions became slower or faster between two sides of a comparison, and how
   certain that is, and prints it.  Regions are matched as functions are (match.h).

   The mean times of a call, or the means of the runs' means, are compared by Welch's
   test.  The variance is computed from the single calls; if a side has several runs also
   from how these differ, since calls of one run have much in common.  The greater
   uncertainty counts.  Which changes are certain is decided for all regions together
   (verdict.h).  */

#ifndef MLPROF_REGIONCHANGE_H
#define MLPROF_REGIONCHANGE_H

#include "mlprof/compare/match.h"
#include "mlprof/compare/regionside.h"
#include "mlprof/compare/verdict.h"
#include "mlprof/table/table.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* Arrays have before and after; times are in nanoseconds.  */
struct regionchange {
    char *name;          /* with its place if another region has the same name */
    uint32_t regions[2]; /* numbers of the region on the sides, or MATCH_NONE */
    double calls[2];     /* mean number of calls in a run; 0: none */
    double mean[2], p50[2], p99[2];
    struct verdict
        verdict; /* of the change of the mean; tested if there are enough calls or runs */
};

struct regionchanges {
    struct regionchange *changes; /* certain changes first, then by size */
    size_t count, tested, certain;
    size_t runs[2];
    double tick; /* the longest tick of all runs */
    const char *programs[2];
};

/* Fills CHANGES, which regionchanges_free frees.  Both sides must have a run.  */
void regionchanges_find(struct regionchanges *changes,
                        const struct regionside *const sides[2]);

/* Sorts by the column ORDER, or leaves the order as it is if comparisons have no such
   column.  */
void regionchanges_sort(struct regionchanges *changes, enum view_order order);

/* Prints the first TOP rows; 0: all.  */
void regionchanges_print(FILE *out, const struct regionchanges *changes, size_t top);

void regionchanges_free(struct regionchanges *changes);

/* The changes as a table; freed by table_free.  */
struct table regionchanges_table(const struct regionchanges *changes);

/* The columns of that table.  */
extern const struct table_view regionchanges_columns;

#endif
