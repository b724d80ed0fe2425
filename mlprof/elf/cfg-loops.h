/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loops of machine code, and what is always executed in front of an
   instruction.  Used by views that say where the compiler has moved code.  */

#ifndef MLPROF_CFG_LOOPS_H
#define MLPROF_CFG_LOOPS_H

#include "mlprof/elf/cfg.h"

#define CFG_LOOPS_NONE UINT32_MAX

/* A natural loop: what leads to jumps back to its head without leading through it.  */
struct cfg_loop {
    uint32_t head;    /* an instruction: all ways into the loop lead there */
    uint32_t parent;  /* the loop that it is in; CFG_LOOPS_NONE */
    uint32_t *inside; /* its instructions, the head among them, in no order */
    size_t count, capacity;
};

struct cfg_loops {
    uint32_t *dominator;    /* by instruction the nearest one that all ways to it lead
                               through;    CFG_LOOPS_NONE: there is none */
    uint32_t *inner;        /* by instruction the smallest loop that it is in */
    struct cfg_loop *loops; /* those inside of others come first */
    size_t count, capacity;
};

/* Fills LOOPS, which cfg_loops_free frees in any case.  False, and there are none, if it
   is not known where all the jumps of CFG lead.  Code that nothing in CFG leads to, that
   for exceptions say, may be entered from anywhere.  */
bool cfg_loops_find(struct cfg_loops *loops, const struct cfg *cfg);

/* Whether loop OUTER is the loop INNER, or around it.  */
bool cfg_loops_is_in(const struct cfg_loops *loops, uint32_t inner, uint32_t outer);

void cfg_loops_free(struct cfg_loops *loops);

#endif
