/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loops of a flow graph and counts how often each went round, for groups/.  A
   loop is a set of blocks each of which leads to each other one; inside of it, without
   the edges that lead back to where it is entered, are those nested in it (B.
   Steensgaard, "Sequentializing program dependence graphs for irreducible programs",
   1993; G. Ramalingam, "Identifying loops in almost linear time", 1999).  */

#ifndef MLPROF_LOOPS_H
#define MLPROF_LOOPS_H

#include "mlprof/flow/flowcounts.h"

#define LOOPS_NONE UINT32_MAX

struct loops_loop {
    uint32_t around; /* the loop that it is nested in; LOOPS_NONE */
    uint32_t depth;  /* how many are around it */
    /* From its first to its last point in one file, that of the function if it has any
       there; the text is the flow's.  NULL: it has no position.  */
    const char *file;
    uint32_t first_line, first_column, last_line, last_column;
    uint64_t entered; /* how often control came to it from outside */
    /* How often its body was executed: the tests on the line of a head that leave it are
       not of the body.  */
    uint64_t iterations;
};

struct loops {
    struct loops_loop *loops; /* those around others before these */
    size_t count, capacity;
    uint32_t *of_block; /* the innermost one of each block; LOOPS_NONE */
};

/* Fills LOOPS, which loops_free frees.  What control reaches by longjmp, by the second
   return of a call or by `goto *' is no loop.  */
void loops_find(struct loops *loops, const struct flowcounts_flow *flow);

/* Whether the block is in the loop, or in one that is nested in it.  */
bool loops_is_in(const struct loops *loops, uint32_t block, uint32_t loop);

void loops_free(struct loops *loops);

#endif
