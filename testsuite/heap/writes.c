/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that allocate get signals at which files are written, so that one writes while
   another one, which was interrupted inside of the allocator, wants to; with an argument
   the process forks meanwhile.  Prints how many calls of the allocator took so long that
   somebody must have waited in vain.  */

#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "some.h"

#define THREADS 3
#define SIGNALS 150
#define LONG    9 /* seconds; who waits in vain waits for 10 */

static atomic_bool is_done;
static atomic_int stalls;

static time_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void *allocate(void *argument)
{
    void *block[64] = {NULL};

    for (unsigned i = 0; !atomic_load(&is_done); i++) {
        const time_t begun = now();
        free(block[i % 64]);
        block[i % 64] = malloc(i % 2000 + 1);
        if (now() - begun >= LONG)
            atomic_fetch_add(&stalls, 1);
    }
    for (unsigned i = 0; i < 64; i++)
        free(block[i]);
    return argument;
}

static void make_child(void)
{
    const time_t begun = now();
    pid_t child = fork();
    int status;

    if (child == 0) {
        free(malloc(9));
        exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0)
        abort();
    if (now() - begun >= LONG)
        atomic_fetch_add(&stalls, 1);
}

int main(int count, char **argument)
{
    pthread_t thread[THREADS];

    (void)argument;
    start(thread, THREADS, allocate);
    for (int i = 0; i < SIGNALS && atomic_load(&stalls) == 0; i++) {
        pthread_kill(thread[i % THREADS], SIGUSR2);
        if (count > 1 && i % 10 == 0)
            make_child();
        usleep(1000);
    }
    atomic_store(&is_done, true);
    join(thread, THREADS);
    printf("%d\n", atomic_load(&stalls));
    return 0;
}
