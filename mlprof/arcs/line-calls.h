/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up calls and jumps by line, for the formats that have them.

   Calls: the caller, its line and the callee, the samples in the calls and, if calls were
   counted, their number.  */

#ifndef MLPROF_LINE_CALLS_H
#define MLPROF_LINE_CALLS_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/rows/rows.h"
#include "mlprof/flow/flowcounts.h"

struct call_lines_call {
    uint32_t caller; /* row; STACKS_NONE: outside */
    uint32_t line;   /* of the caller's own file; 0: unknown, or in another file */
    uint32_t callee; /* row */
    uint64_t samples;
    /* CALLS were counted, or follow from counts; otherwise CALLS are samples.  */
    bool counted;
    uint64_t calls; /* at least 1 */
};

struct call_lines {
    struct call_lines_call *calls; /* by caller, line, callee; calls from outside last */
    size_t count, capacity;
};

/* Fills LINES, which call_lines_free frees.  For each function on its stack, a sample
   counts for one call: the call that is open in the innermost activation of the function.
   It counts for no call of the function that was executing.  So a function's own samples
   and the samples of its calls add up to its inclusive samples, however it recurses.
   ARCS may be empty.  */
void call_lines_find(struct call_lines *lines, const struct rows *rows,
                     const struct arcs *arcs);

void call_lines_free(struct call_lines *lines);

/* Jumps: how often control went from one line of a function to another, from the counts
   of its blocks.  */

/* Both lines are of the function's own file.  */
struct jumps_jump {
    uint32_t row, line, target;
    bool conditional;
    uint64_t followed, executed; /* EXECUTED is 0 unless the jump is conditional */
};

struct jumps {
    struct jumps_jump *jumps; /* by row, line, target, conditional ones last */
    size_t count, capacity;
};

/* Fills JUMPS, which jumps_free frees.  A jump is an outcome of a condition or switch
   that leads to another line, or any other edge that leads to an earlier line.  The flows
   of COUNTS have their rows.  */
void jumps_find(struct jumps *jumps, const struct rows *rows,
                const struct flowcounts *counts);

void jumps_free(struct jumps *jumps);

#endif
