/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how much time is spent in functions whose executions were counted for GCC's
   own profile (the argument train). Called by report.c; shown by view/pgo.c.

   A function has counts if its flow graph is in the tables. GCC takes the graph after
   early inlining, so a function that was inlined everywhere before has no graph.

   A sample belongs to the function whose counts GCC uses to compile the code. This is
   the innermost function of the sample's local stack that was executed according to
   its counts. If GCC has inlined a function before counting, its time belongs to the
   function around it.

   If the compiled function, which is the outermost one, has no counts, its code was
   compiled without the argument train. The sample then belongs to its innermost
   function, as in other tables. */

#ifndef MLPROF_TRAINED_H
#define MLPROF_TRAINED_H

#include "mlprof/flow/arccounts.h"
#include "mlprof/names/identity.h"
#include "mlprof/rows/rows.h"

enum trainedrows_what {
    TRAINEDROWS_NONE,    /* executions of the function were not counted */
    TRAINEDROWS_LIBRARY, /* code of a module without tables, or a stub that calls it */
    TRAINEDROWS_NEVER,   /* never executed, according to its counts */
    TRAINEDROWS_UNKNOWN, /* not a function: lost samples, code of no module */
    TRAINEDROWS_COUNTED,
    TRAINEDROWS_WHATS
};

/* Data about a row, in addition to its time. */
struct trainedrows_fact {
    enum trainedrows_what what;
    bool known;       /* the function itself has counts */
    uint64_t entered; /* number of executions; 0 unless KNOWN */
};

struct trainedrows_sum {
    uint64_t samples;
    struct stacks_uncertainty uncertainty;
};

/* All zero if it was not requested, or if nothing was counted or sampled. */
struct trainedrows {
    struct rows rows;               /* one row for each function and WHAT */
    struct trainedrows_fact *facts; /* by row */
    struct trainedrows_sum sums[TRAINEDROWS_WHATS];
    size_t functions; /* number of functions with counts, with or without samples */
    size_t executed;  /* number of executed functions */
};

/* Fills ROWS from the samples of STACKS and the functions in COUNTS. ROWS then owns
   STACKS. The caller frees ROWS with trainedrows_free. STACKS must have addresses and
   the functions outside. */
void trainedrows_fill(struct trainedrows *rows, const struct stacks *stacks,
                      const struct profile *profile, const struct program *program,
                      const struct arccounts *counts);

void trainedrows_free(struct trainedrows *rows);

#endif
