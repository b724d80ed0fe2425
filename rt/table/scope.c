/* SPDX-License-Identifier: MIT */
/* Owns the scope of each thread.  The thread itself calls push, pop and begin; the
   SIGPROF handler calls put; the thread that creates another thread calls create.  */

#include <string.h>

#include "rt/table/scope.h"
#include "rt/os/sys.h"
#include "rt/table/datasets.h"
#include "rt/table/threadnames.h"

_Thread_local struct ccprof_scope ccprof_scope;

/* The label is stored before the depth counts it, since a handler may read both.  */
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

void ccprof_scope_create(struct ccprof_scope *child, bool inherits)
{
    *child = inherits ? ccprof_scope : (struct ccprof_scope){0};
    child->inherited = ccprof_datasets_use(child->dataset) ? child->dataset : 0;
    child->dataset = child->inherited;
    child->thread = ccprof_threadnames_new();
}

/* If the thread was created with its own signal mask (pthread_attr_setsigmask_np), it may
   have been sampled, and so numbered, before it comes here.  */
void ccprof_scope_begin(const struct ccprof_scope *created)
{
    uint32_t thread = ccprof_scope.thread;
    ccprof_scope = *created;
    if (thread != 0)
        ccprof_scope.thread = thread;
}

/* Returns how many phases are kept.  */
static uint32_t scope_depth(void)
{
    uint32_t depth = ccprof_scope.depth;

    return depth > CCPROF_SCOPE_LABELS ? CCPROF_SCOPE_LABELS : depth;
}

uint32_t ccprof_scope_around(uint64_t around[CCPROF_SCOPE_AROUND])
{
    struct ccprof_scope *scope = &ccprof_scope;
    uint32_t count = 0;

    for (uint32_t depth = scope_depth(); depth-- > 0;)
        if (scope->label[depth] != 0)
            around[count++] = CCPROF_SCOPE_LABEL | (scope->label[depth] - 1u);
    if (ccprof_threadnames_are_kept()) {
        scope->thread = ccprof_threadnames_number(scope->thread);
        around[count++] = CCPROF_SCOPE_THREAD | ccprof_threadnames_note(scope->thread);
    }
    return count;
}

void ccprof_scope_put(struct ccprof_stack *stack)
{
    ccprof_assert(stack->depth + scope_depth() + 2 <= CCPROF_STACK_DEPTH);
    stack->depth += ccprof_scope_around(&stack->address[stack->depth]);
    if (ccprof_scope.dataset != 0)
        stack->address[stack->depth++] = CCPROF_SCOPE_DATASET | ccprof_scope.dataset;
}

void ccprof_scope_put_kernel(struct ccprof_stack *stack, uint64_t why)
{
    ccprof_assert(stack->depth <= CCPROF_STACK_DEPTH - CCPROF_STACK_AROUND);
    memmove(stack->address + 1, stack->address, stack->depth * sizeof *stack->address);
    stack->address[0] = CCPROF_SCOPE_KERNEL | why;
    stack->depth++;
}

void ccprof_scope_get_key(struct ccprof_scope_key *key)
{
    const uint32_t depth = scope_depth();

    *key = (struct ccprof_scope_key){.depth = depth};
    for (uint32_t i = 0; i < depth; i++)
        key->label[i] = ccprof_scope.label[i];
    if (ccprof_threadnames_are_kept())
        key->thread = ccprof_scope.thread =
            ccprof_threadnames_number(ccprof_scope.thread);
}

bool ccprof_scope_has_key_else(const struct ccprof_scope_key *key)
{
    const uint32_t depth = scope_depth();

    if (key->depth != depth)
        return false;
    for (uint32_t i = 0; i < depth; i++)
        if (key->label[i] != ccprof_scope.label[i])
            return false;
    return key->thread == 0 || key->thread == ccprof_scope.thread;
}
