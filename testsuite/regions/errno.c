/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions, stopwatches and calls by pointers leave errno alone: the first one where no
   file can be opened, one for which there is no memory, and those of many threads that
   come to them for the first time together. Exit status 0: so it was. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ccprof.h"

#define THREADS 16
#define REGIONS 64

static pthread_barrier_t barrier;
static char names[REGIONS][8];
static struct ccprof_region regions[REGIONS];
static int changed[THREADS];

__attribute__((noinline)) static int watched(int x)
{
    __asm__ volatile("");
    return x + 1;
}

static int next(int x)
{
    return x + 1;
}

static int (*volatile indirect)(int) = next;

static int use(struct ccprof_region *region)
{
    errno = 0;
    unsigned long opened = ccprof_region_begin(region);
    int error = errno ? errno : watched(0) == 1 ? errno : 0;
    ccprof_region_cut(&opened);
    if (error || errno)
        return error ? error : errno;
    return indirect(1) == 2 ? errno : EINVAL;
}

static void *meet(void *of)
{
    int *error = of;

    pthread_barrier_wait(&barrier);
    for (int i = 0; i < REGIONS; i++)
        if (*error == 0)
            *error = use(&regions[i]);
    return NULL;
}

static void together(void)
{
    pthread_t thread[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < REGIONS; i++) {
        snprintf(names[i], sizeof names[i], "r%d", i);
        regions[i].name = names[i];
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, meet, &changed[i]) != 0)
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

/* Nothing more is to be had of it, after USED. */
static void limit(int what, rlim_t used)
{
    struct rlimit limit;

    if (getrlimit(what, &limit) != 0)
        abort();
    limit.rlim_cur = used;
    if (setrlimit(what, &limit) != 0)
        abort();
}

int main(int argc, char **argv)
{
    static struct ccprof_region first = {"first", 0};
    const char *what = argc > 1 ? argv[1] : "";
    int error = 0;

    if (strcmp(what, "files") == 0 || strcmp(what, "memory") == 0) {
        limit(*what == 'f' ? RLIMIT_NOFILE : RLIMIT_AS, 0);
        error = use(&first);
    } else {
        together();
        for (int i = 0; i < THREADS; i++)
            error = error ? error : changed[i];
    }
    if (error)
        fprintf(stderr, "%s: errno is %d\n", what, error);
    return error != 0;
}
