/* SPDX-License-Identifier: MIT */
/* Inclusive counts: what was counted while a source was on the stack (format.h).  Each
   thread that is known has a copy of each module's pairs; a thread that ends adds them to
   the totals, and those of the threads that still run are read where they stand, what is
   open as if it were closed.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "counts.h"
#include "modules.h"

/* Takes note of the pairs of the module that holds ADDRESS, if it has any, and of the
   calling thread.  Constructor, one thread at a time.  */
void ccprof_inclusive_attach(const void *address, const struct ccprof_modules *loaded);

/* Whether any module has pairs.  */
bool ccprof_inclusive_any(void);

/* The calling thread begins, with no profiled function entered; ends.  */
void ccprof_inclusive_thread_begin(void);
void ccprof_inclusive_thread_end(void);

/* In the child of a fork: nothing was counted yet, and there is one thread.  */
void ccprof_inclusive_drop(void);

/* Visits the counts that are not 0, as ccprof_counts_each does; ADDRESS is that of the
   pair.  */
int ccprof_inclusive_each(ccprof_counts_visit *visit, void *context);

#endif
