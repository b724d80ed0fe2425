/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of known length.  Prints for each its name, and the mean and the median of what
   the program itself has measured inside, in nanoseconds.  With an argument: many paths
   that are made in one region (first), and then entered in another one (again).  */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ccprof.h"

#define MOST 2000

static double length[MOST], rate, reading;

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#ifdef __x86_64__
static unsigned long long now(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static unsigned long long now(void)
{
    return (unsigned long long)now_ns();
}
#endif

/* Ticks in a nanosecond; and what it takes to read them, which is in a region, too, but
   not between two readings.  */
static void calibrate(void)
{
    double from_ns = now_ns(), best = 1e9;
    unsigned long long from = now();
    while (now_ns() - from_ns < 5e7)
        continue;
    unsigned long long to = now();
    rate = (double)(to - from) / (now_ns() - from_ns);
    for (int i = 0; i < 1000; i++) {
        from = now();
        for (int j = 0; j < 100; j++)
            to = now();
        if ((double)(to - from) < best)
            best = (double)(to - from);
    }
    reading = best / 100 / rate;
}

static double wait_for(double ns)
{
    unsigned long long from = now(), least = (unsigned long long)(ns * rate), to;
    do
        to = now();
    while (to - from < least);
    return (double)(to - from);
}

static double sleep_for(double ns)
{
    unsigned long long from = now();
    usleep((useconds_t)(ns / 1000));
    return (double)(now() - from);
}

static int compare(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void measure(struct ccprof_region *region, double (*delay)(double), double ns,
                    int times)
{
    double sum = 0;

    for (int i = 0; i < times; i++) {
        ccprof_region_begin(region);
        length[i] = delay(ns);
        ccprof_region_end(region);
        sum += length[i];
    }
    qsort(length, (size_t)times, sizeof *length, compare);
    printf("%s %f %f\n", region->name, sum / times / rate + reading,
           length[times / 2] / rate + reading);
}

static void paths(void)
{
    static char names[MOST][8];
    static struct ccprof_region regions[MOST];

    for (int i = 0; i < MOST; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        regions[i].name = names[i];
    }
    CCPROF_REGION("around") for (int turn = 0; turn < 3; turn++)
    {
        static struct ccprof_region turns[] = {CCPROF_REGION_NAMED("first"),
                                               CCPROF_REGION_NAMED("again")};
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
    static struct ccprof_region microsecond = CCPROF_REGION_NAMED("1us"),
                                ten = CCPROF_REGION_NAMED("10us"),
                                millisecond = CCPROF_REGION_NAMED("1ms"),
                                sleeping = CCPROF_REGION_NAMED("usleep");
    (void)words;
    if (count > 1) {
        paths();
        return 0;
    }
    calibrate();
    measure(&microsecond, wait_for, 1e3, 2000);
    measure(&ten, wait_for, 1e4, 2000);
    measure(&millisecond, wait_for, 1e6, 50);
    measure(&sleeping, sleep_for, 2e6, 50);
    /* Regions that do nothing, in one that does nothing else.  */
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
