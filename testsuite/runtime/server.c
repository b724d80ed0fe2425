/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server [rests] [WORD]: calls work() in three threads until SIGTERM comes, and then
   prints how often; with `rests' for a quarter of the time. WORD:
     fork     a child does so, which the parent kills after 1.5 seconds
     waits    the first thread waits instead for what never comes
     LIBRARY  the first thread spends its time where a handler must not go: it allocates,
              opens and closes the library, forks by vfork, and writes copies of its
              profile  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ccprof.h"

static volatile sig_atomic_t stop;
static _Atomic unsigned long calls;
static bool rests;

static void end(int number)
{
    (void)number;
    stop = 1;
}

__attribute__((noinline, noclone)) static unsigned work(unsigned x)
{
    for (int i = 0; i < 1000; i++)
        x = x * 1664525 + 1013904223;
    return x;
}

static void *serve(void *unused)
{
    static const struct timespec rest = {0, 3000000};
    unsigned long n = 0;
    unsigned x = 1;

    while (!stop) {
        x = work(x);
        n++;
        free(malloc(x % 1000 + 100));
        if (rests && n % 300 == 0)
            nanosleep(&rest, NULL);
    }
    atomic_fetch_add(&calls, n);
    return unused;
}

static void awkward(const char *library)
{
    while (!stop) {
        void *handle = dlopen(library, RTLD_NOW);
        free(malloc(10000));
        if (handle)
            dlclose(handle);
        ccprof_write("copy");
        pid_t child = vfork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
}

/* No signal of the profiler's ends what it waits for. */
static void waits(void)
{
    while (!stop) {
        struct timespec long_time = {1000, 0};
        poll(NULL, 0, -1);
        printf("poll: errno %d\n", errno);
        fflush(stdout);
        nanosleep(&long_time, NULL);
    }
}

static int kill_late(pid_t child)
{
    usleep(1500000);
    kill(child, SIGKILL);
    wait(NULL);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];

    rests = argc > 1 && strcmp(argv[1], "rests") == 0;
    const char *word = argc > 1 + rests ? argv[1 + rests] : "";
    pid_t child = strcmp(word, "fork") == 0 ? fork() : 0;
    if (child != 0)
        return kill_late(child);
    signal(SIGTERM, end);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, NULL);
    puts("ready");
    fflush(stdout);
    if (strcmp(word, "waits") == 0)
        waits();
    else if (strchr(word, '/'))
        awkward(word);
    else
        serve(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%lu\n", (unsigned long)calls);
    return 0;
}
