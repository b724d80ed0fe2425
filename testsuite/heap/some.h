/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks and threads for the programs that allocate in many ways at once.  */

#ifndef SOME_H
#define SOME_H

#include <pthread.h>
#include <stdlib.h>

/* No call of malloc may be a jump, which has no frame.  */
static inline void *checked(void *at)
{
    if (!at)
        abort();
    return at;
}

__attribute__((noinline, unused)) static void *some(size_t size)
{
    return checked(malloc(size));
}

/* Starts threads that get their numbers.  */
static inline void start(pthread_t *thread, size_t count, void *(*work)(void *))
{
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
            abort();
}

static inline void join(pthread_t *thread, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

#endif
