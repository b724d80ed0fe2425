/* SPDX-License-Identifier: MIT */
/* Samples every thread of the process: chooses the engine, arms the threads as they are
   found, and says how many samples a signal stands for.

   A thread is found when it is created (thread-create.h); otherwise in the kernel's list
   of threads, which is read ten times in a second while there are signals, or when a
   signal of the lookout (lookout.h) comes to it: the more CPU time it uses, the sooner.
   Until then, and for the first few periods of its CPU time, the lookout samples it.  */

#ifndef CCPROF_SAMPLER_H
#define CCPROF_SAMPLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/os/settings.h"

/* Starts sampling the threads that there are, with the engine of the settings, or
   the next one that works.  The handler is installed already.  Returns 0 or an errno
   value.  Constructor, child of a fork.  */
int ccprof_sampler_start(const struct ccprof_settings *settings);

/* Ends sampling.  A signal may still be pending.  Async-signal-safe.  */
void ccprof_sampler_stop(void);

/* In the child of a fork, before it starts: forgets the parent's threads and engine,
   which go on in the parent.  */
void ccprof_sampler_drop(void);

/* Whether the signal comes from an engine; otherwise somebody else sent it.  Called by
   the handler with its arguments, as is the next.  */
bool ccprof_sampler_is_ours(const siginfo_t *info);

/* The samples that the signal stands for, which may be none.  Not after the end.  */
uint64_t ccprof_sampler_take(const siginfo_t *info, const void *context);

/* Arms the calling thread, if it is not yet, or disarms it.  SIGPROF must be
   blocked.  */
void ccprof_sampler_thread_begin(void);
void ccprof_sampler_thread_end(void);

/* The engine's word in mlmon.out(5).  */
const char *ccprof_sampler_engine(void);

/* What was counted since the start: threads, and how often they waited (voluntary
   context switches).  */
uint64_t ccprof_sampler_threads(void);
uint64_t ccprof_sampler_waits(void);

/* System calls that returned EINTR when a signal of the engine's came, or of the
 * lookout's. */
uint64_t ccprof_sampler_interrupted(void);

/* Threads for which there was no timer of the wall clock, or no room, when they began. */
uint64_t ccprof_sampler_unarmed(void);

#endif
