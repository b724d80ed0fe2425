/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children that allocate, free what they have got, and end. `vfork': they share the
   memory. `clone': children of clone, which do or do not, and of the system call and
   _Fork, which nobody is told of. Prints how many ended well. `exec': it allocates, and
   is another program. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "some.h"

static int good;

static void wait_for(pid_t child)
{
    int status;

    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (status == 0)
        good++;
}

__attribute__((noinline)) static void in_child(void)
{
    void *block[10];

    for (size_t i = 0; i < 10; i++)
        block[i] = some(33);
    for (size_t i = 0; i < 9; i++)
        free(block[i]);
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

int main(int count, char **argument)
{
    if (count > 1 && strcmp(argument[1], "vfork") == 0)
        vforks();
    if (count > 1 && strcmp(argument[1], "clone") == 0)
        clones();
    if (count > 1 && strcmp(argument[1], "exec") == 0) {
        some(33);
        execl("/bin/true", "true", NULL);
    }
    printf("%d\n", good);
    return 0;
}
