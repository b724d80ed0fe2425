/* SPDX-License-Identifier: MIT */
/* Counters of calls.  Each thread that begins is given cells of its own, a copy of each
   module's, so that no thread waits for another; a thread that ends adds them to the
   totals, and those of the threads that still run are read where they stand when the
   profile is written.  A thread that is not known counts in the module's own cells,
   together with others of the kind.  */

#ifndef CCPROF_COUNTS_H
#define CCPROF_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "modules.h"

/* Takes note of the counters of the module that holds ADDRESS, if it has any, and of the
   calling thread; LOADED knows the module.  Constructor, one thread at a time.  */
void ccprof_counts_attach(const void *address, const struct ccprof_modules *loaded);

/* Whether any module has counters.  */
bool ccprof_counts_any(void);

/* The calling thread begins, with no profiled function entered; ends: what it has counted
   is added to the totals.  */
void ccprof_counts_thread_begin(void);
void ccprof_counts_thread_end(void);

/* In the child of a fork: nothing was counted yet, and there is one thread.  */
void ccprof_counts_drop(void);

/* Threads that were given cells.  */
uint64_t ccprof_counts_threads(void);

/* Visits the counters that are not 0 until it is told to stop; returns what VISIT
   returned, 0 at the end.  ADDRESS is that of the module's cell, in memory as long as the
   module is.  Async-signal-safe.  */
typedef int ccprof_counts_visit(void *context, int module, uint64_t address,
                                uint64_t count);
int ccprof_counts_each(ccprof_counts_visit *visit, void *context);

#endif
