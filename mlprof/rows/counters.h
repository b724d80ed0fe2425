/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what the counters of each source have counted: its calls, or all that was
   counted while it was on the stack.  For rows.c and the calls of other rows than
   functions.  */

#ifndef MLPROF_COUNTERS_H
#define MLPROF_COUNTERS_H

#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"

enum counters_kind { COUNTERS_CALLS, COUNTERS_INCLUSIVE };

/* What the counters of one source have counted together.  */
struct counters_sum {
    bool counted; /* there are any */
    uint64_t count;
};

/* By the numbers of the sources, as many as there were when this was made.  */
struct counters {
    struct counters_sum *sums;
    size_t count;
    bool any;          /* a source has one */
    uint64_t left_out; /* counted in functions that were taken out (unprofile.h) */
};

/* Fills COUNTERS, whose sums are to be freed.  Sources that have counters are added to
   STACKS.  Calls whose counter is in no table are those of <unprofiled>.  */
void counters_find(struct counters *counters, enum counters_kind kind,
                   struct stacks *stacks, const struct profile *profile,
                   const struct program *program);

#endif
