/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool [WHAT]: threads with names, most of them with known CPU times; see the functions.
 */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

#define PART 0.03

/* What threads say of themselves at their ends. */
static struct {
    char name[16];
    double seconds;
} own[4];
static int own_count;

static void own_end(void)
{
    int number = __atomic_fetch_add(&own_count, 1, __ATOMIC_RELAXED);
    struct timespec now;

    prctl(PR_GET_NAME, own[number].name);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    own[number].seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Names itself. */
static void *one(void *unused)
{
    pthread_setname_np(pthread_self(), "one");
    burn(PART);
    own_end();
    return unused;
}

static pthread_barrier_t met;

/* Is named late, by its creator. */
static void *two(void *unused)
{
    burn(PART);
    pthread_barrier_wait(&met);
    pthread_barrier_wait(&met);
    burn(PART);
    own_end();
    return unused;
}

/* Changes its name when all its work is done. */
static void *three(void *unused)
{
    burn(3 * PART);
    pthread_setname_np(pthread_self(), "three \\ 3");
    own_end();
    return unused;
}

static void shares(void)
{
    void *(*const starts[])(void *) = {one, two, three};
    pthread_t threads[3];

    pthread_barrier_init(&met, NULL, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    pthread_barrier_wait(&met);
    pthread_setname_np(threads[1], "two");
    pthread_barrier_wait(&met);
    burn(2 * PART);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    own_end();
    for (int i = 0; i < own_count; i++)
        printf("%s %.4f\n", own[i].name, own[i].seconds);
}

/* Its child is a process of its own, whose first thread it is. */
static void *forker(void *unused)
{
    pthread_t thread;

    pthread_setname_np(pthread_self(), "forker");
    if (fork() == 0) {
        burn(PART);
        pthread_create(&thread, NULL, one, NULL);
        pthread_join(thread, NULL);
        exit(0);
    }
    wait(NULL);
    return unused;
}

static double seconds;

static void *brief(void *number)
{
    char name[24];

    snprintf(name, sizeof name, "made %d", *(int *)number);
    pthread_setname_np(pthread_self(), name);
    burn(seconds);
    return NULL;
}

/* As many threads as COUNT says, main included, one after the other, each named by its
   number. */
static void many(int count)
{
    for (int i = 2; i <= count; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, brief, &i);
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;

    if (strcmp(what, "fork") == 0) {
        pthread_create(&thread, NULL, forker, NULL);
        pthread_join(thread, NULL);
    } else if (strcmp(what, "many") == 0) {
        seconds = atof(argv[3]);
        many(atoi(argv[2]));
    } else {
        shares();
    }
    return 0;
}
