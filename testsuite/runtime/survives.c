/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survives SECONDS NUMBER...: sends itself each signal, which does not end it, and calls
   after() a hundred times after each. Then uses SECONDS of CPU time. The signal behind
   the word `last' comes at the end. Its action must be the default before and after. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "burn.h"

static volatile unsigned sink;
static void *volatile block;

__attribute__((noinline)) static void before(void)
{
    sink++;
}

__attribute__((noinline)) static void after(void)
{
    block = malloc(10);
    free(block);
    sink++;
}

static void check_default(int number)
{
    struct sigaction now;

    if (sigaction(number, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
        printf("signal %d has an action\n", number);
}

static void work(int number)
{
    check_default(number);
    kill(getpid(), number);
    check_default(number);
    for (int i = 0; i < 100; i++)
        after();
}

int main(int count, char **words)
{
    int i = 2;

    before();
    for (; i < count && strcmp(words[i], "last") != 0; i++)
        work(atoi(words[i]));
    burn(atof(words[1]));
    for (int k = 0; k < 100; k++)
        after();
    puts("done");
    fflush(stdout);
    if (i + 1 < count)
        kill(getpid(), atoi(words[i + 1]));
    return 0;
}
