/* SPDX-License-Identifier: MIT */
/* To which stretch of the run a count belongs, a data unit or the time while the gate was
   open; for counts.c and counts-modules.c, under the lock of counts-store.h.  */

#ifndef CCPROF_COUNTS_STRETCH_H
#define CCPROF_COUNTS_STRETCH_H

#include "rt/count/counts-store.h"

/* The thread's unit is another one.  */
void ccprof_counts_stretch_unit(struct ccprof_counts_thread *thread, uint64_t unit);

/* What the thread has counted belongs to its unit; it ends.  */
void ccprof_counts_stretch_end(struct ccprof_counts_thread *thread);

/* What the thread, which is not in the list, has counted since the last time is added to
   the totals; or, as it comes into the list, what was added is taken away.  */
void ccprof_counts_stretch_stray(struct ccprof_counts_thread *thread);
void ccprof_counts_stretch_tame(struct ccprof_counts_thread *thread);

/* All that the threads have counted in the module belongs to their units; it goes.  */
void ccprof_counts_stretch_detach(unsigned module);

/* Nothing was counted yet; THREAD is the only one.  */
void ccprof_counts_stretch_drop(struct ccprof_counts_thread *thread);

/* What of SUM counts.  */
uint64_t ccprof_counts_stretch_of(const struct ccprof_counts_module *module, size_t i,
                                  uint64_t sum);

#endif
