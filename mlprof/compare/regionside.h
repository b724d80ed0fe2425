/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what the calls of regions took in several runs, run by run and region by region:
   a side of a comparison.  */

#ifndef MLPROF_REGIONSIDE_H
#define MLPROF_REGIONSIDE_H

#include "mlprof/compare/side.h"
#include "mlprof/evaluate/evaluate.h"

/* Of a region in a run; times in nanoseconds, without what it cost to measure.  */
struct regionside_value {
    uint64_t calls; /* 0: there was none */
    double mean, deviation, p50, p99;
};

struct regionside_run {
    struct regionside_value *values; /* by region; the last ones may be missing */
    size_t count;
};

/* Starts as all zero but for BY, by name or by path.  */
struct regionside {
    enum regionrows_by by;
    struct side regions; /* as functions, for match.h; without runs */
    struct regionside_run *runs;
    size_t run_count, run_capacity;
    size_t measured; /* runs that have regions */
    double tick;     /* nanoseconds; the longest one of the runs */
};

/* Adds a run.  */
void regionside_add(struct regionside *side, const struct evaluate_result *result);

/* No calls if the run has no such region.  */
struct regionside_value regionside_value(const struct regionside *side, size_t run,
                                         uint32_t region);

/* The rows of a sum of its runs, by region; NULL: it has none there.  The list is to be
   freed.  */
const struct regionrows_row **regionside_rows(struct regionside *side,
                                              const struct regionrows *rows);

void regionside_free(struct regionside *side);

#endif
