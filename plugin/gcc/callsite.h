/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callsite: properties of single calls, and corrections of GCC's assumptions about the
   effects of a call. For the modules that count calls or add code around calls.
   Properties that depend on chains of calls are in callgraph.h. */

#ifndef CCPROF_CALLSITE_H
#define CCPROF_CALLSITE_H

/* Returns true if the call never leads to profiled code: it calls a built-in or
   library function that calls nothing of the program (GCC: ECF_LEAF). */
bool leaf_is_call(const gcall *call);

/* The same for all calls of the function. */
bool leaf_is_function(tree function);

/* Finds the calls of the current function that the optimiser may turn into jumps,
   because nothing remains to be done after them. A counter or a store after such a
   call would prevent the jump. The functions below use the result until
   tailcall_forget. */
void tailcall_find(void);
void tailcall_forget(void);

/* Returns true if the statement is a call that may become a jump. */
bool tailcall_is(gimple *statement);

/* Returns true if the statement is a recursive call that may become a part of a loop,
   because the function returns a sum or a product of the call's value. */
bool tailcall_is_recursion(gimple *statement);

/* Returns true if the edge lies between a call of one of these two kinds and the
   return. */
bool tailcall_passes(edge e);

/* Removes `pure' and `const' from a function that has a body. GCC must not omit calls
   of a counted function, since each call increments a counter. */
void purity_forget(tree function);

/* Removes `const' from a call: the C front end also puts this qualifier on the type of
   each call. */
void purity_forget_of_call(gcall *call);

/* Returns true if GCC considered the function pure or const before purity_forget. */
bool purity_was(const_tree function);

/* Returns true if a pure or const function certainly returns, unless it throws: it is of
   a library. GCC takes all such functions to return, but a function of the program may
   end by longjmp. */
bool purity_holds(const_tree function);

/* Tells GCC that each function of the unit may read and change variables of TYPE,
   because code that is added later does so. Call it after GCC has analysed which
   memory functions read and change (GCC: ipa-modref.cc), and before the first function
   is optimised further. */
void modref_may_change(tree type);

#endif
