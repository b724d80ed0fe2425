/* SPDX-License-Identifier: MIT */
/* Samples threads from their first instruction to their last, and registers their
   counters, where their creation comes to the runtime (hooks.h).  */

#ifndef CCPROF_THREAD_CREATE_H
#define CCPROF_THREAD_CREATE_H

#include <pthread.h>
#include <threads.h>

/* Prepares the functions below.  Constructor, before the first of them.  */
void ccprof_thread_create_install(void);

/* Replaces pthread_create.  When START is called nothing of the runtime is left on the
   stack.  */
int ccprof_thread_create(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument);

/* The same for the threads of a pool, which outlive the work for which they are created:
   they start in the first data set and in no phase (scope.h), others in those of their
   creator.  */
int ccprof_thread_create_worker(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument);

/* Replaces thrd_create.  */
int ccprof_thread_create_c11(thrd_t *thread, thrd_start_t start, void *argument);

/* Sees to it that the calling thread's end comes to the runtime.  For threads whose
   creation did not, and the first one.  */
void ccprof_thread_create_expect_end(void);

/* Registers the calling thread's counters (counts.h), if it is not registered yet.
   Outside of handlers.  */
void ccprof_thread_create_adopt(void);

#endif
