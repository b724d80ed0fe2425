/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often what stands on several blocks of a flow graph, an expression, was
   begun, for executions.c.  Control that has come into it may leave and come back, from a
   call among its operands or from an arm of `?:': that goes on.  Where control goes round
   in a loop in which it stands, it begins anew.  */

#ifndef MLPROF_BEGUN_H
#define MLPROF_BEGUN_H

#include "mlprof/flow/flowcounts.h"

/* For one flow.  */
struct begun;

struct begun *begun_new(const struct flowcounts_flow *flow);

/* BEGUN may be NULL.  */
void begun_free(struct begun *begun);

/* How often what stands on the COUNT BLOCKS, no two the same, was begun.  Where some of
   those that come by have begun it and others have not, and the flow graph does not tell
   where they go on to, they are taken to do so in the same shares.  */
uint64_t begun_count(struct begun *begun, const uint32_t *blocks, size_t count);

#endif
