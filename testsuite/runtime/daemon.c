/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon [LIBRARY]: works in three threads until SIGTERM comes, and then prints how often
   it has called work().  With an argument the first thread spends its time where a
   handler must not go: it allocates, opens and closes the library, forks by vfork, and
   writes copies of its profile.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"

static volatile sig_atomic_t stop;
static _Atomic unsigned long calls;

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
    unsigned long n = 0;
    unsigned x = 1;

    while (!stop) {
        x = work(x);
        n++;
        free(malloc(x % 1000 + 100));
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

int main(int argc, char **argv)
{
    pthread_t threads[2];

    signal(SIGTERM, end);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, NULL);
    puts("ready");
    fflush(stdout);
    if (argc > 1)
        awkward(argv[1]);
    else
        serve(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%lu\n", (unsigned long)calls);
    return 0;
}
