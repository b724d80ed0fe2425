/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arms of conditions and switches, for rows/branch.c. An arm is the code
   that is executed only if the condition has one particular outcome. Code in several
   nested arms belongs to the innermost arm. */

#ifndef MLPROF_ARMS_H
#define MLPROF_ARMS_H

#include "mlprof/tables/flowtables.h"

#define ARMS_NONE UINT32_MAX

/* An arm has the same number as the edge that leads to it. */
struct arms {
    uint32_t *of_block; /* by block: the innermost arm that contains it, or ARMS_NONE */
    uint32_t *outer;    /* by edge: the arm around its arm, or ARMS_NONE */
    uint32_t *depth;    /* by edge: number of arms around its arm */
};

/* Fills ARMS; the caller frees it with arms_free. An arm consists of the blocks that
   control reaches only by the arm's edge, up to the block where the outcomes meet
   again.

   Code to which several outcomes lead is an arm in two cases. First, the operands of
   && and || are separate conditions: if several of them lead to the same code, the
   code is the arm of the last condition. Second, a case of a switch is an arm of its
   own even if the previous case falls through into it. Exceptions, `longjmp' and
   calls that do not return do not make outcomes meet. */
void arms_find(struct arms *arms, const struct flowgraph *graph);

/* Returns the innermost arm that contains both ONE and OTHER. Either may be
   ARMS_NONE. */
uint32_t arms_common(const struct arms *arms, uint32_t one, uint32_t other);

void arms_free(struct arms *arms);

#endif
