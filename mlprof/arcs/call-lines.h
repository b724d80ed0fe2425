/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up who called whom from which line, with the samples spent in the calls and, where
   they were counted, their number; for the formats that tell of calls by line.  */

#ifndef MLPROF_CALL_LINES_H
#define MLPROF_CALL_LINES_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/rows/rows.h"

struct call_lines_call {
    uint32_t caller; /* row; STACKS_NONE: outside */
    uint32_t line;   /* of the caller's own file; 0: unknown, or in another file */
    uint32_t callee; /* row */
    uint64_t samples;
    bool counted; /* CALLS were counted, or follow from what was; else they are samples */
    uint64_t calls; /* at least 1 */
};

struct call_lines {
    struct call_lines_call *calls; /* by caller, line, callee; from outside last */
    size_t count, capacity;
};

/* Fills LINES, which call_lines_free frees.  A sample is that of one call of each
   function on its stack: the one open in the function's innermost activation, and of none
   of the function that was executing.  So a function's own samples and those of its calls
   are together its inclusive ones, however it recurses.  ARCS may be empty.  */
void call_lines_find(struct call_lines *lines, const struct rows *rows,
                     const struct arcs *arcs);

void call_lines_free(struct call_lines *lines);

#endif
