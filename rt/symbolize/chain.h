/* SPDX-License-Identifier: MIT */
/* Shows the program its chain of calls as the source has them: from a stack of machine
   code to the source functions at work in each of its frames.  Async-signal-safe but for
   attach, any thread; takes no lock and allocates pages only.  */

#ifndef CCPROF_CHAIN_H
#define CCPROF_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/ccprof.h"
#include "rt/table/modules.h"

/* Takes note of the modules, and that the one which holds ADDRESS is profiled.  RUN,
   which is kept, are those that the run keeps up to date; null where there is none.
   Constructor.  */
void ccprof_chain_attach(const void *address, struct ccprof_modules *run);

/* The source functions at work where CONTEXT is, the third argument of a signal handler,
   and their callers, innermost first: at most ROOM are filled in, of SIZE bytes each.
   CALLER: the frame that CONTEXT is in is not among them.  Returns how many.  */
int ccprof_chain_capture(const void *context, bool caller, struct ccprof_frame *frames,
                         int room, unsigned long size);

/* The same as text, a line for each, into the file; of a stack that is too deep the
   middle is left out.  Returns 0 or an errno value.  */
int ccprof_chain_write(const void *context, bool caller, int fd);

#endif
