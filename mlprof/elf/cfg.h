/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the control flow graph of a function's machine code: which instructions lead to
   which, which dominate others, and which are loops.  */

#ifndef MLPROF_CFG_H
#define MLPROF_CFG_H

#include "mlprof/base/groups.h"
#include "mlprof/elf/insns.h"

struct cfg {
    struct insns_code code;
    struct groups jumps; /* grouped by the instruction that they lead to */
};

/* Builds the graph of CODE, which CFG then owns.  */
void cfg_build(struct cfg *cfg, struct insns_code code);

void cfg_free(struct cfg *cfg);

/* The number of the instruction that starts at ADDRESS; the count of instructions if
   there is none.  */
size_t cfg_at(const struct cfg *cfg, uint64_t address);

/* Whether a jump leads to the instruction.  */
bool cfg_is_target(const struct cfg *cfg, size_t number);

/* Whether control may go on from instruction NUMBER to the next one.  */
bool cfg_falls_through(const struct cfg *cfg, size_t number);

/* A walk over the predecessors of an instruction: first the one before it, if control may
   go on from there, then the jumps to it.  Starts with the instruction's number and all
   else zero.  */
struct cfg_walk {
    size_t number;
    size_t done;
};

/* Goes to the next predecessor; false if there is none.  */
bool cfg_predecessor(const struct cfg *cfg, struct cfg_walk *walk, size_t *number);

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
