/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how much of the time is in functions whose executions were counted for GCC's
   own profile (the argument train), for view/pgo.c.

   A function has counts if its flow graph is in the tables.  GCC takes the graph after
   early inlining, so a function that was inlined everywhere by then has none.

   A sample belongs to the function by whose counts GCC compiles the code: to the
   innermost function of the sample's local stack that was executed by its counts.  The
   time of a function that GCC has inlined before it counts belongs to the function around
   it.  If the compiled function itself, the outermost one, has no counts, its code was
   compiled without the argument.  The sample then belongs to its innermost function, as
   in other tables.  */

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

enum trainedrows_what {
    TRAINEDROWS_NONE,    /* its executions were not counted */
    TRAINEDROWS_LIBRARY, /* of a module without tables, or a stub that calls one */
    TRAINEDROWS_NEVER,   /* by its counts it was never executed */
    TRAINEDROWS_UNKNOWN, /* not a function: lost samples, code of no module */
    TRAINEDROWS_COUNTED,
    TRAINEDROWS_WHATS
};

/* Facts about a row, in addition to its time.  */
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
