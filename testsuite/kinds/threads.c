// SPDX-License-Identifier: GPL-3.0-or-later
// alpha in one thread, beta in another, at the same time: 60 and 40 % of the CPU time.

#include <pthread.h>
#include "kernel.h"

static volatile uint64_t sink[2];

// A function that is inlined into the thread's, which has so much CPU time.
#define THREAD(name, constant, thread, part)                                             \
    static inline uint64_t name(uint64_t x, long steps)                                  \
    {                                                                                    \
        KERNEL_SPIN(x, constant, steps);                                                 \
        return x;                                                                        \
    }                                                                                    \
                                                                                         \
    static void *thread(void *number)                                                    \
    {                                                                                    \
        uint64_t x = 1;                                                                  \
        while (kernel_seconds(CLOCK_THREAD_CPUTIME_ID) < (part)*KERNEL_RUN)              \
            x = name(x, 100000);                                                         \
        sink[*(const int *)number] = x;                                                  \
        return 0;                                                                        \
    }

THREAD(alpha, KERNEL_ALPHA, first, 0.6)
THREAD(beta, KERNEL_BETA, second, 0.4)

int main(void)
{
    static const int numbers[] = {0, 1};
    pthread_t one, two;

    if (pthread_create(&one, 0, first, (void *)&numbers[0]) ||
        pthread_create(&two, 0, second, (void *)&numbers[1]))
        return 1;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
