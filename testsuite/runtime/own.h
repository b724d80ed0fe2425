/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads say of themselves, for the tests of -by thread: own_end() in each thread
   keeps its name and its CPU time, own_print() prints them, `NAME SECONDS' in each line.
 */

#ifndef OWN_H
#define OWN_H

#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#define OWN_MOST 16

static struct {
    char name[16];
    double seconds;
} own[OWN_MOST];
static int own_count;

static inline void own_end(void)
{
    struct timespec now;
    int number = __atomic_fetch_add(&own_count, 1, __ATOMIC_RELAXED);

    prctl(PR_GET_NAME, own[number].name);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    own[number].seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void own_print(void)
{
    for (int i = 0; i < own_count; i++)
        printf("%s %.4f\n", own[i].name, own[i].seconds);
}

#endif
