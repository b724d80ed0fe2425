/* SPDX-License-Identifier: MIT */
/* Accounts each count to a data set, and to the time while the gate was open, for
   counts.c and counts-modules.c.  The caller holds the lock of counts-lists.h.  */

#ifndef CCPROF_COUNTS_ACCOUNTING_H
#define CCPROF_COUNTS_ACCOUNTING_H

#include "rt/count/counts-lists.h"

/* Lets the thread count in the data set from now on.  */
void ccprof_counts_accounting_switch(struct ccprof_counts_thread *thread,
                                     uint64_t dataset);

/* Accounts what the thread has counted to its data set, since the thread ends.  */
void ccprof_counts_accounting_end(struct ccprof_counts_thread *thread);

/* Unregistered adds what the thread, which is not in the list, has counted since the last
   call to the totals; registered subtracts this again when the thread comes into the
   list.  */
void ccprof_counts_accounting_unregistered(struct ccprof_counts_thread *thread);
void ccprof_counts_accounting_registered(struct ccprof_counts_thread *thread);

/* Accounts what the threads have counted in the module to their data sets, since the
   module is unloaded.  */
void ccprof_counts_accounting_detach(unsigned module);

/* Forgets all counts, in the child of a fork, where THREAD is the only thread.  */
void ccprof_counts_accounting_drop(struct ccprof_counts_thread *thread);

/* Returns how much of SUM, the value of counter I, belongs to the run's own file.  */
uint64_t ccprof_counts_accounting_of(const struct ccprof_counts_module *module, size_t i,
                                     uint64_t sum);

#endif
