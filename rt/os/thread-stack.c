/* SPDX-License-Identifier: MIT */
/* Finds the calling thread's own stack.  Owns what each thread has found.  Called
   wherever the program calls its allocator, in any thread.  */

#define _GNU_SOURCE
#include <sys/auxv.h>

#include "rt/os/safe-read.h"
#include "rt/os/sys.h"
#include "rt/os/thread-stack.h"

/* A stack pointer that is further below the known part is not looked for there: it costs
   a system call for each page.  */
#define STACK_JUMP (UINT64_C(64) << 20)

__thread struct ccprof_thread_stack ccprof_thread_stack;

/* Returns an address above all frames of the own stack.  libc puts what it knows of a
   thread at the top of its stack, which is where the thread pointer points.  The first
   thread's stack has, above its frames, the random bytes from the kernel.  */
static uint64_t stack_top(void)
{
    uint64_t top = ccprof_sys_gettid() == ccprof_sys_getpid()
                       ? getauxval(AT_RANDOM)
                       : (uintptr_t)__builtin_thread_pointer();
    return top & -UINT64_C(16);
}

/* There is nothing but the stack between a pointer to it and its top.  Below it is a page
   that is not readable, so that another stack further below is not taken for this one.
   Pages are read from the pointer on upwards: a read below the first thread's stack would
   make that stack larger.  */
bool ccprof_thread_stack_look(uint64_t pointer)
{
    struct ccprof_thread_stack *stack = &ccprof_thread_stack;
    const uint64_t from = pointer & -CCPROF_SAFE_READ_PAGE;

    if (stack->low == 0)
        stack->low = stack_top();
    if (pointer >= stack->low || pointer < stack->floor || stack->low - from > STACK_JUMP)
        return false;
    for (uint64_t page = from; page < stack->low; page += CCPROF_SAFE_READ_PAGE)
        if (!ccprof_safe_read_is_readable(page)) {
            stack->floor = page + CCPROF_SAFE_READ_PAGE;
            return false;
        }
    stack->span += stack->low - from;
    stack->low = from;
    return true;
}
