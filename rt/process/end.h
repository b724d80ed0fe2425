/* SPDX-License-Identifier: MIT */
/* Ends the run, wherever the program ends.  */

#ifndef CCPROF_END_H
#define CCPROF_END_H

#include <stdbool.h>

/* Stops sampling and writes the profile.  Does nothing if this was done, or if the run is
   another process's.  If another thread is doing this, waits for a limited time.
   ORDERLY: the loader may be asked for the modules; without it, async-signal-safe.
   Leaves errno alone.  */
void ccprof_end_run(bool orderly);

#endif
