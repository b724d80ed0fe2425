/* SPDX-License-Identifier: MIT */
/* Samples threads from their first to their last instruction, and registers their
   counters. Works for threads whose creation reaches the runtime (hooks.h). */

#ifndef CCPROF_THREAD_CREATE_H
#define CCPROF_THREAD_CREATE_H

#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

/* Prepares the functions below. The constructor calls this before any of them. */
void ccprof_thread_create_install(void);

/* Replaces pthread_create. When START is called, no frame of the runtime is on the
   stack. */
int ccprof_thread_create(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument);

/* Replaces pthread_create for the threads of a pool. After its first work, a thread
   of a pool is reused for other work. Therefore it starts in the first data set and
   in no phase (tags.h). Other threads start in the data set and phase of their
   creator. */
int ccprof_thread_create_worker(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument);

/* Replaces thrd_create. */
int ccprof_thread_create_c11(thrd_t *thread, thrd_start_t start, void *argument);

/* Lets the runtime notice the end of the calling thread. For the first thread and for
   threads whose creation the runtime has not seen. */
void ccprof_thread_create_expect_end(void);

/* Does the runtime's work at the end of the calling thread. GOES_ON: the thread
   continues unmeasured and makes no more system calls; otherwise it ends. */
void ccprof_thread_create_end(bool goes_on);

/* Registers the calling thread's counters (counts.h), if they are not registered. Not
   for handlers. */
void ccprof_thread_create_adopt(void);

#endif
