/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stack: inclusive counts, by MLton's enter, add and leave.  Where a call is made that is
   no tail call the sources of the local stack are entered; what is counted is added to
   what the thread has counted, and to those sources of the local stack that are not
   entered.  So recursion counts once, and nothing walks a stack.  What is entered stays
   so along the control flow as long as nothing wants it otherwise.  What a function has
   entered is remembered, so that those that an exception or a longjmp has cut off are
   left where control comes back (rt/format.h says what a thread has for it).

   stack.cc: the pass; stack-lists.cc: local stacks; stack-calls.cc: which calls are
   entered and left around; stack-points.cc: what statements want to be entered;
   stack-plan.cc: what is entered where; stack-actions.cc: what is to be done for that;
   stack-steps.cc: enter and leave; stack-add.cc: additions; stack-code.cc: what these are
   made of; stack-pairs.cc: the pairs, and what the tables say of them.  */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

/* In plugin_init.  */
void stack_register(const char *plugin);

/* Whether this compilation measures them: not where samples are whole stacks.  */
bool stack_is_measured(void);

/* Whether nothing that is counted can be called by the call.  */
bool stack_is_harmless(const gcall *call);

/* In passes before `ccprof_stack': appends to STATEMENTS that AMOUNT, an unsigned number
   of 64 bits, is counted at the place that they are given.  */
void stack_add(gimple_seq *statements, tree amount);

/* At the end of the unit: whether there are any; what the tables and the runtime need to
   know of them.  */
bool stack_any(void);
void stack_emit(const char *unit);

#endif
