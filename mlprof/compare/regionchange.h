/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the times of regions of two sides. Holds the times of each run and region,
   finds the regions that became slower or faster and how certain that is, and prints
   them. Regions are matched like functions (match.h).

   The mean times of a call are compared by Welch's test; with several runs, the mean
   of the runs' means is compared. The variance is computed from the single calls. If
   a side has several runs, it is also computed from the differences between runs,
   because calls of one run have much in common. The greater uncertainty counts. All
   regions are tested together (variation.h). */

#ifndef MLPROF_REGIONCHANGE_H
#define MLPROF_REGIONCHANGE_H

#include "mlprof/base/buf.h"
#include "mlprof/compare/match.h"
#include "mlprof/compare/runset.h"
#include "mlprof/compare/variation.h"
#include "mlprof/columns/table.h"
#include "mlprof/report/report.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* A region in one run. Times are in nanoseconds, without the overhead of measuring. */
struct regionside_value {
    uint64_t calls; /* 0: the region was not called */
    double mean, deviation, p50, p99;
};

struct regionside_run {
    struct regionside_value *values; /* by region; may end before the last region */
    size_t count;
};

/* Initialize with zeros, except KEY, which says whether regions are identified by name
   or by path. */
struct regionside {
    enum regionrows_by key;
    struct runset regions; /* regions as functions without runs, for match.h */
    BUF_VECTOR(struct regionside_run) runs;
    size_t measured; /* number of runs that have regions */
    double tick;     /* longest clock tick of all runs, in nanoseconds */
};

void regionside_add(struct regionside *side, struct report *report);

/* Returns for each region its row in ROWS, or NULL. ROWS is the sum of the side's
   runs. The caller frees the array. */
const struct regionrows_row **regionside_rows(struct regionside *side,
                                              const struct regionrows *rows);

void regionside_free(struct regionside *side);

/* A change of a region. Index 0 of an array is before, 1 is after. Times are in
   nanoseconds. */
struct regionchange {
    char *name;          /* name with its place if another region has the same name */
    uint32_t regions[2]; /* numbers of the region in the sides, or MATCH_NONE */
    double calls[2];     /* mean number of calls in a run; 0: no call */
    double mean[2], p50[2], p99[2];
    struct verdict verdict; /* of the mean; tested if calls or runs suffice */
};

struct regionchanges {
    struct regionchange *changes; /* certain changes first, then by size */
    size_t count, tested, certain;
    size_t runs[2];
    double tick; /* longest clock tick of all runs, in nanoseconds */
    const char *programs[2];
};

/* Fills CHANGES. Both sides must have at least one run. Free CHANGES with
   regionchanges_free. */
void regionchanges_find(struct regionchanges *changes,
                        const struct regionside *const sides[2]);

/* Sorts by the column ORDER. If comparisons do not have this column, the order stays
   the same. */
void regionchanges_sort(struct regionchanges *changes, enum view_order order);

/* Prints the first TOP rows; 0: all. */
void regionchanges_print(FILE *out, const struct regionchanges *changes, size_t top);

void regionchanges_free(struct regionchanges *changes);

/* Returns the table of CHANGES. Free it with table_free. */
struct table regionchanges_table(const struct regionchanges *changes);

/* The columns of the table of changes of regions. */
extern const struct table_view regionchanges_columns;

#endif
