/* SPDX-License-Identifier: MIT */
/* Keeps a slot for each sampled thread, in a table of fixed size.  A thread that finds no
   room is left to the lookout.  All functions are async-signal-safe, and may be
   called by any thread; SIGPROF must not come to the calling thread meanwhile.  */

#ifndef CCPROF_THREADS_H
#define CCPROF_THREADS_H

#include "rt/sample/engine.h"

#define CCPROF_THREADS_MAX 4096

/* The slot of the thread, or null.  No lock is taken.  */
struct ccprof_thread *ccprof_threads_find(pid_t tid);

/* Arms the thread, unless it is, with the first of the ENGINES (until a null one)
   that works.  If it BEGINS, what a slot says of it is about one that had the same
   number.  Its slot, if there is
   room for one, says with which engine it is armed, if any.  A thread whose slot names an
   engine is armed again by itself only: its handler may be at work there.  Returns 0 if
   it is armed, or after a stop; otherwise an errno value, that of the last engine, or
   EAGAIN if none was tried.  */
int ccprof_threads_arm(pid_t tid, const struct ccprof_engine *const *engines, bool begins,
                       uint64_t period);

/* Disarms the thread, which is about to end and is not to be armed again.  */
void ccprof_threads_disarm(pid_t tid);

/* Frees the slots of some threads that have ended; other ones at each call.  */
void ccprof_threads_reap(void);

/* Disarms all of them; nothing changes any more, and the CPU clock of the process is up
   to date as far as they are concerned.  */
void ccprof_threads_stop(void);

/* In the child of a fork: they were the parent's.  */
void ccprof_threads_drop(void);

/* Threads that ever got a slot.  */
uint64_t ccprof_threads_count(void);

/* Whether there is a slot at this address.  */
bool ccprof_threads_holds(const void *address);

#endif
