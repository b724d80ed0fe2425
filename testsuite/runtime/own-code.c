/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a function of a few instructions through a pointer, for 0.3 s: where indirect
   calls are counted, or the function has a stopwatch, much of the time is the runtime's.
 */

#include <time.h>

__attribute__((noinline)) int step(int x)
{
    return x + 1;
}

static int (*volatile call)(int) = step;
static volatile int sink;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void)
{
    double end = seconds() + 0.3;
    do
        for (int i = 0; i < 100000; i++)
            sink = call(i);
    while (seconds() < end);
    return 0;
}
