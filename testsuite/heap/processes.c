/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes of all kinds, made while threads allocate.  `forks N': two threads make N
   children, each of which allocates, frees what it has got, and exits.  `vfork': children
   that share the memory allocate and free.  `spawn COMMAND...': posix_spawn, system and
   popen.  `clone': children of clone and of the system call alone.  Prints how many
   children ended well.  */

#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "some.h"

#define ALLOCATING 2
#define FORKING    2

extern char **environ;

static atomic_bool is_done;
static atomic_int good;
static void *volatile inherited;

static void wait_for(pid_t child)
{
    int status;

    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (status == 0)
        atomic_fetch_add(&good, 1);
}

static void *allocate(void *argument)
{
    void *block[50];

    while (!atomic_load(&is_done)) {
        for (size_t i = 0; i < 50; i++)
            block[i] = some(i * 7 + 1);
        for (size_t i = 0; i < 50; i++)
            free(block[i]);
    }
    return argument;
}

__attribute__((noinline)) static void in_child(void)
{
    void *block[10];

    for (size_t i = 0; i < 10; i++)
        block[i] = some(33);
    for (size_t i = 0; i < 9; i++)
        free(block[i]);
    free(inherited);
}

static void *make_forks(void *argument)
{
    for (size_t i = 0; i < (size_t)argument; i++) {
        pid_t child = fork();
        if (child == 0) {
            in_child();
            exit(0);
        }
        wait_for(child);
    }
    return NULL;
}

static void forks(size_t count)
{
    pthread_t allocating[ALLOCATING], forking[FORKING];

    inherited = some(77);
    start(allocating, ALLOCATING, allocate);
    for (size_t i = 0; i < FORKING; i++)
        pthread_create(&forking[i], NULL, make_forks, (void *)(count / FORKING));
    join(forking, FORKING);
    atomic_store(&is_done, true);
    join(allocating, ALLOCATING);
    free(inherited);
}

static void vforks(void)
{
    static void *volatile left;

    for (volatile int i = 0; i < 120; i++) {
        pid_t child = vfork();
        if (child == 0) {
            free(some(21));
            left = some(22);
            if (i % 6 == 0)
                execl("/bin/true", "true", NULL);
            _exit(0);
        }
        wait_for(child);
        free(left);
    }
}

static int in_clone(void *argument)
{
    free(some(24));
    free(argument);
    return 0;
}

static void clones(void)
{
    static char stack[65536] __attribute__((aligned(16)));

    for (int i = 0; i < 50; i++) {
        void *given = some(25);
        wait_for(clone(in_clone, stack + sizeof stack,
                       (i % 2 ? CLONE_VM | CLONE_VFORK : 0) | SIGCHLD, given));
        if (i % 2 == 0)
            free(given);
    }
    for (int i = 0; i < 100; i++) {
        pid_t child = i % 2 ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : _Fork();
        if (child == 0) {
            in_child();
            _exit(0);
        }
        wait_for(child);
    }
}

static void spawns(char **command)
{
    for (int i = 0; i < 50; i++) {
        pid_t child;
        if (posix_spawn(&child, command[0], NULL, NULL, command, environ) != 0)
            abort();
        wait_for(child);
        if (system("exit 0") == 0)
            atomic_fetch_add(&good, 1);
        FILE *stream = popen("exit 0", "r");
        if (stream && pclose(stream) == 0)
            atomic_fetch_add(&good, 1);
    }
}

int main(int count, char **argument)
{
    if (count < 2)
        return 0;
    if (strcmp(argument[1], "forks") == 0)
        forks((size_t)atoi(argument[2]));
    if (strcmp(argument[1], "vfork") == 0)
        vforks();
    if (strcmp(argument[1], "clone") == 0)
        clones();
    if (strcmp(argument[1], "spawn") == 0)
        spawns(argument + 2);
    printf("%d\n", atomic_load(&good));
    return 0;
}
