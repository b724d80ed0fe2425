/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in steps, each of which ends with SIGUSR1, which is to write a slice: calls
   through pointers, recursion, what is allocated; and goes on in a child, as another
   program, in a data set, or in a folder that comes late. With API ccprof.h is there:
   calls of a region, the longest of them in the second step, inside of a region that is
   open all the time. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef API
#include "ccprof.h"
#else
#define CCPROF_REGION(name)
#endif

static volatile unsigned long sink;

__attribute__((noinline)) static void odd(int n)
{
    sink += (unsigned)n;
}

__attribute__((noinline)) static void even(int n)
{
    sink ^= (unsigned)n;
}

static void (*volatile parity[])(int) = {even, odd};

static void *volatile block;

__attribute__((noinline)) static void deep(int n)
{
    if (n > 0)
        deep(n - 1);
    parity[n % 2](n);
    block = malloc((size_t)n + 1);
    free(block);
}

static void brief(int milliseconds)
{
    CCPROF_REGION("brief")
    {
        const struct timespec pause = {0, milliseconds * 1000000L};
        sink += 1;
        if (milliseconds)
            nanosleep(&pause, NULL);
    }
}

static void step(int n)
{
    for (int i = 0; i < 10 * n; i++)
        deep(n % 7 + i % 3);
    for (int i = 0; i < 10; i++)
        brief(n == 2 && i == 5 ? 50 : 0);
    raise(SIGUSR1);
}

#ifdef API
static void step_of(void *n)
{
    step(*(int *)n);
}
#endif

static void late(int n)
{
    int error = 0;

    if (n == 1)
        error = symlink("nowhere/data", "data");
    if (n == 3)
        error = unlink("data");
    if (error)
        perror("data");
}

static void run(int steps, const char *what)
{
    pid_t child = 0;

    for (int i = 1; i <= steps; i++) {
        if (strcmp(what, "late") == 0)
            late(i);
        if (i == 3 && strcmp(what, "fork") == 0)
            child = fork();
        step(i);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

#ifdef API
static void run_with_data(int steps)
{
    struct ccprof_data *data = ccprof_data_new();

    for (int i = 1; i <= steps; i++) {
        if (i % 2)
            ccprof_with_data(data, step_of, &i);
        else
            step(i);
    }
    ccprof_data_write(data, "set.out");
}
#endif

int main(int count, char **words)
{
    const char *what = count > 2 ? words[2] : "";

#ifdef API
    if (strcmp(what, "data") == 0) {
        run_with_data(atoi(words[1]));
        return 0;
    }
#endif
    CCPROF_REGION("around")
    {
        run(atoi(words[1]), what);
        if (strcmp(what, "exec") == 0) {
            deep(5);
            execl(words[0], words[0], words[1], (char *)NULL);
        }
        exit(0);
    }
    return 0;
}
