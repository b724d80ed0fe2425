/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the times of regions in several runs, run by run and region by region, as a side
   of a comparison; finds which became slower or faster between two, and how certain that
   is, and prints it.  Regions are matched as functions are (match.h).

   The mean times of a call, or the means of the runs' means, are compared by Welch's
   test.  The variance is computed from the single calls; if a side has several runs also
   from how these differ, since calls of one run have much in common.  The greater
   uncertainty counts.  Which changes are certain is decided for all regions together
   (variation.h).  */

#ifndef MLPROF_REGIONCHANGE_H
#define MLPROF_REGIONCHANGE_H

#include "mlprof/compare/match.h"
#include "mlprof/compare/runset.h"
#include "mlprof/compare/variation.h"
#include "mlprof/columns/table.h"
#include "mlprof/evaluate/evaluate.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* A region in one run.  Times are in nanoseconds, less the cost of measuring.  */
struct regionside_value {
    uint64_t calls; /* 0: the region was not called */
    double mean, deviation, p50, p99;
};

struct regionside_run {
    struct regionside_value *values; /* by region; regions at the end may be missing */
    size_t count;
};

/* All zero but for BY: regions are told apart by name or by path.  */
struct regionside {
    enum regionrows_by by;
    struct runset regions; /* the regions as functions, for match.h; without runs */
    struct regionside_run *runs;
    size_t run_count, run_capacity;
    size_t measured; /* number of runs that have regions */
    double tick;     /* the longest tick of all runs, in nanoseconds */
};

/* Adds a run.  */
void regionside_add(struct regionside *side, const struct evaluate_result *result);

/* By region: its row in ROWS, the sum of the side's runs, or NULL.  The list is to be
   freed.  */
const struct regionrows_row **regionside_rows(struct regionside *side,
                                              const struct regionrows *rows);

void regionside_free(struct regionside *side);

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
