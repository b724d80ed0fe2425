/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks and threads for the programs that allocate in many ways at once. */

#ifndef SOME_H
#define SOME_H

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* No call of malloc may be a jump, which has no frame. */
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

/* A child that allocates, and ends well. */
static inline void make_child(void)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        free(some(33));
        exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0)
        abort();
}

/* Starts threads that get their numbers. */
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
