/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of known length. Prints for each its name, and the mean of what the program
   itself has measured inside, in nanoseconds. With an argument: many paths that are made
   in one region (first), and then entered in another one (again). */

#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "ccprof.h"

#define MOST 2000

static double now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double wait_for(double ns)
{
    double from = now(), to;
    do
        to = now();
    while (to - from < ns);
    return to - from;
}

static double sleep_for(double ns)
{
    double from = now();
    usleep((useconds_t)(ns / 1000));
    return now() - from;
}

static void measure(struct ccprof_region *region, double (*delay)(double), double ns,
                    int times)
{
    double sum = 0;

    for (int i = 0; i < times; i++) {
        ccprof_region_begin(region);
        sum += delay(ns);
        ccprof_region_end(region);
    }
    printf("%s %f\n", region->name, sum / times);
}

static void paths(void)
{
    static char names[MOST][8];
    static struct ccprof_region regions[MOST],
        turns[] = {CCPROF_REGION_NAMED("first"), CCPROF_REGION_NAMED("again")};

    for (int i = 0; i < MOST; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        regions[i].name = names[i];
    }
    for (int turn = 0; turn < 3; turn++) {
        CCPROF_STOPWATCH("around");
        ccprof_region_begin(&turns[turn > 0]);
        for (int i = 0; i < MOST; i++) {
            ccprof_region_begin(&regions[i]);
            ccprof_region_end(&regions[i]);
        }
        ccprof_region_end(&turns[turn > 0]);
    }
}

int main(int count, char **words)
{
    static struct ccprof_region ten = CCPROF_REGION_NAMED("10us"),
                                millisecond = CCPROF_REGION_NAMED("1ms"),
                                sleeping = CCPROF_REGION_NAMED("usleep");
    (void)words;
    if (count > 1) {
        paths();
        return 0;
    }
    measure(&ten, wait_for, 1e4, 2000);
    measure(&millisecond, wait_for, 1e6, 50);
    measure(&sleeping, sleep_for, 2e6, 50);
    /* Regions that do nothing, in one that does nothing else. */
    for (int i = 0; i < 300; i++) {
        CCPROF_REGION("around")
        {
            for (int j = 0; j < 1000; j++) {
                CCPROF_STOPWATCH("empty");
            }
        }
    }
    return 0;
}
