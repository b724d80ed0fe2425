/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condense: looks at each function when everything that is inlined in it has been, and
   puts as few counters there as all marks of the function need, where they are
   executed least, for the schedule; the tables get the recipe of each mark.  Until
   then a mark stands wherever something is to be counted, which the optimisers neither
   delete nor join (counter.h).

   condense.cc: takes the marks out, puts the counters in.  condense-graph.cc: the flow
   graph of the function as it is, in which recipe.h finds the places.  condense-arm.cc:
   which conditional marks are counted without a branch.  condense-loop.cc: which
   counters are kept in a register over a loop.  */

#ifndef CCPROF_CONDENSE_H
#define CCPROF_CONDENSE_H

/* In plugin_init, if options_marks_counts.  */
void condense_register(const char *plugin);

#endif
