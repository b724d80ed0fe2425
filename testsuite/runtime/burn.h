/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time to be profiled: burn(SECONDS) spends it in the calling thread. */

#ifndef BURN_H
#define BURN_H

#include <time.h>

static volatile unsigned long burnt;

static __attribute__((noinline)) void burn(double seconds)
{
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        for (int i = 0; i < 100000; i++)
            burnt += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((double)(now.tv_sec - start.tv_sec) +
                 1e-9 * (double)(now.tv_nsec - start.tv_nsec) <
             seconds);
}

#endif
