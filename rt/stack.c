/* SPDX-License-Identifier: MIT */
/* Owns nothing.  prime: constructor; the rest: the handler, in any thread.

   The unwinder is libgcc's.  With glibc 2.35 and later it finds its tables by
   _dl_find_object, which takes no lock; it allocates memory at the first call at
   most.  */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <unwind.h>

#include "stack.h"

/* What _Unwind_Backtrace takes for a reason to end.  */
#define STACK_ENOUGH _URC_NORMAL_STOP

static _Unwind_Reason_Code stack_nothing(struct _Unwind_Context *frame, void *context)
{
    int exact;
    (void)context;
    (void)_Unwind_GetIPInfo(frame, &exact);
    return _URC_NO_REASON;
}

/* libgcc's own (unwind-dw2-fde.h); its header is not installed.  */
struct stack_bases {
    void *text, *data, *function;
};
const void *_Unwind_Find_FDE(void *pc, struct stack_bases *bases);

#pragma weak _dl_find_object

/* A program that is neither linked dynamically nor can be moved (-static) registers
   its tables with libgcc, which then takes a lock to find them.  */
static bool stack_is_registered(void)
{
    const ElfW(Phdr) *segment = (const void *)getauxval(AT_PHDR);
    unsigned long count = getauxval(AT_PHNUM);

    for (unsigned long i = 0; segment && i < count; i++)
        if (segment[i].p_type == PT_DYNAMIC)
            return false;
    return true;
}

bool ccprof_stack_prime(void)
{
    struct stack_bases bases;

    /* Without tables for its own code the unwinder aborts.  */
    if (stack_is_registered() || !_dl_find_object ||
        !_Unwind_Find_FDE((void *)&ccprof_stack_prime, &bases))
        return false;
    _Unwind_Backtrace(stack_nothing, NULL);
    return true;
}

struct ccprof_stack *ccprof_stack_take(struct ccprof_stacks *stacks)
{
    for (unsigned i = 0; i < CCPROF_STACKS; i++)
        if (ccprof_spin_try_once(&stacks->busy[i]))
            return &stacks->stack[i];
    return NULL;
}

void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack *stack)
{
    ccprof_spin_release(&stacks->busy[stack - stacks->stack]);
}

void ccprof_stack_bare(struct ccprof_stack *stack, uint64_t pc)
{
    stack->address[0] = pc;
    stack->depth = 1;
}

struct stack_walk {
    struct ccprof_stack *stack;
    uint64_t pc;
    bool found; /* the interrupted frame; before it come the handler's own */
};

static _Unwind_Reason_Code stack_frame(struct _Unwind_Context *frame, void *context)
{
    struct stack_walk *walk = context;
    struct ccprof_stack *stack = walk->stack;
    int exact = 0;
    uint64_t address = _Unwind_GetIPInfo(frame, &exact);

    if (!walk->found) {
        walk->found = exact && address == walk->pc;
        return _URC_NO_REASON;
    }
    /* Behind the outermost frame.  */
    if (address == 0)
        return STACK_ENOUGH;
    if (stack->depth == CCPROF_STACK_FRAMES) {
        stack->address[stack->depth++] = CCPROF_STACK_CUT;
        return STACK_ENOUGH;
    }
    stack->address[stack->depth++] = exact ? address : address - 1;
    return _URC_NO_REASON;
}

void ccprof_stack_capture(struct ccprof_stack *stack, uint64_t pc)
{
    struct stack_walk walk = {stack, pc, false};

    ccprof_stack_bare(stack, pc);
    _Unwind_Backtrace(stack_frame, &walk);
}
