/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads, one of which does A and then B, the other one B and then A, each for as
   many seconds of CPU time as the argument says; it prints when they did, as `THREAD PART
   FROM TO' in seconds on the clock from the start of main. With a second argument the
   first thread waits for so many seconds between them; with a third one all this is done
   in a child, too. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ccprof.h"

#include "burn.h"

static double began, seconds, pause_;

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec - began;
}

__attribute__((noinline)) static void part_a(void)
{
    burn(seconds);
    burnt++;
}

__attribute__((noinline)) static void part_b(void)
{
    burn(seconds);
    burnt--;
}

static void tell(const char *thread, const char *name, void (*part)(void))
{
    double from = now();
    part();
    printf("%s %s %.6f %.6f\n", thread, name, from, now());
}

static void *second(void *unused)
{
    pthread_setname_np(pthread_self(), "second");
    tell("second", "part_b", part_b);
    tell("second", "part_a", part_a);
    return unused;
}

static void both(const char *name)
{
    struct timespec left = {(time_t)pause_,
                            (long)((pause_ - (double)(time_t)pause_) * 1e9)};
    pthread_t thread;
    began = 0;
    began = now();
    pthread_create(&thread, NULL, second, NULL);
    ccprof_label_begin("first half");
    tell(name, "part_a", part_a);
    ccprof_label_end();
    while (nanosleep(&left, &left) != 0)
        ;
    ccprof_label_begin("second half");
    tell(name, "part_b", part_b);
    ccprof_label_end();
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    seconds = argc > 1 ? atof(argv[1]) : 0.2;
    pause_ = argc > 2 ? atof(argv[2]) : 0;
    both("first");
    fflush(stdout);
    if (argc > 3) {
        if (fork() == 0) {
            both("child");
            return 0;
        }
        wait(NULL);
    }
    return 0;
}
