/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions inside of each other, one that sleeps, one too short to be measured, and one
   that is left open.  */

#include <ccprof.h>

#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sink;

static void work(unsigned rounds)
{
    CCPROF_STOPWATCH("work of a round");
    for (unsigned i = 0; i < rounds; i++)
        sink += i * i;
}

int main(void)
{
    for (unsigned i = 0; i < 300; i++) {
        CCPROF_STOPWATCH("round");
        work(300000 + 1000 * (i % 100));
        {
            CCPROF_STOPWATCH("nothing");
        }
        if (i % 50 == 0) {
            CCPROF_STOPWATCH("sleep");
            usleep(1000);
        }
    }
    CCPROF_STOPWATCH("end");
    exit(0);
}
