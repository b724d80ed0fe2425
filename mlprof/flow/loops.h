/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loops of a flow graph and counts their iterations, for groups/.  A loop is a
   set of blocks each of which leads to all others.  Without the edges back to where the
   loop is entered, the loops that are left inside are nested in it (B.  Steensgaard,
   "Sequentializing program dependence graphs for irreducible programs", 1993; G.
   Ramalingam, "Identifying loops in almost linear time", 1999).  */

#ifndef MLPROF_LOOPS_H
#define MLPROF_LOOPS_H

#include "mlprof/flow/flowcounts.h"

#define LOOPS_NONE UINT32_MAX

struct loops_loop {
    uint32_t around; /* the loop around it, or LOOPS_NONE */
    uint32_t depth;  /* the number of loops around it */
    /* The loop's range from its first to its last position in one file, which is the
       function's file if the loop has a position there.  The text is the flow's.  NULL:
       it has no position.  */
    const char *file;
    uint32_t first_line, first_column, last_line, last_column;
    uint64_t entered; /* how often control came into it from outside */
    /* How often its body was executed.  Tests that are on a head's line and leave the
       loop do not belong to the body.  */
    uint64_t iterations;
};

struct loops {
    struct loops_loop *loops; /* outer loops before inner ones */
    size_t count, capacity;
    uint32_t *of_block; /* by block: its innermost loop, or LOOPS_NONE */
};

/* Fills LOOPS, which loops_free frees.  Code that control reaches only by longjmp, by the
   second return of a call, or by `goto *' does not count as a loop.  */
void loops_find(struct loops *loops, const struct flowcounts_flow *flow);

/* Whether the block is in LOOP or in a loop nested in it.  */
bool loops_is_in(const struct loops *loops, uint32_t block, uint32_t loop);

void loops_free(struct loops *loops);

#endif
