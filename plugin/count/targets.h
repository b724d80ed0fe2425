/* SPDX-License-Identifier: GPL-3.0-or-later */
/* targets: counts which functions each indirect call calls, for the argument targets.
   Early, an assembler statement of no instructions that takes the function's address
   is put before the call: the statement goes wherever the call goes, and stays if the
   optimiser finds out whom the call calls.  When optimisation is over the statement
   becomes a call of the stub's (rt/attach.c), with the address of a site (sites.h)
   that stands for the call's local stack and position.

   Where a variable of the caller's stands for the call, the code compares with the target
   that the variable holds, the call's first one in the process, and calls the stub for
   others alone.  How often the call was executed must be known from elsewhere then.  */

#ifndef CCPROF_TARGETS_H
#define CCPROF_TARGETS_H

/* In plugin_init.  */
void targets_register(const char *plugin);

/* What the call calls, if it is not known here and can be marked; otherwise NULL_TREE. */
tree targets_of(const gcall *call);

/* Puts a mark of TARGET before the statement at GSI.  What the statement calls is told of
   the static VARIABLE, a pointer that starts as null; NULL_TREE: of the call's local
   stack and position, and all calls are told.  */
void targets_mark(gimple_stmt_iterator *gsi, tree target, tree variable);

#endif
