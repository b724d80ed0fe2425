/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads compute (request-unsampled.test). The argument says why the second one has
   no sampler: `blocks' SIGPROF, or the process may have no more timers (`limit');
   otherwise it has one. For each line of the input, prints the CPU seconds that the two
   threads have used so far. */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static volatile double sink[2];
static int blocks;

static double spin(double a)
{
    for (int i = 0; i < 100000; i++)
        a += a * .5 + i;
    return a;
}

static void *first(void *unused)
{
    for (;;)
        sink[0] = spin(sink[0]);
    return unused;
}

static void *second(void *unused)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    if (blocks)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (;;)
        sink[1] = spin(sink[1]);
    return unused;
}

static double used(pthread_t thread)
{
    clockid_t clock;
    struct timespec time = {0, 0};

    pthread_getcpuclockid(thread, &clock);
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    struct rlimit limit;
    pthread_t thread[2];
    char line[80];

    setvbuf(stdout, NULL, _IOLBF, 0);
    blocks = strcmp(how, "blocks") == 0;
    if (pthread_create(&thread[0], NULL, first, NULL) != 0)
        return 1;
    /* The first thread has its timer once it computes. */
    while (used(thread[0]) < 0.2)
        continue;
    if (strcmp(how, "limit") == 0) {
        getrlimit(RLIMIT_SIGPENDING, &limit);
        limit.rlim_cur = 0;
        setrlimit(RLIMIT_SIGPENDING, &limit);
    }
    if (pthread_create(&thread[1], NULL, second, NULL) != 0)
        return 1;
    puts("ready");
    while (fgets(line, sizeof line, stdin))
        printf("used %.3f %.3f\n", used(thread[0]), used(thread[1]));
    return 0;
}
