/* SPDX-License-Identifier: MIT */
/* Tells which memory is the calling thread's own stack: the one that the kernel or
   pthread_create has made for it.  That stack stays mapped while the thread lives.  Other
   stacks may be unmapped at any time while they are not in use: those of fibres and of
   signals.  Only capture.c uses this, not in handlers of signals.  */

#ifndef CCPROF_THREAD_STACK_H
#define CCPROF_THREAD_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Of the own stack, the bytes from LOW on, SPAN in number, have been found to be mapped.
   All zeros is that of a thread that has not looked.  */
struct ccprof_thread_stack {
    uint64_t low, span;
    /* Below this address there is no own stack: a page above it is not readable.  */
    uint64_t floor;
};

extern __thread struct ccprof_thread_stack ccprof_thread_stack;

/* Looks whether POINTER is on the own stack, below what has been found of it.  Returns
   true if it is: LOW is lower then.  A system call for each page between the two.  */
bool ccprof_thread_stack_look(uint64_t pointer);

/* Returns whether the stack pointer POINTER is on the own stack, which is mapped from
   there on up to its end.  */
static inline bool ccprof_thread_stack_has(uint64_t pointer)
{
    return __builtin_expect(pointer - ccprof_thread_stack.low < ccprof_thread_stack.span,
                            true) ||
           ccprof_thread_stack_look(pointer);
}

#endif
