/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the code that each outcome of a condition or switch decides about: its arm; for
   rows/branch.c.  What is executed whatever comes out belongs to no arm, and of nested
   arms the innermost has the code.  */

#ifndef MLPROF_ARMS_H
#define MLPROF_ARMS_H

#include "mlprof/tables/flowgraph.h"

#define ARMS_NONE UINT32_MAX

/* An arm has the number of the edge that leads to it.  */
struct arms {
    uint32_t *of_block; /* the innermost arm that each block is in; ARMS_NONE */
    uint32_t *around;   /* by edge: the arm that its own is nested in; ARMS_NONE */
    uint32_t *depth;    /* by edge: how many are around its own */
};

/* Fills ARMS, which arms_free frees.  An arm is what control reaches by its edge alone,
   up to where the outcomes meet again.  Code that several outcomes lead to has an arm in
   two cases: the operands of && and || are conditions, and what several of them lead to
   is the arm of the last one; and a case of a switch into which the case before it falls
   is an arm of its own.  What exceptions, `longjmp' and code that does not come back do
   is no place where outcomes meet.  */
void arms_find(struct arms *arms, const struct flowgraph *graph);

/* The innermost arm around both, each of which may be ARMS_NONE.  */
uint32_t arms_common(const struct arms *arms, uint32_t one, uint32_t other);

void arms_free(struct arms *arms);

#endif
