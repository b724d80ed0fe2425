/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count-late: counts what the optimisers have made, for mark=function and mark=block:
   each compiled function counts how often it is entered, or each of its basic blocks how
   often it is executed.  Nothing is added before optimisation is over.  */

#ifndef CCPROF_COUNT_LATE_H
#define CCPROF_COUNT_LATE_H

/* The tables that say whose the counters are; behind storage_emit.  UNIT is the label of
   the unit's table.  */
void count_late_emit(const char *unit);

#endif
