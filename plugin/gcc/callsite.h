/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callsite: answers questions about single calls, and corrects what GCC assumes about a
   call's effects, for the modules that count or add code around calls.  What follows from
   a function to its callers is in callers.h.  */

#ifndef CCPROF_CALLSITE_H
#define CCPROF_CALLSITE_H

/* Whether control never comes from the call to profiled code: built-in and library
   functions that call nothing of the program (GCC: ECF_LEAF).  */
bool leaf_is_call(const gcall *call);

/* Finds the calls of the current function that the optimiser may turn into jumps, since
   nothing is left to do behind them.  A counter or a store behind such a call would
   prevent the jump.  The answers below hold until tailcall_forget.  */
void tailcall_find(void);
void tailcall_forget(void);

/* Whether the statement is a call that may become a jump.  */
bool tailcall_is(gimple *statement);

/* Whether the statement is a recursive call that may become part of a loop, since the
   function returns a sum or product of its value.  */
bool tailcall_is_recursion(gimple *statement);

/* Whether the edge is on the way from either call to the return.  */
bool tailcall_passes(edge e);

/* Takes `pure' and `const' from a function that has a body: GCC must not save calls of a
   counted function, since each call adds to a counter.  */
void purity_forget(tree function);

/* Takes them from a call: the C front end gives the type of each call the qualifier,
   too.  */
void purity_forget_of_call(gcall *call);

/* Whether the function was pure or const before purity_forget.  */
bool purity_was(tree function);

/* Lets each function of the unit read and change variables of the type, which code that
   is added later does.  To be called when GCC has analysed which memory calls read and
   change (GCC: ipa-modref.cc), and before the first function is optimised further.  */
void modref_may_change(tree type);

#endif
