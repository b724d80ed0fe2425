/* SPDX-License-Identifier: MIT */
/* Traces calls on standard error: prints each function that a thread enters and leaves, a
   line each, indented by how many are open; of the code that was compiled for it.  Lines
   of threads other than the program's first one begin with [TID].  */

#ifndef CCPROF_TRACE_H
#define CCPROF_TRACE_H

/* Constructor, before any thread counts: all threads have one from now on, together of
   LINES lines at most.  */
void ccprof_trace_install(unsigned lines);

/* Where the run ends: says so if no code was compiled for a trace that is wanted.  */
void ccprof_trace_end(void);

#endif
