/* SPDX-License-Identifier: MIT */
/* Keeps a slot for each sampled thread, in a table of fixed size. Only the sampler
   uses this. Threads that do not fit into the table are sampled by the process timer.
   All functions are async-signal-safe and may be called by any thread. SIGPROF must
   be blocked in the calling thread, or the caller must be the handler. */

#ifndef CCPROF_THREADS_H
#define CCPROF_THREADS_H

#include "rt/sampler/engine.h"

#define CCPROF_THREADS_MAX 4096

/* Returns the slot of the thread, or null. Takes no lock. */
struct ccprof_thread *ccprof_threads_find(pid_t tid);

/* Arms the thread with the first working engine of ENGINES, a list that ends with
   null. Does nothing if the thread is already armed. If a slot is free, the thread's
   slot refers to the engine. BEGINS: the thread has just started; if its slot is
   marked as ending, the mark belongs to an earlier thread with the same number. If a
   thread's slot refers to an engine, only the thread itself may arm it again, since
   its handler may be using the slot. Returns 0 if the thread is armed, or after a
   stop. Otherwise returns the error of the last engine, or EBUSY if no engine was
   tried. */
int ccprof_threads_arm(pid_t tid, const struct ccprof_engine *const *engines, bool begins,
                       uint64_t period);

/* Disarms the thread, which is about to end and must not be armed again. */
void ccprof_threads_disarm(pid_t tid);

/* Frees slots of threads that have ended. Each call checks the next part of the
   table. */
void ccprof_threads_reap(void);

/* Disarms all threads, and updates the CPU clock of the process. No thread is armed
   until ccprof_threads_resume. */
void ccprof_threads_stop(void);
void ccprof_threads_resume(void);

/* Returns the number of armed threads. */
uint64_t ccprof_threads_armed(void);

/* fork_begin waits until no thread is being armed, for 0.1 s at most. Otherwise the
   child could inherit a descriptor that an engine has open for a moment. fork_end is
   called after the fork in the parent and in the CHILD. */
void ccprof_threads_fork_begin(void);
void ccprof_threads_fork_end(bool child);

/* Forgets all threads, in the child of a fork: they belong to the parent. */
void ccprof_threads_drop(void);

/* Returns the number of threads that have ever had a slot. */
uint64_t ccprof_threads_count(void);

/* Returns whether ADDRESS is the address of a slot. */
bool ccprof_threads_holds(const void *address);

#endif
