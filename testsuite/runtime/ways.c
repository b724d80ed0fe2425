/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways WAY: burns a little CPU time and ends in that way. */

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "burn.h"

static volatile int zero;

static int overflow(int depth)
{
    volatile char frame[4096];
    frame[depth % 4096] = (char)depth;
    return overflow(depth + 1) + frame[zero];
}

/* A signal that comes on an alternate stack of 8 KiB, below which there is no memory. */
static void small_stack(void)
{
    char *room =
        mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = room + 4096, .ss_size = 8192};
    mprotect(room, 4096, PROT_NONE);
    sigaltstack(&stack, NULL);
    raise(SIGTERM);
}

static jmp_buf home, inside;
static ucontext_t begun, back;

static void body(void)
{
    if (!_setjmp(inside))
        swapcontext(&begun, &back);
    puts("inside");
    _longjmp(home, 1);
}

/* Jumps between two stacks by _longjmp, as coroutines of C do: to glibc's checked form of
   it (__longjmp_chk) a jump to a stack below would be an error. */
static void coroutine(void)
{
    getcontext(&begun);
    begun.uc_stack.ss_size = 1 << 16;
    begun.uc_stack.ss_sp = malloc(begun.uc_stack.ss_size);
    makecontext(&begun, body, 0);
    swapcontext(&back, &begun);
    if (!_setjmp(home))
        _longjmp(inside, 1);
    puts("home");
}

static void at_end(void)
{
    printf("atexit\n");
    fflush(stdout);
}

static void *leave(void *status)
{
    exit(*(int *)status);
}

static void *linger(void *unused)
{
    (void)unused;
    burn(0.05);
    printf("last\n");
    fflush(stdout);
    return NULL;
}

static void *spin(void *unused)
{
    (void)unused;
    for (;;)
        burn(1);
}

static void on_alarm(int number)
{
    (void)number;
    _exit(9);
}

static void on_int(int number)
{
    (void)number;
    printf("handled\n");
}

static void end(const char *way)
{
    static int five = 5;
    pthread_t thread;

    if (strcmp(way, "exit") == 0) {
        atexit(at_end);
        exit(4);
    }
    if (strcmp(way, "quick_exit") == 0) {
        at_quick_exit(at_end);
        quick_exit(6);
    }
    if (strcmp(way, "_exit") == 0)
        _exit(7);
    if (strcmp(way, "_exit-in-handler") == 0) {
        signal(SIGALRM, on_alarm);
        raise(SIGALRM);
    }
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "SEGV") == 0)
        *(volatile int *)(long)zero = 1;
    if (strcmp(way, "coroutine") == 0)
        coroutine();
    if (strcmp(way, "overflow") == 0)
        exit(overflow(0));
    if (strcmp(way, "small-stack") == 0)
        small_stack();
    if (strcmp(way, "FPE") == 0)
        exit(7 / zero);
    if (strcmp(way, "thread-exit") == 0) {
        pthread_create(&thread, NULL, leave, &five);
        pthread_join(thread, NULL);
    }
    if (strcmp(way, "threads-run-on") == 0) {
        pthread_create(&thread, NULL, spin, NULL);
        pthread_create(&thread, NULL, spin, NULL);
        burn(0.05);
        exit(5);
    }
    if (strcmp(way, "pthread_exit") == 0) {
        pthread_create(&thread, NULL, linger, NULL);
        pthread_exit(NULL);
    }
    if (strcmp(way, "vfork") == 0) {
        pid_t child = vfork();
        int status;
        if (child == 0)
            _exit(3);
        waitpid(child, &status, 0);
        printf("child %d\n", WEXITSTATUS(status));
        if (access("mlmon.out", F_OK) == 0)
            printf("a profile too early\n");
    }
    if (strcmp(way, "handled") == 0) {
        signal(SIGINT, on_int);
        raise(SIGINT);
    }
    if (strcmp(way, "ignored") == 0)
        raise(SIGHUP);
    if (strcmp(way, "XCPU") == 0) {
        struct rlimit limit = {1, 3};
        setrlimit(RLIMIT_CPU, &limit);
        burn(10);
    }
    if (strncmp(way, "raise-", 6) == 0)
        raise(atoi(way + 6));
}

int main(int argc, char **argv)
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    printf("start\n");
    fflush(stdout);
    burn(0.03);
    if (argc > 1)
        end(argv[1]);
    printf("return\n");
    return 2;
}
