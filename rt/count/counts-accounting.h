/* SPDX-License-Identifier: MIT */
/* Accounts each count to a data set, and to the time while the gate was open, for
   counts.c and counts-modules.c.  Called under the lock of counts-lists.h.  */

#ifndef CCPROF_COUNTS_ACCOUNTING_H
#define CCPROF_COUNTS_ACCOUNTING_H

#include "rt/count/counts-lists.h"

/* From now on the thread counts in the data set.  */
void ccprof_counts_accounting_switch(struct ccprof_counts_thread *thread,
                                     uint64_t dataset);

/* The thread ends: accounts what it has counted to its data set.  */
void ccprof_counts_accounting_end(struct ccprof_counts_thread *thread);

/* Adds to the totals what the thread, which is not in the list, has counted since the
   last time; or, when it comes into the list, subtracts again what was added.  */
void ccprof_counts_accounting_unregistered(struct ccprof_counts_thread *thread);
void ccprof_counts_accounting_registered(struct ccprof_counts_thread *thread);

/* The module is unloaded: accounts what the threads have counted in it to their data
   sets.  */
void ccprof_counts_accounting_detach(unsigned module);

/* In the child of a fork: forgets all counts; THREAD is the only one.  */
void ccprof_counts_accounting_drop(struct ccprof_counts_thread *thread);

/* How much of SUM, the counter's value, belongs to the run's own file.  */
uint64_t ccprof_counts_accounting_of(const struct ccprof_counts_module *module, size_t i,
                                     uint64_t sum);

#endif
