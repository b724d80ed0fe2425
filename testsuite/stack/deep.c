// SPDX-License-Identifier: GPL-3.0-or-later
// Recursion that is deeper than what a thread remembers, allocations on the way, and a
// child.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile keep;
static jmp_buf back;

__attribute__((noinline)) static void get(size_t size)
{
    keep = malloc(size);
    keep = NULL;
}

__attribute__((noinline)) static int deep(int n)
{
    if (n == 0)
        get(5);
    int rest = n > 0 ? deep(n - 1) : 0;
    keep = NULL;
    return rest + 1;
}

__attribute__((noinline)) static void down(int n)
{
    get(1);
    if (n == 0)
        longjmp(back, 1);
    down(n - 1);
    keep = NULL;
}

static void jump(int n)
{
    if (setjmp(back) == 0)
        down(n);
    get(100);
}

static void child(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        get(7);
        exit(0);
    }
    waitpid(pid, &status, 0);
    get(11);
}

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 0;
    get(3);
    if (deep(depth) != depth + 1)
        return 1;
    jump(4);
    jump(2);
    child();
    return 0;
}
