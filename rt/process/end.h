/* SPDX-License-Identifier: MIT */
/* Ends the run, wherever the program ends.  */

#ifndef CCPROF_END_H
#define CCPROF_END_H

#include <stdbool.h>

/* Ends sampling and writes the profile, unless that has been done, is not this
   process's business, or is being done: then waits for it, though not for ever.
   ORDERLY: the loader may be asked which modules there are.  Otherwise
   async-signal-safe.  Leaves errno alone.  */
void ccprof_end_run(bool orderly);

#endif
