/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who called whom how often, from the counts of the blocks in which the calls are
   (O.  Waddell, J.  M.  Ashley, "Visualizing the performance of higher-order programs",
   1998).  The callee of a direct call is known.  For an indirect call only the number of
   calls is known, unless its targets were counted; for each function, the number of its
   calls that no direct call explains.  Every assignment of the former to the latter that
   adds up is possible.  Functions outside of the profile take part as little as
   possible.  */

#ifndef MLPROF_ARCS_H
#define MLPROF_ARCS_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/program/program.h"
#include "mlprof/rows/rows.h"

/* A function that an indirect call called, if this was counted: the targets of
   mlmon.out(5).  */
struct arcs_target {
    uint32_t row;          /* of the caller */
    uint32_t line, column; /* of the call in the caller; 0: unknown */
    uint32_t callee;       /* row; STACKS_NONE: outside of the profile, or left out */
    uint64_t count;
};

/* The targets that PROFILE has of functions with a row, sorted by row, position and
   callee, each once.  *COUNT is set to their number; to be freed.  */
struct arcs_target *arcs_targets_find(struct rows *rows, const struct profile *profile,
                                      const struct program *program, size_t *count);

/* Calls of a function, from one position or several.  */
struct arcs_calls {
    uint64_t count; /* an estimate, unless LEAST and MOST are equal */
    uint64_t least, most;
};

/* A call site.  */
struct arcs_site {
    uint32_t row; /* the caller */
    struct flowgraph_position position;
    uint64_t count;
    /* row; STACKS_NONE: outside of the profile, or the call is indirect.  */
    uint32_t callee;
    const char *symbol; /* the callee's symbol; NULL: the call is indirect */
    /* For an indirect call, if its targets were counted.  */
    size_t first_target, target_count;
};

/* The calls of the function in a row.  */
struct arcs_function {
    uint64_t calls; /* how often it was called */
    /* The part of CALLS that no direct call or counted target explains.  */
    uint64_t left;
    uint64_t indirect;  /* the indirect calls it made whose targets were not counted */
    bool may_be_target; /* indirect calls in the profile may have called it */
};

struct arcs {
    struct arcs_site *sites; /* by row, then position */
    size_t count, capacity;
    struct arcs_function *functions; /* by row */
    size_t function_count;
    /* Rows of the functions that indirect calls may have called, most LEFT first.  */
    uint32_t *candidates;
    size_t candidate_count;
    /* Rows of the functions that made indirect calls, most INDIRECT first.  */
    uint32_t *pointers;
    size_t pointer_count;
    const struct arcs_target *targets_counted;
    size_t target_count;
    uint64_t indirect; /* the sum of INDIRECT of all functions */
    uint64_t targets;  /* the sum of LEFT of the candidates */
};

/* Fills ARCS, which arcs_free frees.  The flows of COUNTS have their rows; there are
   COUNT TARGETS, which live as long as ARCS.  */
void arcs_find(struct arcs *arcs, const struct rows *rows,
               const struct flowcounts *counts, const struct arcs_target *targets,
               size_t count);

void arcs_free(struct arcs *arcs);

/* How many of COUNT indirect calls, from one site or one function, went to the function
   in ROW.  The estimate is in proportion to LEFT, which has the greatest entropy.  */
struct arcs_calls arcs_share(const struct arcs *arcs, uint64_t count, uint32_t row);

/* Like arcs_share, for several functions that have LEFT calls left together.  */
struct arcs_calls arcs_share_of(const struct arcs *arcs, uint64_t count, uint64_t left);

/* Calls by pointers are divided among all functions that may be targets.  This many
   functions with the most calls are shown apart, and the others are added up: nobody
   could read all pairs of a large program.  */
#define ARCS_SHOWN  20
#define ARCS_OTHERS (STACKS_NONE - 1) /* the row that stands for the others */

#define ARCS_OTHERS_NAME "<others>"

/* How many of COUNT indirect calls went to functions outside.  */
struct arcs_calls arcs_to_outside(const struct arcs *arcs, uint64_t count);

/* How many calls of the function in ROW came from outside: those of LEFT that indirect
   calls do not explain.  */
struct arcs_calls arcs_from_outside(const struct arcs *arcs, uint32_t row);

#endif
