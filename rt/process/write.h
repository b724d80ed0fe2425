/* SPDX-License-Identifier: MIT */
/* Chooses what of the run is written to which file.  While one is written in the middle
   of the run no sample can be kept: those count as lost.  */

#ifndef CCPROF_WRITE_H
#define CCPROF_WRITE_H

#include <stdbool.h>
#include <stdint.h>

/* All that is not in other files, into the run's own file; on errors says so.  Sampling
   has ended.  ORDERLY as for ccprof_end_run.  */
void ccprof_write_end(bool orderly);

/* The same while the run goes on.  What was loaded after the last profiled object is not
   known.  Handlers of signals, unless the thread is in the runtime.  */
void ccprof_write_so_far(void);

/* The other two may be called by any thread, outside of handlers, and return 0 or an
   errno value; the file is as it was if they fail.  */

/* The same into another file, which is a copy.  */
int ccprof_write_copy(const char *path);

/* The samples of a data set, which are moved there.  */
int ccprof_write_dataset(uint64_t dataset, const char *path);

#endif
