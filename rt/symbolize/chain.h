/* SPDX-License-Identifier: MIT */
/* Shows the program its chain of calls in terms of the source: unwinds the stack of
   machine code, and names the source functions of each frame.  For the program's calls
   and for crash.c.  All functions but attach are async-signal-safe, in any thread; they
   take no lock and allocate only pages.  */

#ifndef CCPROF_CHAIN_H
#define CCPROF_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/ccprof.h"
#include "rt/os/file.h"
#include "rt/samples/modules.h"

/* Notes the loaded modules, and that the module which holds ADDRESS is profiled.  RUN,
   which must stay, are the modules that the run keeps up to date; null if there is no
   run.  Constructor.  */
void ccprof_chain_attach(const void *address, struct ccprof_modules *run);

/* Fills in at most ROOM frames, of SIZE bytes each: the source functions at CONTEXT,
   which is the third argument of a signal handler, and their callers, innermost first.
   CALLER: starts at the caller of CONTEXT's frame.  Returns how many frames were filled
   in.  */
int ccprof_chain_capture(const void *context, bool caller, struct ccprof_frame *frames,
                         int room, unsigned long size);

/* Writes the same as text to the file, a line for each frame, without the middle of a
   stack that is too deep.  Returns 0 or an errno value.  */
int ccprof_chain_write(const void *context, bool caller, const struct ccprof_file *file);

#endif
