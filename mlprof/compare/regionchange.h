/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which regions became slower or faster between two sides of a comparison, and how
   certain that is; and prints it.  Regions are matched as functions are (match.h).

   The mean time of a call is compared, of several runs the mean of their means, by
   Welch's test.  How uncertain it is tell the calls, each for itself; and if there are
   several runs how these differ, since calls of one run have much in common: the worse of
   the two counts.  Which changes are certain is decided of all regions (verdict.h).  */

#ifndef MLPROF_REGIONCHANGE_H
#define MLPROF_REGIONCHANGE_H

#include "mlprof/compare/match.h"
#include "mlprof/compare/regionside.h"
#include "mlprof/compare/verdict.h"
#include "mlprof/table/table.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* Arrays are of before and after; times are nanoseconds.  */
struct regionchange {
    char *name;          /* with its place if another one is called alike */
    uint32_t regions[2]; /* their numbers on the sides; MATCH_NONE: not there */
    double calls[2];     /* of a run on average; 0: there was none */
    double mean[2], p50[2], p99[2];
    struct verdict
        verdict; /* of the change of the mean; tested if there are enough calls or runs */
};

struct regionchanges {
    struct regionchange *changes; /* certain ones first, then by size */
    size_t count, tested, certain;
    size_t runs[2];
    double tick; /* the longest one of all runs */
    const char *programs[2];
};

/* Fills CHANGES, which regionchanges_free frees; both sides have a run.  */
void regionchanges_find(struct regionchanges *changes,
                        const struct regionside *const sides[2]);

/* In the order of a column that comparisons have, otherwise as they are.  */
void regionchanges_sort(struct regionchanges *changes, enum view_order order);

/* The first TOP rows, all if it is 0.  */
void regionchanges_print(FILE *out, const struct regionchanges *changes, size_t top);

void regionchanges_free(struct regionchanges *changes);

/* The changes as a table; freed by table_free.  */
struct table regionchanges_table(const struct regionchanges *changes);

/* The columns of that table.  */
extern const struct table_view regionchanges_columns;

#endif
