/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which functions have counts of GCC's own profile (the argument train), for
   rows/trainedrows.c.  A function has them if its flow graph is in the tables: GCC takes
   the graph behind early inlining, so that a function that was inlined there everywhere
   has none.  */

#ifndef MLPROF_TRAINED_H
#define MLPROF_TRAINED_H

#include "mlprof/flow/arccounts.h"
#include "mlprof/names/identity.h"
#include "mlprof/rows/rows.h"

/* A function with counts, an inline function in all objects that have it.  */
struct trained_function {
    uint64_t entered;   /* how often it was executed */
    bool executed;      /* not all of its counts are 0 */
    bool placed;        /* a source of the tables starts where the function does */
    uint32_t place;     /* the checksum of where that is */
    const char *object; /* one that has the function (arctables.h) */
    uint32_t next;      /* of those with the symbol that are not placed; or UINT32_MAX */
};

/* Starts as all zero.  */
struct trained {
    struct trained_function *functions;
    size_t count, capacity;
    size_t executed; /* how many of them were */
    struct intern symbols;
    struct index index; /* key: symbol, checksum of the place */
    /* By symbol: the first function that is not placed, or UINT32_MAX, and how many
       sources that are no function's.  */
    uint32_t *without;
    size_t *claims;
    size_t symbol_count; /* how many symbols have an entry there */
};

/* Fills TRAINED, which trained_free frees, from COUNTS and the tables of PROGRAM.  */
void trained_find(struct trained *trained, const struct arccounts *counts,
                  const struct program *program);

void trained_free(struct trained *trained);

/* Computes how much of the time is in functions whose executions were counted for GCC
   (the argument train), for view/pgo.c.

   A sample belongs to the function by whose counts GCC compiles the code in which it was
   taken: of the functions in its local stack the innermost one that was executed by its
   counts.  A function that GCC has inlined before it counts has none, or 0, and its time
   is that of the function around.  If the compiled function itself, the outermost one,
   has no counts, the code was compiled without the argument, and the sample belongs to
   its innermost function, as in other tables.  */

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
    struct stacks_uncertainty uncertainty;
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
