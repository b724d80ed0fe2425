/* SPDX-License-Identifier: MIT */
/* Owns the scope of each thread.  push, pop: the thread; put: the SIGPROF handler;
   inherit: the thread that makes another one.  */

#include "rt/table/scope.h"
#include "rt/os/assert.h"
#include "rt/table/datasets.h"

_Thread_local struct ccprof_scope ccprof_scope;

/* The label is there before the depth says so.  */
void ccprof_scope_push(int label)
{
    uint32_t depth = ccprof_scope.depth;
    if (depth < CCPROF_SCOPE_LABELS)
        ccprof_scope.label[depth] = (uint8_t)(label + 1);
    ccprof_scope.depth = depth + 1;
}

bool ccprof_scope_pop(void)
{
    uint32_t depth = ccprof_scope.depth;
    if (depth == 0)
        return false;
    ccprof_scope.depth = depth - 1;
    return true;
}

void ccprof_scope_inherit(struct ccprof_scope *child)
{
    *child = ccprof_scope;
    child->inherited = ccprof_datasets_use(child->dataset) ? child->dataset : 0;
    child->dataset = child->inherited;
}

void ccprof_scope_put(struct ccprof_stack *stack)
{
    const struct ccprof_scope *scope = &ccprof_scope;
    uint32_t depth = scope->depth;

    ccprof_assert(stack->depth <= CCPROF_STACK_DEPTH - CCPROF_STACK_AROUND);
    if (depth > CCPROF_SCOPE_LABELS)
        depth = CCPROF_SCOPE_LABELS;
    while (depth-- > 0)
        if (scope->label[depth] != 0)
            stack->address[stack->depth++] =
                CCPROF_SCOPE_LABEL | (scope->label[depth] - 1u);
    if (scope->dataset != 0)
        stack->address[stack->depth++] = CCPROF_SCOPE_DATASET | scope->dataset;
}
