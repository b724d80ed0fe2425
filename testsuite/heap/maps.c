/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps memory in all manners, each in a function of its own, and in four threads; a child
   unmaps what its parent has mapped. What is to be counted stands in heap-mmap.test. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "some.h"

#define M       ((size_t)1 << 20)
#define APART   __attribute__((noinline, noclone))
#define THREADS 4
#define ROUNDS  100

/* No function: the row is that of the caller. */
#define GET(size)                                                                        \
    ((char *)mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))

static void release(char *at, size_t size)
{
    if (munmap(at, size) != 0) {
        perror("munmap");
        exit(1);
    }
}

static char *kept;

APART static void keep(void)
{
    char *freed = GET(M);

    kept = GET(M);
    GET(M);
    release(freed, M);
    /* Two calls that fail. */
    if (munmap(kept + 1, M) == 0 || munmap(kept, 0) == 0)
        exit(1);
}

/* Four, of which the ends are unmapped. */
APART static void align(void)
{
    char *at = GET(4 * M);

    usleep(20000); /* What is left is made in another bucket of time. */
    release(at, M);
    release(at + 3 * M, M);
}

/* Three, of which the middle is unmapped. */
APART static void split(void)
{
    release(GET(3 * M) + M, M);
}

APART static void grow(void)
{
    char *at = GET(M), *wrong;

    if (mremap(at, M, 2 * M, MREMAP_MAYMOVE) == MAP_FAILED)
        exit(1);
    /* One that fails for what is not there. */
    wrong = mmap(NULL, M, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    release(wrong, M);
    if (mremap(wrong, M, 2 * M, MREMAP_MAYMOVE) != MAP_FAILED)
        exit(1);
}

/* What is reserved is not counted, nor what has a file, nor what is small. */
APART static void reserve(void)
{
    int file = open("/proc/self/exe", O_RDONLY);
    char *at = mmap(NULL, 8 * M, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    mmap(NULL, 8 * M, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    close(file);
    GET(M / 2);
    /* Two neighbours, unmapped by one call, and one that is mapped over. */
    for (int i = 0; i < 3; i++)
        mmap(at + i * M, M, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    mmap(at + 2 * M, M, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    release(at, 2 * M);
}

static void *work(void *unused)
{
    char *at[8] = {NULL};

    for (int i = 0; i < ROUNDS; i++) {
        if (at[i % 8])
            release(at[i % 8], M);
        at[i % 8] = GET(M);
    }
    for (int i = 0; i < 8; i++)
        release(at[i], M);
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    int status = 1;

    keep();
    align();
    split();
    grow();
    reserve();
    start(thread, THREADS, work);
    join(thread, THREADS);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        release(kept, M);
        exit(0);
    }
    waitpid(child, &status, 0);
    return status != 0;
}
