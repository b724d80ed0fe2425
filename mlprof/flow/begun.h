/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often an expression that has several blocks of a flow graph was begun, for
   executions.c.  Control may leave the expression and come back, after a call among its
   operands or from an arm of `?:': the expression then goes on.  When control goes round
   in a loop that contains it, the expression begins anew.  */

#ifndef MLPROF_BEGUN_H
#define MLPROF_BEGUN_H

#include "mlprof/flow/flowcounts.h"

/* Works on one flow.  */
struct begun;

struct begun *begun_new(const struct flowcounts_flow *flow);

/* BEGUN may be NULL.  */
void begun_free(struct begun *begun);

/* How often an expression on the COUNT BLOCKS, no two the same, was begun.  Where some of
   those executions that come to a block have begun it and others have not, and the flow
   graph does not tell them apart, both are assumed to go on in the same proportion on all
   edges.  */
uint64_t begun_count(struct begun *begun, const uint32_t *blocks, size_t count);

#endif
