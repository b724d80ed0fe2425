/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loops of a flow graph and counts their iterations, for groups/ and
   executions.c. A loop is a set of blocks in which each block leads to all other
   blocks of the set. Inner loops are found by removing the edges that lead back to
   the entries of a loop (B. Steensgaard, "Sequentializing program dependence graphs
   for irreducible programs", 1993; G. Ramalingam, "Identifying loops in almost linear
   time", 1999). */

#ifndef MLPROF_LOOPS_H
#define MLPROF_LOOPS_H

#include "mlprof/flow/flowcounts.h"

#define LOOPS_NONE UINT32_MAX

struct loops_loop {
    uint32_t outer; /* the loop around it, or LOOPS_NONE */
    uint32_t depth; /* number of loops around it */
    /* The range of the loop, from its first to its last position in FILE. FILE is the
       file of the function if the loop has a position in this file. The text belongs
       to the flow graph. NULL: the loop has no position. */
    const char *file;
    uint32_t first_line, first_column, last_line, last_column;
    uint64_t entered; /* how often control entered the loop from outside */
    /* How often the body was executed. A test that leaves the loop does not belong to
       the body if it is on the line of a head. */
    uint64_t iterations;
};

struct loops {
    struct loops_loop *loops; /* outer loops before inner ones */
    size_t count, capacity;
    uint32_t *of_block; /* by block: its innermost loop, or LOOPS_NONE */
};

/* Fills LOOPS. The caller frees it with loops_free. Code that control reaches only
   by longjmp, by the second return of a call, or by `goto *' does not form a loop. */
void loops_find(struct loops *loops, const struct flowcounts_flow *flow);

/* Returns whether the block is in LOOP or in a loop nested in it. */
bool loops_is_in(const struct loops *loops, uint32_t block, uint32_t loop);

void loops_free(struct loops *loops);

#endif
