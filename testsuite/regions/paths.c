/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of all forms, whose calls are known. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ccprof.h"

#define THREADS 4

static void leaf(void)
{
    CCPROF_STOPWATCH("leaf");
}

/* A region that is open already is not entered deeper. */
static void recurse(int more)
{
    CCPROF_STOPWATCH("recurse");
    if (more == 0)
        return;
    CCPROF_STOPWATCH("within");
    recurse(more - 1);
}

static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        CCPROF_STOPWATCH("work");
        leaf();
    }
    return unused;
}

int main(void)
{
    static struct ccprof_region pair = CCPROF_REGION_NAMED("pair \\ of\ncalls"),
                                never = CCPROF_REGION_NAMED("never"),
                                open = CCPROF_REGION_NAMED("open");
    pthread_t thread[THREADS];

    for (int i = 0; i < 1000; i++) {
        CCPROF_STOPWATCH("outer");
        leaf();
        leaf();
    }
    ccprof_region_begin(&pair);
    recurse(4);
    ccprof_region_end(&pair);
    ccprof_region_end(&never);
    ccprof_region_end(&never);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work, NULL) != 0)
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);

    /* What begins while nothing is measured is not there, and what it is in goes on. */
    ccprof_region_begin(&open);
    ccprof_stop();
    ccprof_region_begin(&pair);
    recurse(2);
    ccprof_start();
    leaf();
    ccprof_region_end(&pair);
    leaf();
    /* Ends what is inside of it, too. */
    ccprof_region_begin(&pair);
    ccprof_region_begin(&never);
    ccprof_region_end(&pair);
    ccprof_region_begin(&never);
    return 0;
}
