/* SPDX-License-Identifier: GPL-3.0-or-later */
/* killed SECONDS [fork], killed file NAME [fork]: works in two threads for so many
   seconds on the clock, or in one beside one that waits until there is such a file, and
   kills itself; with `fork' a child does.  A thread works a quarter of the time.  */

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static double end;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noipa)) static void step(void)
{
    for (unsigned long i = 0; i < 10000; i++)
        sink += i;
}

static void work(void)
{
    static const struct timespec rest = {0, 3000000};
    for (int i = 0; i < 40; i++)
        step();
    nanosleep(&rest, NULL);
}

static void *until_end(void *unused)
{
    while (now() < end)
        work();
    return unused;
}

static void *until_file(void *name)
{
    while (access(name, R_OK) != 0) {
        work();
        if (clock() > 40 * CLOCKS_PER_SEC) {
            printf("nothing is written\n");
            exit(1);
        }
    }
    printf("written\n");
    fflush(stdout);
    kill(getpid(), SIGKILL);
    return NULL;
}

/* No signal of the profiler's ends what it waits for.  */
static void waits(void)
{
    for (;;) {
        struct timespec long_time = {1000, 0};
        poll(NULL, 0, -1);
        printf("poll: errno %d\n", errno);
        nanosleep(&long_time, NULL);
    }
}

int main(int count, char **words)
{
    bool file = strcmp(words[1], "file") == 0;
    pthread_t thread;

    end = now() + atof(words[1]);
    if (strcmp(words[count - 1], "fork") == 0 && fork() != 0) {
        wait(NULL);
        return 0;
    }
    pthread_create(&thread, NULL, file ? until_file : until_end, words[2]);
    if (file)
        waits();
    until_end(NULL);
    pthread_join(thread, NULL);
    kill(getpid(), SIGKILL);
}
