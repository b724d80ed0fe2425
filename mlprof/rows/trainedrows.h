/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how much of the time is in functions whose executions were counted for GCC
   (the argument train), for view/pgo.c.

   A sample belongs to the function by whose counts GCC compiles the code in which it was
   taken: of the functions in its local stack the innermost one that was executed by its
   counts.  A function that GCC has inlined before it counts has none, or 0, and its time
   is that of the function around.  If the compiled function itself, the outermost one,
   has no counts, the code was compiled without the argument, and the sample belongs to
   its innermost function, as in other tables.  */

#ifndef MLPROF_TRAINEDROWS_H
#define MLPROF_TRAINEDROWS_H

#include "mlprof/flow/trained.h"
#include "mlprof/rows/rows.h"

enum trainedrows_what {
    TRAINEDROWS_NONE,    /* its executions were not counted */
    TRAINEDROWS_LIBRARY, /* of a module without tables, or a stub that calls one */
    TRAINEDROWS_NEVER,   /* by its counts it was never executed */
    TRAINEDROWS_UNKNOWN, /* not a function: lost samples, code of no module */
    TRAINEDROWS_COUNTED,
    TRAINEDROWS_WHATS
};

/* What is known of a row beside its time.  */
struct trainedrows_fact {
    enum trainedrows_what what;
    bool known;       /* the function has counts itself */
    uint64_t entered; /* how often it was executed; 0 unless KNOWN */
};

struct trainedrows_sum {
    uint64_t samples;
    struct stacks_trust trust;
};

/* All zero if it was not wanted, or nothing was counted or sampled.  */
struct trainedrows {
    struct rows rows;               /* a function for each WHAT that it has */
    struct trainedrows_fact *facts; /* by row */
    struct trainedrows_sum sums[TRAINEDROWS_WHATS];
    size_t functions; /* that have counts, whether they have samples or not */
    size_t executed;  /* how many of them were */
};

/* Fills ROWS, which trainedrows_free frees, from the samples of STACKS, which must have
   addresses and the functions outside, and which ROWS then owns.  */
void trainedrows_fill(struct trainedrows *rows, const struct stacks *stacks,
                      const struct profile *profile, const struct program *program,
                      struct trained *trained);

void trainedrows_free(struct trainedrows *rows);

#endif
