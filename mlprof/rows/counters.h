/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what the counters of each source have counted, for rows.c and for groups:
   either the calls of the source, or all that was counted while the source was on the
   stack.  */

#ifndef MLPROF_COUNTERS_H
#define MLPROF_COUNTERS_H

#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"

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

#endif
