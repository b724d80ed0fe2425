/* SPDX-License-Identifier: MIT */
/* Threads whose making comes to the runtime (hooks.h): each is sampled from its first
   instruction to its last.  */

#ifndef CCPROF_BIRTH_H
#define CCPROF_BIRTH_H

#include <pthread.h>

/* Constructor, once, before the first create.  */
void ccprof_birth_install(void);

/* In the place of pthread_create: the same, and START is called with nothing of ours
   left on the stack.  */
int ccprof_birth_create(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*start)(void *), void *argument);

#endif
