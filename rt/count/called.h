/* SPDX-License-Identifier: MIT */
/* Inclusive instructions of indirect calls by target (the kind instructions with the
   argument `stack'). Each registered thread has a table of the functions that it has
   called, by call site. targets.c takes the amounts before the thread ends or a file is
   written. */

#ifndef CCPROF_CALLED_H
#define CCPROF_CALLED_H

#include <stdint.h>

#include "rt/format.h"

/* Gives the calling thread's STACK a table. Without memory, its targets are not known. */
void ccprof_called_begin(struct ccprof_stack_thread *stack);

/* The code before and behind an indirect call calls this, in any thread. The same as
   ccprof_stack_thread.indirect. Changes only general registers that the caller saves. */
void ccprof_called_indirect(struct ccprof_stack_thread *stack,
                            const struct ccprof_pair *site, unsigned long long sp,
                            unsigned long long target);

/* Closes the calls of the calling thread with stack pointers below SP, which were left in
   another way than by returning. Changes only such registers. */
void ccprof_called_cut(struct ccprof_stack_thread *stack, unsigned long long sp);

/* Visits what was executed since the last flush: the amount of a site has the address of
   its pair, the number of its calls that of the pair's member INCLUSIVE. Called under the
   lock of counts-lists.h, in any thread. */
void ccprof_called_flush(struct ccprof_stack_thread *stack,
                         void (*visit)(uint64_t site, uint64_t target, uint64_t count));

/* Forgets what was executed, in the thread itself or in the child of a fork. */
void ccprof_called_zero(struct ccprof_stack_thread *stack);

/* Frees the table, since its thread ends. */
void ccprof_called_end(struct ccprof_stack_thread *stack);

#endif
