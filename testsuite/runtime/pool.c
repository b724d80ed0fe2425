/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool [WHAT]: threads with names, most of them with known CPU times; see the functions.
 */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"
#include "own.h"

#define PART 0.03

/* Names itself.  */
static void *one(void *unused)
{
    pthread_setname_np(pthread_self(), "one");
    burn(PART);
    own_end();
    return unused;
}

static pthread_barrier_t met;

/* Is named late, by its creator.  */
static void *two(void *unused)
{
    burn(PART);
    pthread_barrier_wait(&met);
    pthread_barrier_wait(&met);
    burn(PART);
    own_end();
    return unused;
}

/* Changes its name when all its work is done.  */
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
    own_print();
}

/* Its child is a process of its own, whose first thread it is.  */
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

static void *brief(void *seconds)
{
    burn(*(double *)seconds);
    return NULL;
}

/* COUNT threads, one after the other.  */
static void many(int count, double seconds)
{
    pthread_t thread;

    for (int i = 0; i < count; i++) {
        pthread_create(&thread, NULL, brief, &seconds);
        pthread_join(thread, NULL);
    }
}

static void *named(void *name)
{
    pthread_setname_np(pthread_self(), name);
    burn(0.001);
    return NULL;
}

/* As many threads, one after the other, each named by its number.  */
static void numbered(int count)
{
    for (int i = 2; i <= count; i++) {
        pthread_t thread;
        char name[24];

        snprintf(name, sizeof name, "made %d", i);
        pthread_create(&thread, NULL, named, name);
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
        many(atoi(argv[2]), atof(argv[3]));
    } else if (strcmp(what, "numbered") == 0) {
        numbered(atoi(argv[2]));
    } else {
        shares();
    }
    return 0;
}
