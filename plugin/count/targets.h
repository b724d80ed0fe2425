/* SPDX-License-Identifier: GPL-3.0-or-later */
/* targets: counts which functions each indirect call calls, for the argument targets
   and for plugin/train.

   Early, an assembler statement without instructions is inserted before the call. It
   has the address of the called function as operand, moves wherever the call moves,
   and stays if the optimisers find out which function is called. After optimisation
   the statement becomes a call of the stub (rt/attach.c). Its argument is the address
   of a site (sites.h), which identifies the local stack and the position of the call.

   A mark with a variable works differently. The variable contains the first target of
   the call in this process. The code compares the target with the variable, and calls
   the stub only for other targets. So the calls of the first target are not counted
   here. mlprof subtracts the counted calls from the number of executions of the call,
   which other counters must count. */

#ifndef CCPROF_TARGETS_H
#define CCPROF_TARGETS_H

/* Call this in plugin_init. */
void targets_register(const char *plugin);

/* Returns the address that the call uses, if the called function is unknown here and
   the call can be marked. Otherwise returns NULL_TREE. */
tree targets_of(const gcall *call);

/* Inserts a mark of TARGET before the statement at GSI. VARIABLE is a static pointer
   that starts as null, and identifies the call. If VARIABLE is NULL_TREE, the site
   identifies the call. */
void targets_mark(gimple_stmt_iterator *gsi, tree target, tree variable);

#endif
