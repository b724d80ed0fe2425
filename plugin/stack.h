/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stack: inclusive counts, by MLton's enter, add and leave.  Around each call that is no
   tail call the sources of the local stack are entered and left again; what is counted is
   added to what the thread has counted, and to those sources of the local stack that are
   not entered.  So recursion counts once, and nothing walks a stack.  What a function has
   entered is remembered, so that those that an exception or a longjmp has cut off are
   left where control comes back (rt/format.h says what a thread has for it).

   stack.cc: the pass; stack-calls.cc: which calls are entered and left around;
   stack-receive.cc: where control comes in from elsewhere; stack-add.cc: additions of
   calls; stack-steps.cc: enter, add and leave; stack-code.cc: what they are made of;
   stack-pairs.cc: the pairs, and what the tables say of them.  */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

/* In plugin_init.  */
void stack_register(const char *plugin);

/* Whether this compilation measures them: not where samples are whole stacks.  */
bool stack_is_measured(void);

/* In passes behind `optimized': appends to STATEMENTS that AMOUNT, an unsigned number of
   64 bits, was counted in the scope SCOPE (scopes.h) of the current function.  */
void stack_add(gimple_seq *statements, tree scope, tree amount);

/* The pair of the current function's source, or of another one, as a variable; NULL_TREE
   if it is excluded.  */
tree stack_pair(tree function);

/* At the end of the unit: whether there are any; what the tables and the runtime need to
   know of them.  */
bool stack_any(void);
void stack_emit(const char *unit);

#endif
