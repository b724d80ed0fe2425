/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up calls and jumps by line, for export/callgrind.c. A call is identified by
   its caller, its line and its callee. It has the number of samples taken during the
   call and, if calls were counted, the number of calls. */

#ifndef MLPROF_LINE_CALLS_H
#define MLPROF_LINE_CALLS_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/rows/rows.h"
#include "mlprof/flow/flowcounts.h"

struct call_lines_call {
    uint32_t caller; /* row; STACKS_NONE: outside */
    uint32_t line;   /* line in the caller's own file; 0: unknown, or in another file */
    uint32_t callee; /* row */
    uint64_t samples;
    /* If true, CALLS was counted or computed from counts. If false, CALLS is the
       number of samples. */
    bool counted;
    uint64_t calls; /* at least 1 */
};

struct call_lines {
    /* Sorted by caller, line and callee; calls from outside last. */
    struct call_lines_call *calls;
    size_t count, capacity;
};

/* Fills LINES. The caller frees it with call_lines_free. Each sample is added to one
   call of each function on its stack: the call that is open in the innermost
   activation of the function. The function that was executing has no open call.
   Therefore the self samples of a function plus the samples of its calls are its total
   samples, even if the function is recursive. ARCS may be empty. */
void call_lines_find(struct call_lines *lines, const struct rows *rows,
                     const struct arcs *arcs);

void call_lines_free(struct call_lines *lines);

/* Jumps: how often control went from one line of a function to another line, computed
   from the counts of its blocks. */

/* A jump. Both lines are in the function's own file. */
struct jumps_jump {
    uint32_t row, line, target;
    bool conditional;
    uint64_t followed, executed; /* EXECUTED is 0 unless the jump is conditional */
};

struct jumps {
    struct jumps_jump *jumps; /* sorted by row, line and target; conditional jumps last */
    size_t count, capacity;
};

/* Fills JUMPS. The caller frees it with jumps_free. A jump is an outcome of a
   condition or switch that leads to another line, or any other edge that leads to an
   earlier line. The rows of COUNTS must be set (rows_find_flows). */
void jumps_find(struct jumps *jumps, const struct rows *rows,
                const struct flowcounts *counts);

void jumps_free(struct jumps *jumps);

#endif
