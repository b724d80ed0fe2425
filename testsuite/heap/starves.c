/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that do nothing but allocate, and one that wants them all to stand still: it
   forks, and then ends as the argument says: main returns, or `exit', `_exit',
   `quick_exit' and `abort' end the program, or SIGTERM that a thread gets while it
   allocates, or `execl'; before `stopped' some threads are stopped for good, wherever
   they are. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "some.h"

#define THREADS 12
#define BLOCKS  100

static pthread_t thread[THREADS];
static atomic_int begun;

static void *allocate(void *argument)
{
    void *block[BLOCKS] = {NULL};
    unsigned random = (unsigned)(size_t)argument + 1;

    for (unsigned i = 0;; i++) {
        random = random * 1103515245 + 12345;
        unsigned k = (random >> 16) % BLOCKS;
        free(block[k]);
        block[k] = some(random % 500);
        if (i == 1000)
            atomic_fetch_add(&begun, 1);
    }
    return NULL;
}

static void stop(int number)
{
    (void)number;
    for (;;)
        pause();
}

static int ends(const char *how)
{
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "_exit") == 0)
        _exit(3);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(3);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "SIGTERM") == 0) {
        pthread_kill(thread[0], SIGTERM);
        for (;;)
            pause();
    }
    if (strcmp(how, "execl") == 0)
        execl("/bin/true", "true", NULL);
    if (strcmp(how, "stopped") == 0)
        for (int i = 0; i < THREADS / 2; i++)
            pthread_kill(thread[i], SIGUSR1);
    return 3;
}

int main(int count, char **argument)
{
    if (count < 2)
        return 0;
    signal(SIGUSR1, stop);
    start(thread, THREADS, allocate);
    while (atomic_load(&begun) < THREADS)
        usleep(1000);
    make_child();
    return ends(argument[1]);
}
