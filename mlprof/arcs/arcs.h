/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who called whom how often, from the counts of the blocks that the calls stand in
   (O. Waddell, J. M. Ashley, "Visualizing the performance of higher-order programs",
   1998).  The callee of a direct call is known.  Of an indirect call only the number of
   calls is known, unless its targets were counted; and of each function the number of
   calls that no direct call explains.  Every way to join the two that adds up is
   possible; functions outside of the profile take part as far as there is no other way.
 */

#ifndef MLPROF_ARCS_H
#define MLPROF_ARCS_H

#include "mlprof/arcs/arcs-targets.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/rows/rows.h"

/* Calls of a function, from one position or several.  */
struct arcs_calls {
    uint64_t count; /* an estimate if LEAST is not MOST */
    uint64_t least, most;
};

/* A call site.  */
struct arcs_site {
    uint32_t row; /* the caller */
    struct flowgraph_position position;
    uint64_t count;
    uint32_t callee;    /* row; STACKS_NONE: outside of the profile, or indirect */
    const char *symbol; /* of the callee for the assembler; NULL: indirect */
    size_t first_target, target_count; /* of an indirect one, if they were counted */
};

/* A function, by its row.  */
struct arcs_function {
    uint64_t calls;     /* all */
    uint64_t left;      /* calls that no direct call or counted target explains */
    uint64_t indirect;  /* indirect calls that it made whose targets were not counted */
    bool may_be_target; /* of indirect calls in the profile */
};

struct arcs {
    struct arcs_site *sites; /* by row, then position */
    size_t count, capacity;
    struct arcs_function *functions; /* by row */
    size_t function_count;
    uint32_t *candidates; /* rows of those that indirect calls may have called, those with
                             most calls left first */
    size_t candidate_count;
    uint32_t *pointers; /* rows of those that made indirect calls, most first */
    size_t pointer_count;
    const struct arcs_target *targets_counted;
    size_t target_count;
    uint64_t indirect; /* all indirect calls whose targets were not counted */
    uint64_t targets;  /* calls left of functions that may be their targets */
};

/* Fills ARCS, which arcs_free frees; COUNTS has rows, TARGETS are COUNT and live as long
   as ARCS.  */
void arcs_find(struct arcs *arcs, const struct rows *rows,
               const struct flowcounts *counts, const struct arcs_target *targets,
               size_t count);

void arcs_free(struct arcs *arcs);

/* How many of COUNT indirect calls, those of a site or of a function, went to the
   function in ROW.  In proportion, the estimate with the greatest entropy.  */
struct arcs_calls arcs_share(const struct arcs *arcs, uint64_t count, uint32_t row);

/* The same of functions that have LEFT calls left together.  */
struct arcs_calls arcs_share_of(const struct arcs *arcs, uint64_t count, uint64_t left);

/* Of the functions between which calls by pointers are divided so many are told each for
   itself, those with most of them; the others are added up.  All of them would be pairs
   of two sets, more in a large program than anybody can read.  */
#define ARCS_TOLD   20
#define ARCS_OTHERS (STACKS_NONE - 1) /* in place of their rows */

#define ARCS_OTHERS_NAME "<others>"

/* How many of them went to functions outside.  */
struct arcs_calls arcs_to_outside(const struct arcs *arcs, uint64_t count);

/* How many calls of the function in ROW came from outside: what is left of them when the
   indirect ones are taken away.  */
struct arcs_calls arcs_from_outside(const struct arcs *arcs, uint32_t row);

#endif
