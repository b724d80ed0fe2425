/* SPDX-License-Identifier: MIT */
/* Traces calls on standard error, for the setting trace: prints a line for each function
   that a thread enters or leaves, if the function was compiled for a trace.  Lines are
   indented by the number of open functions.  Lines of threads other than the program's
   first one begin with [TID].  */

#ifndef CCPROF_TRACE_H
#define CCPROF_TRACE_H

/* Starts the trace of all threads, with at most LINES lines together.  Constructor,
   before any thread counts.  */
void ccprof_trace_install(unsigned lines);

/* Says that there is no trace, if the setting asks for one but no code was compiled for
   it. Called where the run ends.  */
void ccprof_trace_end(void);

#endif
