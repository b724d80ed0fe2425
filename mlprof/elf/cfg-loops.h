/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loops of machine code, and the instructions that dominate others.  For the
   views that show where the compiler has moved code.  */

#ifndef MLPROF_CFG_LOOPS_H
#define MLPROF_CFG_LOOPS_H

#include "mlprof/elf/cfg.h"

#define CFG_LOOPS_NONE UINT32_MAX

/* A natural loop: the instructions that lead to jumps back to its head without leading
   through the head.  */
struct cfg_loop {
    uint32_t head;    /* number of the instruction that all ways into the loop lead to */
    uint32_t parent;  /* the loop around it, or CFG_LOOPS_NONE */
    uint32_t *inside; /* its instructions and its head, in no order */
    size_t count, capacity;
};

struct cfg_loops {
    /* By instruction: its immediate dominator, the nearest instruction that all ways to
       it lead through, or CFG_LOOPS_NONE.  */
    uint32_t *dominator;
    uint32_t *inner;        /* by instruction: the smallest loop around it */
    struct cfg_loop *loops; /* inner loops before the loops around them */
    size_t count, capacity;
};

/* Fills LOOPS, which cfg_loops_free frees in any case.  If it is not known where all the
   jumps of CFG lead, returns false, and there are no loops.  Code that nothing in CFG
   leads to, for example a landing pad of exceptions, may be entered from anywhere.  */
bool cfg_loops_find(struct cfg_loops *loops, const struct cfg *cfg);

/* Whether loop OUTER is loop INNER or is around it.  */
bool cfg_loops_is_in(const struct cfg_loops *loops, uint32_t inner, uint32_t outer);

void cfg_loops_free(struct cfg_loops *loops);

#endif
