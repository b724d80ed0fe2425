/* SPDX-License-Identifier: MIT */
/* Ends the run, wherever the program ends.  */

#ifndef CCPROF_END_H
#define CCPROF_END_H

#include <stdbool.h>

/* Stops sampling and writes the profile.  Does nothing if this was done, or if the run is
   another process's, or if the thread may make no system calls.  If another thread is
   doing this, waits for a limited time. ORDERLY: the loader may be asked for the modules;
   without it, async-signal-safe. Leaves errno alone.  */
void ccprof_end_run(bool orderly);

/* Writes the profile as at the end, without the loader, and holds the run: for a signal
   that may turn out not to end the process.  If it does not, the caller must call
   ccprof_end_resume with the result: the run goes on, and its next file has everything.
   If the run cannot be held, ends it as ccprof_end_run does, and returns false.
   Async-signal-safe; all signals must be blocked.  Leaves errno alone.  */
bool ccprof_end_for_now(void);
void ccprof_end_resume(bool held);

#endif
