/* SPDX-License-Identifier: MIT */
/* Threads whose making comes to the runtime (hooks.h): each is sampled from its first
   instruction to its last.  */

#ifndef CCPROF_THREAD_CREATE_H
#define CCPROF_THREAD_CREATE_H

#include <pthread.h>
#include <threads.h>

/* Constructor, before the first create.  */
void ccprof_thread_create_install(void);

/* In the place of pthread_create: the same, and START is called with nothing of ours
   left on the stack.  */
int ccprof_thread_create(pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument);

/* The same for the threads of a pool, which outlive what their maker is about: they start
   in the first data set and in no phase (scope.h), others where their maker is.  */
int ccprof_thread_create_worker(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument);

/* In the place of thrd_create.  */
int ccprof_thread_create_c11(thrd_t *thread, thrd_start_t start, void *argument);

/* The calling thread may be one that nobody has told of: from now on it is known to
   count. Outside of handlers.  */
void ccprof_thread_create_adopt(void);

#endif
