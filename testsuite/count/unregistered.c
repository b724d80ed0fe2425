/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that the runtime was not told of when they were made: unregistered WAY. They
   are made past its hooks, by the C library itself, which a pointer from dlsym calls. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <grp.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "ccprof.h"

static __thread volatile int sink;
static pthread_barrier_t barrier;

static inline void leaf(int i) { sink = i; }

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        leaf(i);
}

static int make(pthread_t *thread, void *(*start)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = dlsym(RTLD_DEFAULT, "pthread_create");
    return create(thread, NULL, start, argument);
}

/* 1000 each, before and after the barrier 500; then they go on for ever. */
static void *stays(void *blocks)
{
    sigset_t all;
    sigfillset(&all);
    if (blocks)
        pthread_sigmask(SIG_BLOCK, &all, NULL);
    work(500);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    work(500);
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return NULL;
}

/* Says that it is there. */
static void work_in(void *n) { work(*(const int *)n); }

static void *tells(void *n)
{
    work(40);
    ccprof_with_data(NULL, work_in, n);
    work(2);
    return NULL;
}

/* The same, but it has been asked before. */
static void *tells_later(void *n)
{
    work(40);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    ccprof_with_data(NULL, work_in, n);
    work(2);
    return NULL;
}

/* Is still there when all that it has counted is in the totals: this is called in the
   last round of destructors, after the runtime's, whose key is older. */
static pthread_key_t key;

static void lingers(void *round)
{
    if ((long)round < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(key, (void *)((long)round + 1));
        return;
    }
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

static void *ends_slowly(void *unused)
{
    work(60);
    pthread_setspecific(key, (void *)1);
    return unused;
}

/* Writes while the thread waits. */
static void write_and_join(pthread_t thread)
{
    pthread_barrier_wait(&barrier);
    ccprof_write("copy.out");
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
}

/* Is asked, and ends. */
static void *is_asked(void *unused)
{
    work(10);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return unused;
}

/* The memory in use, in KiB. */
static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        abort();
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) >> 10);
}

/* Prints by how much the memory has grown after the first 50 of THREADS. */
static void pass_by(int threads)
{
    pthread_t thread;
    long before = 0;
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < threads; i++) {
        make(&thread, is_asked, NULL);
        write_and_join(thread);
        if (i == 50)
            before = resident();
    }
    printf("%ld\n", resident() - before);
}

static int c11(void *n)
{
    work(*(const int *)n);
    return 7;
}

static void stay(int threads, int blocked)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        make(&thread, stays, i < blocked ? &barrier : NULL);
    pthread_barrier_wait(&barrier);
    ccprof_write("copy.out");
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

static void ignore(int number) { (void)number; }

/* With as many groups as one may have, of which the kernel tells before the signals. */
static void have_groups(void)
{
    gid_t groups[300];
    for (int i = 0; i < 300; i++)
        groups[i] = 4000000000u + (unsigned)i;
    if (setgroups(300, groups) != 0)
        _exit(77);
}

/* A third of a second, or more. */
static void *burns(void *unused)
{
    for (int i = 0; i < 1000000; i++)
        work(1000);
    return unused;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    pthread_t thread;
    thrd_t other;
    int n = 300, result = 0;
    work(1);
    if (strcmp(way, "groups") == 0)
        have_groups();
    if (strcmp(way, "taken") == 0)
        signal(SIGPROF, ignore);
    if (strcmp(way, "stay") == 0 || strcmp(way, "groups") == 0 || strcmp(way, "taken") == 0)
        stay(5, 0);
    if (strcmp(way, "blocked") == 0)
        stay(5, 2);
    if (strcmp(way, "told") == 0 || strcmp(way, "burns") == 0) {
        make(&thread, *way == 't' ? tells : burns, &n);
        pthread_join(thread, NULL);
    }
    if (strcmp(way, "told-later") == 0) {
        pthread_barrier_init(&barrier, NULL, 2);
        make(&thread, tells_later, &n);
        write_and_join(thread);
    }
    if (strcmp(way, "ending") == 0) {
        pthread_barrier_init(&barrier, NULL, 2);
        pthread_key_create(&key, lingers);
        pthread_create(&thread, NULL, ends_slowly, NULL);
        write_and_join(thread);
    }
    if (strcmp(way, "pass") == 0)
        pass_by(350);
    if (strcmp(way, "c11") == 0 &&
        (thrd_create(&other, c11, &n) != thrd_success ||
         thrd_join(other, &result) != thrd_success || result != 7))
        return 3;
    return 0;
}
