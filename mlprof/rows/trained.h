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

/* A function with counts. An inline function is combined from all objects that
   contain it. */
struct trained_function {
    uint64_t entered;   /* number of executions */
    bool executed;      /* at least one of its counts is not 0 */
    bool placed;        /* a source of the tables starts at the same position */
    uint32_t place;     /* checksum of its position */
    const char *object; /* path of an object that contains the function (arctables.h) */
    uint32_t next;      /* next unplaced function with the same symbol, or UINT32_MAX */
};

/* All members start as zero. */
struct trained {
    struct trained_function *functions;
    size_t count, capacity;
    size_t executed; /* number of executed functions */
    struct intern symbols;
    struct index index; /* key: symbol and checksum of the position */
    /* By symbol. WITHOUT: the first function that is not placed, or UINT32_MAX.
       CLAIMS: number of sources that match no function. */
    uint32_t *without;
    size_t *claims;
    size_t symbol_count; /* number of elements in both arrays */
};

/* Fills TRAINED from COUNTS and the tables of PROGRAM. The caller frees it with
   trained_free. */
void trained_find(struct trained *trained, const struct arccounts *counts,
                  const struct program *program);

void trained_free(struct trained *trained);

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

/* Fills ROWS from the samples of STACKS. ROWS then owns STACKS. The caller frees
   ROWS with trainedrows_free. STACKS must have addresses and the functions outside. */
void trainedrows_fill(struct trainedrows *rows, const struct stacks *stacks,
                      const struct profile *profile, const struct program *program,
                      struct trained *trained);

void trainedrows_free(struct trainedrows *rows);

#endif
