/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables say of the calls that return blocks of memory (doc/tables.md, "Types of
   blocks"), for the frames of stacks.  For wrappers.h and groups/grouping-calls.c.  */

#ifndef MLPROF_BLOCKCALLS_H
#define MLPROF_BLOCKCALLS_H

#include "mlprof/stacks/stacks.h"

/* What is said of a call.  All zero: nothing.  */
struct blockcalls_said {
    const char *type; /* of the block; NULL: not known here */
    bool returned;    /* the function of the call returns the block */
};

struct blockcalls;

/* The calls of all modules of PROGRAM, which must live as long; to be freed.  */
struct blockcalls *blockcalls_new(const struct program *program,
                                  const struct stacks *stacks);

/* What is said of the call in a frame of a module.  STACKS are those of
   blockcalls_new.  */
struct blockcalls_said blockcalls_at(struct blockcalls *calls,
                                     const struct stacks *stacks, uint32_t node);

/* Whether the tables tell of any.  */
bool blockcalls_any(const struct blockcalls *calls);

void blockcalls_free(struct blockcalls *calls);

#endif
