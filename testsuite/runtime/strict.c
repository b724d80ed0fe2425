/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strict WAY [END]: sets the strict mode of seccomp, in which a thread may make no system
   call but read, write, _exit and the return from a handler, and works on. WAY: `prctl',
   `syscall' or `seccomp', or `thread', where another thread sets it. END: `exit' (which
   libc does by a system call that is not allowed), `trap', or `alarm', which computes
   until another process, having read `worked', sends a signal. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "burn.h"

static volatile unsigned long sum;
static void *volatile block;
static void (*volatile pointer)(void);

__attribute__((noinline)) static void before(void)
{
    sum++;
}

__attribute__((noinline)) static void after(void)
{
    sum++;
}

/* What none has called, so that it may be new to a profiler. */
__attribute__((noinline)) static void fresh(void)
{
    block = malloc(20);
    free(block);
    after();
}

/* Uses some CPU time, without a look at a clock. */
__attribute__((noinline)) static void compute(void)
{
    for (unsigned long i = 0; i < 10000000; i++)
        sum += i;
}

/* A system call of six arguments, which is none of interest. */
static void six(void)
{
    int file = open("/proc/self/exe", O_RDONLY), fd = -1;
    char *first = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, file, 0);
    char *second =
        (char *)syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_PRIVATE, file, 4096);

    if (memcmp(first + 4096, second, 4096) != 0 || syscall(SYS_close, fd) == 0)
        puts("another page");
    close(file);
}

static void set(const char *way)
{
    long result;

    /* What malloc then gets without a system call. */
    block = malloc(2000);
    free(block);
    if (strcmp(way, "syscall") == 0)
        result = syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    else if (strcmp(way, "seccomp") == 0)
        result = syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
    else
        result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    if (result != 0)
        _exit(77);
}

static void work(void)
{
    compute();
    for (int i = 0; i < 100; i++) {
        pointer = fresh;
        pointer();
    }
    if (write(1, "worked\n", 7) != 7)
        abort();
}

static void *thread(void *way)
{
    set(way);
    work();
    syscall(SYS_exit, 0);
    return NULL;
}

static void *raw_thread(void *unused)
{
    work();
    syscall(SYS_exit, 0);
    return unused;
}

/* Threads that end by the system call, on stacks that are unmapped then. */
static void raw(void)
{
    const size_t size = 1 << 20;

    for (int i = 0; i < 5; i++) {
        void *stack =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pthread_attr_t attributes;
        pthread_t other;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stack, size);
        if (pthread_create(&other, &attributes, raw_thread, NULL) != 0)
            abort();
        pthread_join(other, NULL);
        munmap(stack, size);
    }
}

static void end(const char *how)
{
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "trap") == 0)
        __builtin_trap();
    for (int i = 0; i < 20000; i++)
        compute();
}

int main(int count, char **words)
{
    pthread_t other;

    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (int i = 0; i < 100; i++)
        before();
    six();
    burn(0.03);
    if (strcmp(words[1], "raw") == 0) {
        raw();
        return 3;
    }
    if (strcmp(words[1], "thread") == 0) {
        pthread_create(&other, NULL, thread, words[1]);
        burn(0.03);
        pthread_join(other, NULL);
        before();
        return 3;
    }
    set(words[1]);
    work();
    if (count > 2)
        end(words[2]);
    syscall(SYS_exit, 3);
}
