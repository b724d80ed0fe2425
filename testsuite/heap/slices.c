/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes four slices by a signal, in each of which it allocates and frees what is known;
   the second cannot be written. With an argument it forks instead of that one. */

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "some.h"

/* All blocks are so many times as large. */
#ifndef SCALE
#define SCALE 1
#endif

#define BLOCKS 10

static void *kept[BLOCKS];

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

/* What is in the second slice cannot be written, and is in the third one, too. */
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

int main(int count, char **argument)
{
    (void)argument;
    steps(count > 1);
    return 0;
}
