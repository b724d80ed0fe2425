/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in steps, each of which ends with SIGUSR1, which is to write a slice: calls
   through pointers, recursion, what is allocated; and goes on in a child, as another
   program, in a data set, or in a folder that comes late.  */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef DATA
#include "ccprof.h"
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

static void cut(void)
{
    raise(SIGUSR1);
}

static void step(int n)
{
    for (int i = 0; i < 10 * n; i++)
        deep(n % 7 + i % 3);
    cut();
}

#ifdef DATA
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

int main(int count, char **words)
{
    int steps = atoi(words[1]);
    const char *what = count > 2 ? words[2] : "";
    pid_t child = 0;
#ifdef DATA
    struct ccprof_data *data = ccprof_data_new();
#endif

    for (int i = 1; i <= steps; i++) {
        if (strcmp(what, "late") == 0)
            late(i);
        if (i == 3 && strcmp(what, "fork") == 0)
            child = fork();
#ifdef DATA
        if (i % 2)
            ccprof_with_data(data, step_of, &i);
        else
#endif
            step(i);
    }
#ifdef DATA
    ccprof_data_write(data, "set.out");
#endif
    if (strcmp(what, "exec") == 0) {
        deep(5);
        execl(words[0], words[0], words[1], (char *)NULL);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    return 0;
}
