// SPDX-License-Identifier: GPL-3.0-or-later
// alpha in one thread, beta in another, at the same time; as much work as in two.c.

#include <pthread.h>
#include <stdio.h>
#include "kernel.h"

static inline uint64_t alpha(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

static inline uint64_t beta(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

static volatile uint64_t sink[2];

// Of both together, in seconds.
#define TIME (KERNEL_RUN / 0.3)

// CPU time of this thread until LIMIT.
#define UNTIL(limit, x, call)                                                            \
    while (kernel_seconds(CLOCK_THREAD_CPUTIME_ID) < (limit))                            \
    (x) = (call)

static void *first(void *unused)
{
    uint64_t x = 1;

    (void)unused;
    UNTIL(0.6 * TIME, x, alpha(x, 100000));
    sink[0] = x;
    return 0;
}

static void *second(void *unused)
{
    uint64_t x = 1;

    (void)unused;
    UNTIL(0.4 * TIME, x, beta(x, 100000));
    sink[1] = x;
    return 0;
}

int main(void)
{
    pthread_t one, two;

    if (pthread_create(&one, 0, first, 0) || pthread_create(&two, 0, second, 0))
        return 1;
    pthread_join(one, 0);
    pthread_join(two, 0);
    printf("time: %.2f\n", TIME);
    return 0;
}
