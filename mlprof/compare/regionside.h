/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the times of regions in several runs, run by run and region by region, as a side
   of a comparison.  */

#ifndef MLPROF_REGIONSIDE_H
#define MLPROF_REGIONSIDE_H

#include "mlprof/compare/side.h"
#include "mlprof/evaluate/evaluate.h"

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
    struct side regions; /* the regions as functions, for match.h; without runs */
    struct regionside_run *runs;
    size_t run_count, run_capacity;
    size_t measured; /* number of runs that have regions */
    double tick;     /* the longest tick of all runs, in nanoseconds */
};

/* Adds a run.  */
void regionside_add(struct regionside *side, const struct evaluate_result *result);

/* The value has no calls if the run has no such region.  */
struct regionside_value regionside_value(const struct regionside *side, size_t run,
                                         uint32_t region);

/* By region: its row in ROWS, the sum of the side's runs, or NULL.  The list is to be
   freed.  */
const struct regionrows_row **regionside_rows(struct regionside *side,
                                              const struct regionrows *rows);

void regionside_free(struct regionside *side);

#endif
