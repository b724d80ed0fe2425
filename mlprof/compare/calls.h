/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares calls, for -callers, -callees, -peek and -hot-path with -compare: what
   functions have by their callers and callees on each side, and the path of calls that
   has most, as nodes of a breakdown.  A change of these is tested as one of functions
   is, all that is asked for together.  */

#ifndef MLPROF_CALLS_H
#define MLPROF_CALLS_H

#include "mlprof/compare/breakdown.h"
#include "mlprof/compare/change.h"

/* The views, in the order in which they are printed.  */
enum calls_view { CALLS_CALLERS, CALLS_CALLEES, CALLS_PEEK, CALLS_PATH, CALLS_VIEWS };

/* Adds to CALLS the run that was added last to SIDE, of whose measure RESULT is.  ASKED:
   by view, then by row of RESULT, whether that is meant; NULL: the view is not asked for.
   Of the path the rows are of no account.  */
void calls_add(struct breakdown *calls, struct side *side,
               const struct evaluate_result *result, bool *const asked[CALLS_VIEWS]);

/* A row of the comparison.  */
struct calls_row {
    enum calls_view view;
    enum breakdown_what what;
    uint32_t function; /* row of the functions' match */
    uint32_t of; /* of a caller or callee: the row of the function itself, or NONE */
};

struct calls {
    struct calls_row *rows; /* by row of MATCH; those of the path in its order */
    struct match match;     /* of nodes */
    struct changes changes;
    size_t more; /* the side that has more, on which the path is */
};

/* Fills CALLS, which calls_free frees.  FUNCTIONS is the match of the functions of both
   sides.  MEASURE is that of the runs.  */
void calls_find(struct calls *calls, const struct breakdown *const sides[2],
                const struct match *functions, struct side_measure measure,
                bool of_share);

void calls_free(struct calls *calls);

#endif
