/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes its profile by signals that come while a block is being allocated: its allocator
   raises them (allocator.c). `moments threads': they come to threads that allocate, and
   the process forks meanwhile; prints how many calls took so long that somebody must have
   waited in vain. `moments every' waits for a file. */

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "some.h"

#define BLOCKS  5
#define THREADS 4
#define ROUNDS  100000
#define LONG    9 /* seconds; who waits in vain waits for 10 */

extern volatile int signals;

static void *kept[BLOCKS];
static _Atomic int at_work = THREADS, stalls;

__attribute__((noinline)) static void *keep(size_t size)
{
    return checked(malloc(size));
}

static time_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void *work(void *argument)
{
    void *held[16] = {NULL};

    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        const time_t begun = now();
        free(held[i % 16]);
        held[i % 16] = keep(10);
        stalls += now() - begun >= LONG;
    }
    for (int i = 0; i < 16; i++)
        free(held[i]);
    at_work--;
    while (at_work >= 0)
        ;
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];

    start(thread, THREADS, work);
    for (int i = 0; at_work || i < 100; i++) {
        pthread_kill(thread[i % THREADS], SIGUSR2);
        if (i % 10 == 0 && i < 100) {
            const time_t begun = now();
            make_child();
            stalls += now() - begun >= LONG;
        }
    }
    at_work = -1;
    join(thread, THREADS);
    printf("%d\n", stalls);
}

/* Allocates until there is a file that tells of the heap, for a minute at most. */
static void every(void)
{
    char line[1000];
    const time_t until = time(NULL) + 60;
    int whole = 0;

    while (!whole && time(NULL) < until) {
        for (int i = 0; i < ROUNDS; i++)
            free(keep(10));
        FILE *file = fopen("mlmon.out", "r");
        while (file && fgets(line, sizeof line, file))
            whole |= strcmp(line, "heap exact running\n") == 0;
        if (file)
            fclose(file);
    }
    puts(whole ? "whole" : "none");
}

int main(int count, char **argument)
{
    if (count > 1) {
        argument[1][0] == 't' ? threads() : every();
        return 0;
    }
    for (int i = 0; i < BLOCKS; i++) {
        signals = 1;
        kept[i] = keep(1000);
    }
    signals = 1;
    free(kept[0]);
    return 0;
}
