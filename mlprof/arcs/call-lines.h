/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up who called whom from which line, for the formats that have calls by line: the
   samples spent in the calls and, if calls were counted, their number.  */

#ifndef MLPROF_CALL_LINES_H
#define MLPROF_CALL_LINES_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/rows/rows.h"

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

#endif
