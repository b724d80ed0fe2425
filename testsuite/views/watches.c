/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of a region in three slices, the longest in the second one, inside of a region
   that is open all the time.  */

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "ccprof.h"

static volatile unsigned long sink;

static void brief(int length)
{
    CCPROF_REGION("brief")
    {
        const struct timespec pause = {0, length * 1000000L};
        for (int i = 0; i < 1000; i++)
            sink += (unsigned)i;
        if (length)
            nanosleep(&pause, NULL);
    }
}

static void cut(void)
{
    raise(SIGUSR1);
}

int main(void)
{
    CCPROF_REGION("around")
    {
        for (int slice = 0; slice < 3; slice++) {
            for (int i = 0; i < 10; i++)
                brief(slice == 1 && i == 5 ? 50 : 0);
            cut();
        }
        exit(0);
    }
    return 0;
}
