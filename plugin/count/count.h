/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count: the passes of the kind count.

   With mark=source the first statement of each source function adds 1 to a counter
   (counter.h), before anything is inlined.  So every inlined copy counts, and a function
   that the optimisers remove leaves its counter behind.  If blocks or branches are asked
   for, flow.h counts the edges of the function's flow graph instead.  A function of which
   nothing is compiled gets a counter, too.

   With mark=function and mark=block nothing is added before optimisation is over.  Then
   each compiled function counts how often it is entered, or each of its basic blocks how
   often it is executed.

   For plugin/ccprof.cc.  */

#ifndef CCPROF_COUNT_H
#define CCPROF_COUNT_H

/* In plugin_init, if calls of source functions are counted.  */
void count_register(const char *plugin);

/* Writes the tables of mark=function and mark=block at the end of the unit, behind
   storage_emit.  UNIT is the label of the unit's table.  */
void count_emit(const char *unit);

#endif
