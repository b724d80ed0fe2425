/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls while counting is stopped, and in data sets: accounting WAY. Each way knows how
   often `leaf' is called in which of them. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"

static __thread volatile int sink;

static inline void leaf(int i) { sink = i; }

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        leaf(i);
}

static void work_in(void *n) { work(*(const int *)n); }
static void in(struct ccprof_data *dataset, int n) { ccprof_with_data(dataset, work_in, &n); }

/* 1000 + 100 count. */
static void start(void)
{
    work(1000);
    ccprof_stop();
    ccprof_stop();
    work(7);
    ccprof_start();
    work(100);
    ccprof_stop();
    work(9);
}

static pthread_barrier_t barrier;

static void meet(void) { pthread_barrier_wait(&barrier); }

/* Ten more while nothing counts, and one before and after. */
static void *stopped(void *unused)
{
    work(1);
    meet();
    meet();
    work(10);
    meet();
    meet();
    work(1);
    return unused;
}

/* Threads that go on: 4 * 2 count, and 5. */
static void start_threads(void)
{
    pthread_t threads[4];
    pthread_barrier_init(&barrier, NULL, 5);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, stopped, NULL);
    meet();
    ccprof_stop();
    meet();
    work(3);
    meet();
    ccprof_start();
    meet();
    work(5);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* a.out: 10 + 1, b.out: 20, then 2; the rest: 500 and 30 of a data set that is freed. */
static void datasets(void)
{
    struct ccprof_data *a = ccprof_data_new(), *b = ccprof_data_new();
    struct ccprof_data *c = ccprof_data_new();
    work(200);
    in(a, 10);
    in(b, 20);
    in(c, 30);
    ccprof_data_write(b, "b.out");
    in(b, 2);
    {
        CCPROF_DATA(b);
        in(a, 1);
        in(NULL, 300);
    }
    ccprof_data_free(c);
    ccprof_data_write(a, "a.out");
    ccprof_data_write(b, "c.out");
    /* Written again there is nothing. */
    ccprof_data_write(a, "d.out");
    /* It cannot be written, and stays. */
    in(a, 40);
    if (ccprof_data_write(a, "nowhere/e.out") == 0)
        exit(4);
    ccprof_data_write(a, "e.out");
    ccprof_data_write(NULL, "f.out");
    work(6);
}

static struct ccprof_data *dataset;

static void *in_dataset(void *own)
{
    CCPROF_DATA(own ? dataset : NULL);
    for (int i = 0; i < 1000; i++)
        work(100);
    meet();
    meet();
    work(1);
    return NULL;
}

static void *inherits(void *unused)
{
    work(1000);
    return unused;
}

/* The data set has 3 * 100000 when it is first written, and 3 and 2000 more at the end.
 */
static void threads(void)
{
    pthread_t threads[6], other;
    dataset = ccprof_data_new();
    pthread_barrier_init(&barrier, NULL, 7);
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, in_dataset, i % 2 ? dataset : NULL);
    meet();
    ccprof_data_write(dataset, "a.out");
    meet();
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    {
        CCPROF_DATA(dataset);
        pthread_create(&other, NULL, inherits, NULL);
        pthread_join(other, NULL);
        inherits(NULL);
    }
    ccprof_data_write(dataset, "b.out");
}

/* The child starts afresh, in the data set of its parent: 5 in the data set, 3 not. */
static void forks(void)
{
    struct ccprof_data *a = ccprof_data_new();
    pid_t child;
    work(100);
    {
        CCPROF_DATA(a);
        work(40);
        child = fork();
        if (child == 0) {
            work(5);
            ccprof_data_write(a, "child.out");
        }
    }
    work(child == 0 ? 3 : 1);
    if (child != 0) {
        ccprof_data_write(a, "parent.out");
        waitpid(child, NULL, 0);
    }
}

/* A copy has all, and what is moved away later is not in the copy after. */
static void copies(void)
{
    struct ccprof_data *a = ccprof_data_new();
    in(a, 10);
    work(1);
    ccprof_write("a.out");
    ccprof_data_write(a, "b.out");
    work(1);
    ccprof_write("c.out");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*way)(void);
    } ways[] = {{"start", start},       {"start-threads", start_threads},
                {"datasets", datasets}, {"threads", threads},
                {"forks", forks},       {"copies", copies}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
            ways[i].way();
    return 0;
}
