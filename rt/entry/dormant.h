/* SPDX-License-Identifier: MIT */
/* A process whose profiled modules are all compiled with the argument dormant, and for
   which the user has set nothing, is dormant: the constructor remembers its modules and
   waits for a request (rt/process/request.h). The first request starts a run that writes
   no file at its end. A call of ccprof.h, or a module that is not dormant, ends this
   state and starts an ordinary run, or makes the present one ordinary.

   Before the first request no function of libc is replaced, there is no run, and no
   system call is made, except getpid in the child of a fork. */

#ifndef CCPROF_DORMANT_H
#define CCPROF_DORMANT_H

#include <stdbool.h>

/* Begins the state, or remembers the modules that were loaded since. Called by the
   constructor. */
void ccprof_dormant_begin(void);

/* Returns whether the process is dormant, or has been asked and is otherwise. */
bool ccprof_dormant_is(void);

/* Starts the run of a dormant process as a request does. Returns 0 or an errno value;
   ENODATA: nothing can be sampled. The caller holds ccprof_run.attaching, with all
   signals blocked. Async-signal-safe. */
int ccprof_dormant_wake(void);

/* Ends the state. Called by the constructor and ccprof.h's functions, by a thread that
   holds ccprof_run.attaching. */
void ccprof_dormant_end(void);

#endif
