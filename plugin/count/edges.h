/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges: the control flow graph of a source function as it is before anything is inlined,
   and counters on those of its edges from which the counts of all others follow.  Blocks
   end behind whatever may not come back, so that each is executed as a whole or not at
   all.  */

#ifndef CCPROF_EDGES_H
#define CCPROF_EDGES_H

/* Counts the edges of the current function; with CALLS the counter of its entry is also
   that of its calls.  */
void edges_count(bool calls);

#endif
