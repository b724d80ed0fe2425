/* SPDX-License-Identifier: MIT */
/* Traces calls on standard error, for the setting trace: prints a line whenever a
   thread enters or leaves a function that was compiled for a trace. Lines are
   indented by the number of open functions. Lines of threads other than the program's
   first thread begin with [TID]. */

#ifndef CCPROF_TRACE_H
#define CCPROF_TRACE_H

/* Starts the trace of all threads. All threads together print at most LINES lines.
   Called by the constructor, before any thread counts. */
void ccprof_trace_install(unsigned lines);

/* Prints a message if the setting requests a trace but no code was compiled for it.
   Called when the run ends. */
void ccprof_trace_end(void);

#endif
