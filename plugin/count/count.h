/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count: the passes of the kind count.

   With mark=source the first statement of each source function adds 1 to a counter
   (counter.h), before anything is inlined. So every inlined copy counts, and the
   counter remains even if the optimisers remove the function. If blocks or branches
   are requested, flow.h counts the edges of the function's flow graph instead. A
   function that is not compiled gets a counter too.

   With mark=function and mark=block counters are added after optimisation. Then each
   compiled function counts how often it is entered, or each of its basic blocks counts
   how often it is executed.

   Only plugin/ccprof.cc calls these functions.  */

#ifndef CCPROF_COUNT_H
#define CCPROF_COUNT_H

/* Call this in plugin_init if calls of source functions are counted.  */
void count_register(const char *plugin);

/* Writes the tables of mark=function and mark=block at the end of the unit, after
   storage_emit. UNIT is the label of the unit's table.  */
void count_emit(const char *unit);

#endif
