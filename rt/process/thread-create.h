/* SPDX-License-Identifier: MIT */
/* Samples threads from their first instruction to their last, and registers their
   counters, if their creation comes to the runtime (hooks.h).  */

#ifndef CCPROF_THREAD_CREATE_H
#define CCPROF_THREAD_CREATE_H

#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

/* Prepares the functions below.  Constructor, before they are called.  */
void ccprof_thread_create_install(void);

/* Replaces pthread_create.  When START is called, the stack has nothing of the
   runtime.  */
int ccprof_thread_create(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument);

/* Replaces pthread_create for the threads of a pool, which outlive the work for which
   they are created: they start in the first data set and in no phase (scope.h).  Other
   threads start in those of their creator.  */
int ccprof_thread_create_worker(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument);

/* Replaces thrd_create.  */
int ccprof_thread_create_c11(thrd_t *thread, thrd_start_t start, void *argument);

/* Makes the end of the calling thread come to the runtime, for the first thread and for
   threads whose creation the runtime has not seen.  */
void ccprof_thread_create_expect_end(void);

/* Does what is to be done at the end of the calling thread.  GOES_ON: the thread goes on
   unmeasured, and will make no system call any more; otherwise it ends.  */
void ccprof_thread_create_end(bool goes_on);

/* Registers the calling thread's counters (counts.h), if they are not registered.  Not in
   handlers.  */
void ccprof_thread_create_adopt(void);

#endif
