/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes slices by a signal.  `slices FOLDER' allocates and frees what is known in each
   of four; in the second one FOLDER is a file.  `slices FOLDER fork' forks before the
   third. `slices FOLDER threads' has threads that allocate and free meanwhile.  */

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "some.h"

/* All blocks are so many times as large.  */
#ifndef SCALE
#define SCALE 1
#endif

#define BLOCKS  10
#define THREADS 4
#define ROUNDS  100000

static void *kept[BLOCKS];
static _Atomic int at_work = THREADS;

__attribute__((noinline)) static void *keep(void)
{
    return checked(malloc(SCALE * 1000));
}

__attribute__((noinline)) static void *pass(size_t size)
{
    return checked(malloc(SCALE * size));
}

static void release(int from, int to)
{
    for (int i = from; i < to; i++)
        free(kept[i]);
}

static void slice(void)
{
    raise(SIGUSR2);
}

/* What is in the second slice cannot be written, and is in the third one, too.  */
static void slice_too_large(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 400; /* enough for what is said of it */
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
    slice();
    limit.rlim_cur = before;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
}

static void steps(int forks)
{
    int status = 0;

    for (int i = 0; i < BLOCKS; i++)
        kept[i] = keep();
    for (int i = 0; i < 5; i++)
        free(pass(50000));
    slice();
    release(0, 3);
    free(pass(7000));
    if (forks) {
        pid_t child = fork();
        if (child != 0 && (waitpid(child, &status, 0) != child || status != 0))
            abort();
    } else {
        slice_too_large();
    }
    free(pass(2000));
    release(3, 6);
    slice();
    slice();
    free(pass(300));
    release(6, 7);
}

static void *work(void *argument)
{
    unsigned state = (unsigned)(size_t)argument * 7919 + 1;
    void *held[64] = {NULL};

    for (int i = 0; i < ROUNDS; i++) {
        state = state * 1103515245 + 12345;
        unsigned number = (state >> 8) % 64;
        free(held[number]);
        held[number] = pass(16 + 8 * number);
    }
    for (int i = 0; i < 32; i++)
        free(held[i]);
    at_work--;
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];

    start(thread, THREADS, work);
    for (int i = 0; at_work || i < 5; i++)
        slice();
    join(thread, THREADS);
}

int main(int count, char **argument)
{
    if (count > 1 && strcmp(argument[1], "threads") == 0)
        threads();
    else
        steps(count > 1);
    return 0;
}
