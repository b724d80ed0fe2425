/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process and its child, each of which frees some of what was allocated before and
   allocates more; with an argument both do nothing. */

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 100

static void *volatile block[BLOCKS];

static void allocate(size_t size)
{
    for (int i = 0; i < BLOCKS; i++)
        if (!block[i])
            block[i] = malloc(size);
}

static void release(int until)
{
    for (int i = 0; i < until; i++) {
        free(block[i]);
        block[i] = NULL;
    }
}

int main(int count, char **argument)
{
    int status = 0;

    (void)argument;
    if (count == 1)
        allocate(100);
    pid_t child = fork();
    if (child == 0 && count == 1) {
        release(40);
        allocate(50);
        release(10);
    }
    if (child == 0)
        return 0;
    if (waitpid(child, &status, 0) != child || status != 0)
        return 1;
    if (count == 1)
        release(BLOCKS);
    return 0;
}
