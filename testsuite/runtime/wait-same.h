/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the programs of rt-wait-same. */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A value of errno that no call sets. */
#define UNSET 77

/* Prints what the call returned, and errno. */
#define SAY(call)                                                                        \
    do {                                                                                 \
        errno = UNSET;                                                                   \
        const long long said = (long long)(call);                                        \
        const int error = errno;                                                         \
        printf("%s: %lld %d\n", #call, said, error);                                     \
    } while (0)

/* Returns the time on the clock in so many milliseconds. */
static inline struct timespec at(clockid_t clock, long milliseconds)
{
    struct timespec time;

    clock_gettime(clock, &time);
    const long long sum = time.tv_nsec + milliseconds * 1000000LL + 1000000000000LL;
    time.tv_sec += sum / 1000000000 - 1000;
    time.tv_nsec = sum % 1000000000;
    return time;
}

static inline void pass(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time) == EINTR) {
    }
}

static inline pthread_t start(void *(*routine)(void *), void *argument)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, routine, argument) != 0)
        abort();
    return thread;
}
