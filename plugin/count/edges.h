/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges: makes the flow graph of a source function before anything is inlined, and
   puts counters on those of its edges from which the counts of all others follow, for
   count.cc.  A block of the graph ends behind whatever may not come back, so that a
   block is executed as a whole or not at all.  */

#ifndef CCPROF_EDGES_H
#define CCPROF_EDGES_H

/* Only tells the flow graph of the current function, without counters and without a
   change of the code: what belongs to which branch.  */
void edges_tell(void);

/* Counts the edges of the current function; with CALLS the counter of its entry is also
   that of its calls.  */
void edges_count(bool calls);

#endif
