/* SPDX-License-Identifier: GPL-3.0-or-later */
/* targets: counts which functions each indirect call calls, for the argument targets and
   for plugin/train.

   Early, an assembler statement without instructions is put before the call.  It takes
   the function's address, goes wherever the call goes, and stays if the optimisers find
   out what the call calls.  When optimisation is over, the statement becomes a call of
   the stub (rt/attach.c) with the address of a site (sites.h), which identifies the
   call's local stack and position.

   A mark with a variable works differently: the variable holds the call's first target in
   the process.  The code compares the target with it and calls the stub for other targets
   only.  Then the number of executions of the call must be counted elsewhere.  */

#ifndef CCPROF_TARGETS_H
#define CCPROF_TARGETS_H

/* In plugin_init.  */
void targets_register(const char *plugin);

/* Returns the address that the call calls, if it is unknown here and can be marked;
   otherwise NULL_TREE.  */
tree targets_of(const gcall *call);

/* Puts a mark of TARGET before the statement at GSI.  VARIABLE is static, a pointer that
   starts as null, and identifies the call; or it is NULL_TREE, and the site identifies
   the call.  */
void targets_mark(gimple_stmt_iterator *gsi, tree target, tree variable);

#endif
