/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the control flow graph of a function's machine code: successors and
   predecessors of instructions, dominators and loops. Used through
   program/machine-code.h. */

#ifndef MLPROF_CFG_H
#define MLPROF_CFG_H

#include "mlprof/base/groups.h"
#include "mlprof/elf/insns.h"

struct cfg {
    struct insns_code code;
    struct groups jumps; /* grouped by the target instruction */
};

/* Builds the graph of CODE. CFG takes ownership of CODE. */
void cfg_build(struct cfg *cfg, struct insns_code code);

void cfg_free(struct cfg *cfg);

/* Returns the number of the instruction that starts at ADDRESS, or the number of
   instructions if no instruction starts there. */
size_t cfg_at(const struct cfg *cfg, uint64_t address);

/* Returns whether the instruction is the target of a jump. */
bool cfg_is_target(const struct cfg *cfg, size_t number);

/* Returns whether execution may continue from instruction NUMBER to the next
   instruction. */
bool cfg_falls_through(const struct cfg *cfg, size_t number);

/* An iterator over the predecessors of an instruction: first the instruction before
   it, if execution may continue from there, then the jumps to it. The caller sets
   NUMBER to the instruction; everything else starts as zero. */
struct cfg_walk {
    size_t number;
    size_t done;
};

/* Sets *NUMBER to the next predecessor. Returns false if there are no more. */
bool cfg_predecessor(const struct cfg *cfg, struct cfg_walk *walk, size_t *number);

#define CFG_LOOPS_NONE UINT32_MAX

/* A natural loop. It contains its head, and all instructions from which control can
   jump back to the head without passing through the head in between. */
struct cfg_loop {
    uint32_t head;    /* number of the only instruction where the loop is entered */
    uint32_t parent;  /* the enclosing loop, or CFG_LOOPS_NONE */
    uint32_t *inside; /* numbers of its instructions, unordered */
    size_t count, capacity;
};

struct cfg_loops {
    /* The immediate dominator of each instruction, or CFG_LOOPS_NONE: the nearest
       instruction through which all paths to it lead. */
    uint32_t *dominator;
    uint32_t *inner;        /* innermost loop of each instruction */
    struct cfg_loop *loops; /* inner loops come before outer loops */
    size_t count, capacity;
};

/* Fills LOOPS; freed by cfg_loops_free whatever the result. If the targets of some
   jumps of CFG are unknown, returns false and finds no loops. Code without a
   predecessor in CFG, for example a landing pad of exceptions, may be entered from
   anywhere. */
bool cfg_loops_find(struct cfg_loops *loops, const struct cfg *cfg);

/* Returns whether loop OUTER is loop INNER or encloses it. */
bool cfg_loops_is_in(const struct cfg_loops *loops, uint32_t inner, uint32_t outer);

void cfg_loops_free(struct cfg_loops *loops);

#endif
