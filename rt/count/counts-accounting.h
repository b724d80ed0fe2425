/* SPDX-License-Identifier: MIT */
/* To which stretch of the run a count belongs, a data set or the time while the gate was
   open; for counts.c and counts-modules.c, under the lock of counts-lists.h.  */

#ifndef CCPROF_COUNTS_ACCOUNTING_H
#define CCPROF_COUNTS_ACCOUNTING_H

#include "rt/count/counts-lists.h"

/* The thread's data set is another one.  */
void ccprof_counts_accounting_switch(struct ccprof_counts_thread *thread,
                                     uint64_t dataset);

/* What the thread has counted belongs to its data set; it ends.  */
void ccprof_counts_accounting_end(struct ccprof_counts_thread *thread);

/* What the thread, which is not in the list, has counted since the last time is added to
   the totals; or, as it comes into the list, what was added is taken away.  */
void ccprof_counts_accounting_unregistered(struct ccprof_counts_thread *thread);
void ccprof_counts_accounting_registered(struct ccprof_counts_thread *thread);

/* All that the threads have counted in the module belongs to their data sets; it goes. */
void ccprof_counts_accounting_detach(unsigned module);

/* Nothing was counted yet; THREAD is the only one.  */
void ccprof_counts_accounting_drop(struct ccprof_counts_thread *thread);

/* What of SUM counts.  */
uint64_t ccprof_counts_accounting_of(const struct ccprof_counts_module *module, size_t i,
                                     uint64_t sum);

#endif
