/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes WHAT [ARGUMENT]: a program of several processes; what it does is said at the
   functions. All but the last four begin with WORK seconds. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

extern char **environ;

#define WORK 0.04

static void wait_for(pid_t child)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        abort();
    printf("%d %d\n", child, WEXITSTATUS(status));
    fflush(stdout);
}

/* Each child has twice the work of the one before, and a child of its own. */
static void forks(char **words)
{
    (void)words;
    for (int i = 1; i <= 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            burn(2 * WORK * i);
            pid_t grandchild = fork();
            if (grandchild == 0) {
                burn(WORK);
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

/* Forks while other threads are sampled; the children sample too. */
static void forks_in_threads(char **words)
{
    (void)words;
    pthread_t thread[3];
    int stop = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, spin, &stop);
    for (int i = 0; i < 30; i++) {
        pid_t child = fork();
        if (child == 0) {
            burn(0.01);
            exit(i);
        }
        wait_for(child);
    }
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
}

/* Not even what libc does around fork. */
static void bare_fork(char **words)
{
    (void)words;
    pid_t child = _Fork();
    if (child == 0) {
        burn(WORK);
        _exit(1);
    }
    wait_for(child);
    if (access("mlmon.out", F_OK) == 0)
        abort();
}

static void spawns(char **words)
{
    pid_t child;
    char *self = words[0], *arguments[] = {self, "leaf", NULL};
    for (int i = 0; i < 3; i++) {
        if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0)
            abort();
        waitpid(child, NULL, 0);
    }
    if (system("exit 3") == -1)
        abort();
}

/* Becomes another program; a tick is likely to be pending at any time. */
static void execs(char **words)
{
    execv(words[2], words + 2);
    abort();
}

static void elsewhere(char **words)
{
    (void)words;
    if (chdir("/") != 0)
        abort();
}

/* As many children, a few of them at a time, each with one of its own. */
static void children(char **words)
{
    int running = 0;
    for (int i = atoi(words[2]); i > 0; i--) {
        if (running++ == 8)
            wait(NULL);
        pid_t made = fork();
        if (made < 0)
            abort();
        if (made != 0)
            continue;
        burn(0.001);
        pid_t own = fork();
        if (own == 0)
            _exit(0);
        if (own < 0 || waitpid(own, NULL, 0) != own)
            abort();
        exit(0);
    }
    while (wait(NULL) > 0)
        ;
}

/* The same process begins so often again; a signal that was left over would kill it. */
static void again(char **words)
{
    int count = atoi(words[2]);
    char left[16];
    if (count == 0)
        return;
    burn(0.005);
    snprintf(left, sizeof left, "%d", count - 1);
    execl(words[0], words[0], words[1], left, (char *)0);
    abort();
}

/* Says that it runs, and goes on when it is told to. */
static void slow(char **words)
{
    (void)words;
    close(open("ready", O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 2000 && access("go", F_OK) != 0; i++)
        usleep(10000);
}

/* Has one child. */
static void one_child(char **words)
{
    (void)words;
    if (fork() != 0)
        wait(NULL);
    else
        burn(WORK);
}

/* So many children, one after the other, each with 20 ms of work in user mode: kernel
   time that waits for its sample at a process's end is `unsampled' (doc/limits.md). */
static void brief_children(char **words)
{
    for (int i = atoi(words[2]); i > 0; i--) {
        pid_t child = fork();
        if (child == 0) {
            burn(0.02);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

/* So many children, each with 1 ms of work. After half of them it becomes another
   program, if it can. */
static void tiny_children(char **words)
{
    int count = atoi(words[2]);
    for (int i = 0; i < count; i++) {
        if (i == count / 2)
            execl(words[3], words[3], (char *)0);
        pid_t child = fork();
        if (child == 0) {
            burn(0.001);
            _exit(0);
        }
        wait_for(child);
    }
}

/* A child that ends after its parent. */
static void orphan(char **words)
{
    (void)words;
    pid_t parent = getpid();
    if (fork() == 0)
        while (getppid() == parent)
            usleep(1000);
}

/* Takes the folder that was named away before it ends. */
static void clears(char **words)
{
    if (rmdir(words[2]) != 0)
        abort();
}

static const struct {
    const char *name;
    void (*function)(char **words);
    double work;
} whats[] = {{"fork", forks, WORK},
             {"fork-in-threads", forks_in_threads, WORK},
             {"bare-fork", bare_fork, WORK},
             {"spawn", spawns, WORK},
             {"exec", execs, WORK},
             {"slow", slow, WORK},
             {"child", one_child, WORK},
             {"away", elsewhere, WORK},
             {"children", children, 0},
             {"again", again, 0},
             {"brief-children", brief_children, 0},
             {"tiny-children", tiny_children, 0},
             {"orphan", orphan, 0},
             {"clear", clears, 0}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof whats / sizeof *whats; i++) {
        if (strcmp(argv[1], whats[i].name) == 0) {
            burn(whats[i].work);
            whats[i].function(argv);
            return 0;
        }
    }
    burn(WORK);
    return 0;
}
