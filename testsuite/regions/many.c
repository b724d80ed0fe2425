/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Very many calls: of 64 threads; of a thread and of the handlers of signals that come in
   the midst of them; of processes; of a shared object that comes and goes; of more
   regions than there is room for. Prints how many there were where it cannot be known
   before. A number behind "threads" or "signals" is how many pairs a thread has, or
   how many signals there are. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"

#define THREADS 64
#define PAIRS   156250 /* 10 million of them all */
#define SIGNALS 5000

static int pairs = PAIRS, most_signals = SIGNALS;

static void check(int good)
{
    if (!good)
        abort();
}

/* The memory in use, in KiB. */
static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    check(file && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) >> 10);
}

static void *work(void *unused)
{
    for (int i = 0; i < pairs / 2; i++) {
        CCPROF_REGION("outer")
        {
            CCPROF_STOPWATCH("inner");
        }
    }
    return unused;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    long before = resident();

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < THREADS; i++)
            check(pthread_create(&thread[i], NULL, work, NULL) == 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        /* What threads that have ended have had others get. */
        printf("%ld\n", resident() - before);
        before = resident();
    }
}

static volatile sig_atomic_t handled;
static volatile long looped;
static struct itimerval often = {{0, 50}, {0, 50}};

static void handle(int number)
{
    static long before = -1;

    (void)number;
    handled++;
    /* Where a signal takes longer than that the loop would never go on. */
    if (looped == before) {
        often.it_interval.tv_usec += 50;
        setitimer(ITIMER_REAL, &often, NULL);
    }
    before = looped;
    CCPROF_REGION("handler")
    {
        CCPROF_STOPWATCH("both");
    }
    /* One after the other, too. */
    CCPROF_STOPWATCH("both");
}

static void signals(void)
{
    const struct itimerval never = {{0, 0}, {0, 0}};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    /* On a machine whose timers are late the loop would have too much to tell. */
    while (handled < most_signals && looped < 100 * most_signals) {
        CCPROF_STOPWATCH("loop");
        CCPROF_REGION("both")
        {
            looped++;
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%ld %d\n", looped, (int)handled);
}

/* Children of a process with threads at work. */
static void forks(void)
{
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        check(pthread_create(&thread[i], NULL, work, NULL) == 0);
    for (int i = 0; i < 8; i++) {
        CCPROF_STOPWATCH("parent");
        pid_t child = fork();
        if (child == 0) {
            for (int j = 0; j < 100; j++) {
                CCPROF_STOPWATCH("child");
            }
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

/* It names its regions anew each time. */
static void modules(const char *path)
{
    for (int i = 0; i < 10; i++) {
        void *object = dlopen(path, RTLD_NOW);
        check(object != NULL);
        void (*function)(void) = (void (*)(void))dlsym(object, "loaded");
        for (int j = 0; j < 10; j++)
            function();
        dlclose(object);
    }
}

static void nest(struct ccprof_region *region, int more)
{
    ccprof_region_begin(region);
    if (more)
        nest(region + 1, more - 1);
    ccprof_region_end(region);
}

static void recurse(int more)
{
    CCPROF_STOPWATCH("deep");
    if (more)
        recurse(more - 1);
}

/* More names than there is room for, and frames. */
static void full(void)
{
    static struct ccprof_region region[6000];
    static char name[6000][8];

    recurse(20000);
    for (int i = 0; i < 6000; i++) {
        snprintf(name[i], sizeof name[i], "%d", i);
        region[i].name = name[i];
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 6000; j++)
            nest(&region[j], 0);
        nest(region, 50);
    }
    nest(region, 0);
}

#define NAMES 30
#define ROOMY 17 /* of which there are 4,369 paths: there is room for them */

/* Three different ones of so many REGIONS inside each other, at random: of 30 there are
   25,260 paths. */
static void chains(struct ccprof_region *region, int regions, int n, long *began)
{
    static unsigned seed = 1;

    for (int i = 0; i < n; i++) {
        int open[3];
        for (int depth = 0; depth < 3; depth++) {
            do
                open[depth] = rand_r(&seed) / 7 % regions;
            while ((depth > 0 && open[depth] == open[0]) ||
                   (depth > 1 && open[depth] == open[1]));
            began[open[depth]]++;
            ccprof_region_begin(&region[open[depth]]);
        }
        for (int depth = 3; depth-- > 0;)
            ccprof_region_end(&region[open[depth]]);
    }
}

/* More paths than there is room for. Prints how often each region was begun. */
static void paths(void)
{
    static char name[NAMES][16];
    static struct ccprof_region region[NAMES];
    long began[NAMES] = {0};

    for (int i = 0; i < NAMES; i++) {
        snprintf(name[i], sizeof name[i], "r%d", i);
        region[i].name = name[i];
    }
    chains(region, ROOMY, 40000, began);
    chains(region, NAMES, 50000, began);
    for (int i = 0; i < NAMES; i++)
        printf("r%d %ld\n", i, began[i]);
}

int main(int count, char **vector)
{
    const char *what = count > 1 ? vector[1] : "";

    if (count > 2)
        pairs = most_signals = atoi(vector[2]);
    if (strcmp(what, "threads") == 0)
        threads();
    else if (strcmp(what, "signals") == 0)
        signals();
    else if (strcmp(what, "forks") == 0)
        forks();
    else if (strcmp(what, "modules") == 0)
        modules(vector[2]);
    else if (strcmp(what, "full") == 0)
        full();
    else if (strcmp(what, "paths") == 0)
        paths();
    return 0;
}
