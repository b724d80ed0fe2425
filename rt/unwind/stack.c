/* SPDX-License-Identifier: MIT */
/* Captures stacks with the unwinder. The captured stacks belong to the caller. The
   constructor calls ccprof_stack_possible. The SIGPROF handler, in any thread, calls
   the other functions, and rt/wait calls take, give_back and capture_call. */

#include <stddef.h>
#include <string.h>

#include "rt/unwind/stack.h"
#include "rt/os/lock.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/outer.h"

bool ccprof_stack_possible(void)
{
    return ccprof_unwind_knows((uintptr_t)&ccprof_stack_possible);
}

struct ccprof_stack_work *ccprof_stack_take(struct ccprof_stacks *stacks)
{
    for (unsigned i = 0; i < CCPROF_STACKS; i++)
        if (ccprof_spin_try_once(&stacks->busy[i]))
            return &stacks->work[i];
    return NULL;
}

void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack_work *work)
{
    ccprof_assert(work >= stacks->work && work < stacks->work + CCPROF_STACKS);
    ccprof_spin_release(&stacks->busy[work - stacks->work]);
}

void ccprof_stack_bare(struct ccprof_stack_work *work, const void *context)
{
    work->stack.address[0] = ccprof_cpu_pc(context);
    work->stack.depth = 1;
}

void ccprof_stack_stored(struct ccprof_stack_work *work, uint64_t address)
{
    work->stack.address[0] = address;
    work->stack.depth = 1;
}

/* Adds a frame to the stack. Returns false if there is no room for more. */
static bool stack_add(struct ccprof_stack *stack, const struct ccprof_unwind *unwind)
{
    const bool has_room = stack->depth < CCPROF_STACK_FRAMES;

    stack->address[stack->depth++] = !has_room       ? CCPROF_STACK_CUT
                                     : unwind->exact ? unwind->pc
                                                     : unwind->pc - 1;
    return has_room;
}

void ccprof_stack_capture(struct ccprof_stack_work *work, const void *context)
{
    struct ccprof_stack *stack = &work->stack;
    struct ccprof_unwind *unwind = &work->unwind;
    struct ccprof_outer *outer;

    ccprof_stack_bare(work, context);
    ccprof_unwind_start(unwind, context);
    unwind->marks = true;
    while (ccprof_unwind_step(unwind)) {
        if (stack->depth == CCPROF_STACK_INNER && (outer = ccprof_outer_take()) != NULL) {
            ccprof_outer_capture(outer, unwind, stack);
            ccprof_outer_give_back(outer);
            return;
        }
        if (!stack_add(stack, unwind))
            return;
    }
    if (unwind->broken)
        stack->address[stack->depth++] = CCPROF_STACK_BROKEN;
}

void ccprof_stack_capture_call(struct ccprof_stack_work *work, uint64_t pc,
                               const uint64_t *registers, bool is_other)
{
    struct ccprof_stack *stack = &work->stack;
    struct ccprof_unwind *unwind = &work->unwind;

    stack->depth = 0;
    unwind->readable = (struct ccprof_safe_read){.by_kernel = is_other};
    memcpy(unwind->registers, registers, sizeof unwind->registers);
    ccprof_unwind_start_at_call(unwind, pc, false);
    unwind->marks = true;
    while (ccprof_unwind_step(unwind))
        if (!stack_add(stack, unwind))
            return;
    if (unwind->broken)
        stack->address[stack->depth++] = CCPROF_STACK_BROKEN;
}
