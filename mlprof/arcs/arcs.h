/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how often each function called each other function, from the counts of the
   blocks that contain the calls (O. Waddell, J. M. Ashley, "Visualizing the
   performance of higher-order programs", 1998). Called by report.c.

   For a direct call, the callee is known. For indirect calls, two sums are known: the
   number of calls at each site, and for each function the number of its calls that
   direct calls do not explain. If the targets of a site were counted, they are known,
   too. Otherwise, every assignment of indirect calls to functions with these sums is
   possible. Functions outside of the profile get as few calls as possible. */

#ifndef MLPROF_ARCS_H
#define MLPROF_ARCS_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/program/program.h"
#include "mlprof/rows/rows.h"

/* A function called by an indirect call, if targets were counted (mlmon.out(5)). */
struct arcs_target {
    uint32_t row;          /* row of the caller */
    uint32_t line, column; /* position of the call in the caller; 0: unknown */
    uint32_t callee;       /* row; STACKS_NONE: outside of the profile, or left out */
    uint64_t count;
};

/* Returns the targets in PROFILE for callers that have a row. Each target occurs
   once. They are sorted by row, position and callee. Sets *COUNT to their number.
   The caller frees the result. */
struct arcs_target *arcs_targets_find(struct rows *rows, const struct profile *profile,
                                      const struct program *program, size_t *count);

/* Number of calls of a function, from one or more positions. */
struct arcs_calls {
    uint64_t count; /* an estimate, unless LEAST and MOST are equal */
    uint64_t least, most;
};

/* A call site. */
struct arcs_site {
    uint32_t row; /* the caller */
    struct flowgraph_position position;
    uint64_t count;
    /* Row. STACKS_NONE: outside of the profile, or the call is indirect. */
    uint32_t callee;
    const char *symbol; /* symbol of the callee; NULL: the call is indirect */
    /* Only for an indirect call with counted targets. */
    size_t first_target, target_count;
};

/* The calls of the function in a row. */
struct arcs_function {
    uint64_t calls; /* how often it was called */
    /* The calls in CALLS that neither direct calls nor counted targets explain. */
    uint64_t left;
    /* Number of indirect calls made by the function whose targets were not counted. */
    uint64_t indirect;
    bool may_be_target; /* indirect calls in the profile may have called it */
};

struct arcs {
    struct arcs_site *sites; /* sorted by row, then position */
    size_t count, capacity;
    struct arcs_function *functions; /* by row */
    size_t function_count;
    /* Rows of the functions that indirect calls may have called, by descending LEFT. */
    uint32_t *candidates;
    size_t candidate_count;
    /* Rows of the functions that made indirect calls, by descending INDIRECT. */
    uint32_t *pointers;
    size_t pointer_count;
    const struct arcs_target *targets_counted;
    size_t target_count;
    uint64_t indirect; /* sum of INDIRECT of all functions */
    uint64_t targets;  /* sum of LEFT of the candidates */
};

/* Fills ARCS. The caller frees it with arcs_free. The rows of COUNTS must be set
   (rows_find_flows). There are COUNT TARGETS, which must live as long as ARCS. */
void arcs_find(struct arcs *arcs, const struct rows *rows,
               const struct flowcounts *counts, const struct arcs_target *targets,
               size_t count);

void arcs_free(struct arcs *arcs);

/* Estimates how many of COUNT indirect calls, from one site or from one function,
   called the function in ROW. The estimate is proportional to LEFT of the function,
   because this assignment of calls has the greatest entropy. */
struct arcs_calls arcs_share(const struct arcs *arcs, uint64_t count, uint32_t row);

/* Like arcs_share, for several functions that have LEFT unexplained calls in total. */
struct arcs_calls arcs_share_of(const struct arcs *arcs, uint64_t count, uint64_t left);

/* The maximum number of functions that are listed separately when indirect calls are
   divided among all functions that may be targets. The functions with the most calls
   are listed; the calls of all other functions are added up. A list of all pairs of a
   large program would be too long to read. */
#define ARCS_SHOWN  20
#define ARCS_OTHERS (STACKS_NONE - 1) /* the row number of all others */

#define ARCS_OTHERS_NAME "<others>"

/* Returns how many of COUNT indirect calls went to functions outside. */
struct arcs_calls arcs_to_outside(const struct arcs *arcs, uint64_t count);

/* Returns how many calls of the function in ROW came from outside of the profile: the
   calls in LEFT that indirect calls do not explain. */
struct arcs_calls arcs_from_outside(const struct arcs *arcs, uint32_t row);

#endif
