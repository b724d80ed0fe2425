/* SPDX-License-Identifier: GPL-3.0-or-later */
/* later [fork] COMMAND...: allocates, runs the first command, which switches the heap on,
   frees some of the blocks and allocates others, and runs the other commands. In each
   command, $PPID is this process. With fork, a forked child does this. At the end a child
   allocates, and frees blocks from before and after the first command.

   After the first command: 10 blocks of 2000 bytes (realloc of older ones), 50 of 100, 1
   of 600, 5 of 300 (realloc of those of 100), together 66 and 27100 bytes; freed: 25 of
   100 bytes. Left: 41 blocks, 24600 bytes. In the last child: 7 blocks of 10 bytes
   allocated, 3 of 300 bytes freed. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAP_SIZE (4 << 20)

static char *volatile before[100], *volatile after[50], *volatile cleared;
static void *old_map;

static void must(int good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

static void run(const char *command)
{
    must(system(command) == 0, command);
}

static void *map(void)
{
    void *made =
        mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(made != MAP_FAILED, "mmap");
    return made;
}

static void allocate_before(void)
{
    for (int i = 0; i < 100; i++)
        must((before[i] = malloc(1000)) != NULL, "malloc");
    memset(before[35], 'x', 1000);
    old_map = map();
}

static void allocate_after(void)
{
    for (int i = 0; i < 30; i++)
        free(before[i]);
    for (int i = 30; i < 40; i++)
        before[i] = realloc(before[i], 2000);
    must(before[35][999] == 'x', "realloc");
    for (int i = 0; i < 50; i++)
        after[i] = malloc(100);
    cleared = calloc(3, 200);
    for (int i = 0; i < 20; i++)
        free(after[i]);
    for (int i = 45; i < 50; i++)
        after[i] = realloc(after[i], 300);
    munmap(old_map, MAP_SIZE);
    munmap(map(), MAP_SIZE);
}

static void in_child(void)
{
    for (int i = 0; i < 7; i++)
        after[i] = malloc(10);
    for (int i = 45; i < 48; i++)
        free(after[i]);
    for (int i = 90; i < 100; i++)
        free(before[i]);
}

static void join(pid_t child)
{
    int status;
    must(child > 0 && waitpid(child, &status, 0) == child && status == 0, "child");
}

int main(int count, char **arguments)
{
    int next = 1;
    allocate_before();
    if (strcmp(arguments[next], "fork") == 0) {
        pid_t child = fork();
        if (child)
            join(child);
        if (child)
            return 0;
        next++;
    }
    run(arguments[next++]);
    allocate_after();
    while (next < count)
        run(arguments[next++]);
    pid_t child = fork();
    if (child)
        join(child);
    else
        in_child();
    return 0;
}
