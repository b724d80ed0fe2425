/* SPDX-License-Identifier: MIT */
/* What of the run goes into which file.  All but the first may be called by any thread,
   outside of handlers, and return 0 or an errno value; the file is as it was if they
   fail.  While they write nothing can be kept of a sample, which counts as lost.  */

#ifndef CCPROF_WRITE_H
#define CCPROF_WRITE_H

#include <stdbool.h>
#include <stdint.h>

/* All that is not in other files, into the run's own file; on errors says so.  Sampling
   has ended.  ORDERLY as for ccprof_end_run.  */
void ccprof_write_end(bool orderly);

/* The same into another file while the run goes on, of which it is a copy.  */
int ccprof_write_copy(const char *path);

/* The samples of a data unit, which are moved there.  */
int ccprof_write_unit(uint64_t unit, const char *path);

#endif
