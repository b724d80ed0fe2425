/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes WHAT: a program of several processes.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

extern char **environ;

static void wait_for(pid_t child)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        abort();
    printf("%d %d\n", child, WEXITSTATUS(status));
    fflush(stdout);
}

/* Each child has twice the work of the one before, and a child of its own.  */
static void forks(void)
{
    for (int i = 1; i <= 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            burn(0.2 * i);
            pid_t grandchild = fork();
            if (grandchild == 0) {
                burn(0.1);
                _exit(20 + i);
            }
            wait_for(grandchild);
            exit(10 + i);
        }
        wait_for(child);
    }
}

static void *spin(void *stop)
{
    while (!*(volatile int *)stop)
        burn(0.01);
    return NULL;
}

/* Forks while other threads are sampled; the children sample too.  */
static void forks_in_threads(void)
{
    pthread_t thread[3];
    int stop = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, spin, &stop);
    for (int i = 0; i < 30; i++) {
        pid_t child = fork();
        if (child == 0) {
            burn(0.02);
            exit(i);
        }
        wait_for(child);
    }
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
}

/* Not even what libc does around fork.  */
static void bare_fork(void)
{
    pid_t child = _Fork();
    if (child == 0) {
        burn(0.1);
        _exit(1);
    }
    wait_for(child);
    if (access("mlmon.out", F_OK) == 0)
        abort();
}

static void spawns(char *self)
{
    pid_t child;
    char *arguments[] = {self, "leaf", NULL};
    for (int i = 0; i < 3; i++) {
        if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0)
            abort();
        waitpid(child, NULL, 0);
    }
    if (system("exit 3") == -1)
        abort();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    burn(0.1);
    if (strcmp(what, "fork") == 0)
        forks();
    else if (strcmp(what, "fork-in-threads") == 0)
        forks_in_threads();
    else if (strcmp(what, "bare-fork") == 0)
        bare_fork();
    else if (strcmp(what, "spawn") == 0)
        spawns(argv[0]);
    else if (strcmp(what, "exec") == 0) {
        /* A tick is likely to be pending at any time.  */
        execv(argv[2], argv + 2);
    } else if (strcmp(what, "daemon") == 0) {
        if (daemon(0, 1) != 0)
            abort();
        burn(0.1);
        printf("%d\n", getpid());
    } else if (strcmp(what, "folder") == 0) {
        if (chdir("/") != 0)
            abort();
    }
    return 0;
}
