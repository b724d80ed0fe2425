/* SPDX-License-Identifier: MIT */
/* A trace for those who look for a fault in inclusive counts, on standard error: what a
   thread enters and leaves, a line each, indented by how much is entered.  It is looked
   at where a function that makes calls begins.  */

#ifndef CCPROF_TRACE_H
#define CCPROF_TRACE_H

/* Constructor, before any thread counts: all threads have one from now on.  */
void ccprof_trace_install(void);

#endif
