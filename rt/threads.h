/* SPDX-License-Identifier: MIT */
/* The threads that are sampled: a table of fixed size.  Who finds no room in it is
   left to the timer of the process.  All functions are async-signal-safe, and may
   be called by any thread; SIGPROF must not come to the calling thread
   meanwhile.  */

#ifndef CCPROF_THREADS_H
#define CCPROF_THREADS_H

#include "engine.h"

#define CCPROF_THREADS_MAX 4096

/* The slot of the thread, or null.  No lock is taken.  */
struct ccprof_thread *ccprof_threads_find(pid_t tid);

/* Arms the thread, which has no slot, with the first of the ENGINES (until a null
   one) that works; its slot says with which, if any.  Returns false if there is no
   room.  */
bool ccprof_threads_add(pid_t tid, const struct ccprof_engine *const *engines,
                        uint64_t period);

/* Disarms the thread and frees its slot, if it has one.  */
void ccprof_threads_remove(pid_t tid);

/* Frees the slots of some threads that have ended; other ones at each call.  */
void ccprof_threads_reap(void);

/* Disarms all of them; nothing changes any more.  */
void ccprof_threads_stop(void);

/* In the child of a fork: they were the parent's.  */
void ccprof_threads_drop(void);

/* Threads that were ever added.  */
uint64_t ccprof_threads_count(void);

/* Whether there is a slot at this address.  */
bool ccprof_threads_holds(const void *address);

#endif
