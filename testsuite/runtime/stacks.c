/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time under stacks that are known: stacks WAY NUMBER [SECONDS]. Each way spends
   most of it in `burn', below the functions that the tests rt-stacks and rt-deep
   expect. */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burn.h"

/* No tail calls, no copies. */
#define KEEP       __attribute__((noinline, noclone, noipa))
#define NOT_LAST() __asm__ volatile("")

static double seconds = 0.1;

static KEEP void recurse(int depth)
{
    if (depth > 1)
        recurse(depth - 1);
    else
        burn(seconds);
    NOT_LAST();
}

static KEEP void handle(int number)
{
    (void)number;
    burn(seconds);
    NOT_LAST();
}

static KEEP void signalled(void)
{
    raise(SIGUSR1);
    NOT_LAST();
}

/* The handlers, ours too, on a stack of their own, as small as they come. */
static void alternate(size_t size)
{
    stack_t stack = {malloc(size), 0, size};
    struct sigaction action;

    sigaltstack(&stack, NULL);
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, NULL);
}

static KEEP void *thread(void *depth)
{
    recurse((int)(size_t)depth);
    return NULL;
}

static KEEP void threads(int number)
{
    pthread_t id[64];
    for (int i = 0; i < number; i++)
        pthread_create(&id[i], NULL, thread, (void *)(size_t)(1 + i));
    for (int i = 0; i < number; i++)
        pthread_join(id[i], NULL);
}

/* A stack of its own for each of very many paths. */
static unsigned long random_state = 1;

static KEEP unsigned left(int depth);

static KEEP unsigned right(int depth)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    if (depth == 0) {
        for (int i = 0; i < 300; i++)
            burnt += (unsigned long)i;
        return 1;
    }
    unsigned calls = random_state >> 40 & 1 ? right(depth - 1) : left(depth - 1);
    NOT_LAST();
    return calls + 1;
}

static KEEP unsigned left(int depth)
{
    unsigned calls = right(depth);
    NOT_LAST();
    return calls + 2;
}

static KEEP void paths(int depth)
{
    struct timespec now;
    do {
        for (int i = 0; i < 100; i++)
            right(depth);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < seconds);
}

/* Calls itself, at every fourth level by way of over. */
static KEEP void down(int depth);

static KEEP void over(int depth)
{
    down(depth - 1);
    NOT_LAST();
}

static KEEP void down(int depth)
{
    if (depth <= 1)
        burn(seconds);
    else if (depth % 4 == 0)
        over(depth - 1);
    else
        down(depth - 1);
    NOT_LAST();
}

/* Calls itself by one of three ways, which never come again in the same order. */
static KEEP void turn(unsigned depth);

static KEEP void aside(unsigned depth)
{
    turn(depth);
    NOT_LAST();
}

static KEEP void turn(unsigned depth)
{
    unsigned way = (depth * 2654435761u >> 16) % 3;
    if (depth <= 1)
        burn(seconds);
    else if (way == 0)
        turn(depth - 1);
    else if (way == 1)
        aside(depth - 1);
    else
        turn(depth - 1);
    NOT_LAST();
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 1;

    if (argc > 3)
        seconds = atof(argv[3]);
    if (strcmp(way, "recurse") == 0)
        recurse(number);
    else if (strcmp(way, "alternate") == 0)
        alternate((size_t)number), signalled();
    else if (strcmp(way, "threads") == 0)
        threads(number);
    else if (strcmp(way, "paths") == 0)
        paths(number);
    else if (strcmp(way, "down") == 0)
        down(number);
    else if (strcmp(way, "turn") == 0)
        turn((unsigned)number);
    else
        return 2;
    return 0;
}
