/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arms of conditions and switches, for rows/branch.c: the code that is executed
   only for one outcome.  Code in several nested arms belongs to the innermost.  */

#ifndef MLPROF_ARMS_H
#define MLPROF_ARMS_H

#include "mlprof/tables/flowtables.h"

#define ARMS_NONE UINT32_MAX

/* An arm has the number of the edge that leads to it.  */
struct arms {
    uint32_t *of_block; /* by block: the innermost arm around it, or ARMS_NONE */
    uint32_t *around;   /* by edge: the arm that its arm is nested in, or ARMS_NONE */
    uint32_t *depth;    /* by edge: the number of arms around its arm */
};

/* Fills ARMS, which arms_free frees.  An arm is what control reaches by its edge alone,
   up to where the outcomes meet again.  Code that several outcomes lead to has an arm in
   two cases.  The operands of && and || are conditions: code that several of them lead to
   is the arm of the last one.  A case of a switch is an arm of its own even if the case
   before it falls through into it.  Exceptions, `longjmp' and calls that do not return do
   not make outcomes meet.  */
void arms_find(struct arms *arms, const struct flowgraph *graph);

/* The innermost arm around both ONE and OTHER, either of which may be ARMS_NONE.  */
uint32_t arms_common(const struct arms *arms, uint32_t one, uint32_t other);

void arms_free(struct arms *arms);

#endif
