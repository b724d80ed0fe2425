/* SPDX-License-Identifier: MIT */
/* Keeps a slot for each sampled thread, in a table of fixed size, for the sampler.  The
   process timer samples the threads for which there is no room.  All functions are
   async-signal-safe and may be called by any thread; SIGPROF must not come to the calling
   thread meanwhile.  */

#ifndef CCPROF_THREADS_H
#define CCPROF_THREADS_H

#include "rt/sample/engine.h"

#define CCPROF_THREADS_MAX 4096

/* Returns the slot of the thread, or null.  Takes no lock.  */
struct ccprof_thread *ccprof_threads_find(pid_t tid);

/* Arms the thread with the first of the ENGINES, a list that ends with null, that works;
   does nothing if the thread is armed already.  BEGINS: the thread has just
   started; if its slot says that a thread is ending, that was an earlier thread with the
   same number.  The thread's slot, if there is room for one, then names the engine.  A
   thread whose slot names an engine may be armed again only by itself, since its handler
   may be using the slot.  Returns 0 if the thread is armed, or after a stop; otherwise
   the errno value of the last engine, or EAGAIN if no engine was tried.  */
int ccprof_threads_arm(pid_t tid, const struct ccprof_engine *const *engines, bool begins,
                       uint64_t period);

/* Disarms the thread, which is about to end and must not be armed again.  */
void ccprof_threads_disarm(pid_t tid);

/* Frees slots of threads that have ended.  Each call looks at other slots.  */
void ccprof_threads_reap(void);

/* Disarms all threads, for good.  Brings the CPU clock of the process up to date.  */
void ccprof_threads_stop(void);

/* Returns how many threads of the process are armed.  */
uint64_t ccprof_threads_armed(void);

/* Begin waits, for milliseconds at most, until no thread is being armed: the child of the
   fork that follows shall not inherit a descriptor that an engine has open for a moment.
   End is called in the parent and in the CHILD.  */
void ccprof_threads_fork_begin(void);
void ccprof_threads_fork_end(bool child);

/* Forgets all threads, which were the parent's, in the child of a fork.  */
void ccprof_threads_drop(void);

/* Returns how many threads ever got a slot.  */
uint64_t ccprof_threads_count(void);

/* Returns whether ADDRESS is that of a slot.  */
bool ccprof_threads_holds(const void *address);

#endif
