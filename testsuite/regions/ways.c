/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves a region in the way that the argument names, and then, if the program goes on,
   enters the next one. In C and in C++. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"

#define NOINLINE __attribute__((noinline))

static volatile int one = 1;
static char **arguments;
static jmp_buf buffer;
static sigjmp_buf signal_buffer;
static struct ccprof_region pair = CCPROF_REGION_NAMED("pair");

static NOINLINE void next(void)
{
    CCPROF_STOPWATCH("next");
}

/* Begun by hand and never ended: the region around it ends it. */
static NOINLINE void way_forgotten(void)
{
    CCPROF_REGION("way")
    {
        ccprof_region_begin(&pair);
    }
}

static NOINLINE void jump(int more)
{
    CCPROF_STOPWATCH("deep");
    ccprof_region_begin(&pair);
    if (more)
        jump(more - 1);
    longjmp(buffer, 1);
}

/* Into the function that has the region, and out of the one behind setjmp; that before it
   goes on. */
static NOINLINE void way_longjmp(void)
{
    CCPROF_STOPWATCH("before");
    for (volatile int i = 0; i < 3; i++) {
        if (setjmp(buffer) == 0) {
            CCPROF_REGION("way")
            {
                jump(2);
            }
        }
        next();
    }
}

static void handle(int number)
{
    CCPROF_STOPWATCH("handler");
    if (number == SIGUSR1)
        siglongjmp(signal_buffer, 1);
}

static NOINLINE void way_siglongjmp(void)
{
    struct sigaction action;
    stack_t stack;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    memset(&stack, 0, sizeof stack);
    stack.ss_size = 1 << 16;
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, NULL);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(signal_buffer, 1) == 0) {
            CCPROF_REGION("way")
            {
                raise(SIGUSR2);
                raise(SIGUSR1);
            }
        }
        next();
    }
}

/* 64 of them at the same time: more than one buffer in the place of another. */
static NOINLINE int way_buffers(int more)
{
    jmp_buf own;

    if (setjmp(own) == 0) {
        CCPROF_STOPWATCH("way");
        if (more)
            return way_buffers(more - 1);
        memcpy(&buffer, &own, sizeof own);
        longjmp(own, 1);
    }
    next();
    return 0;
}

static void *ends(void *unused)
{
    (void)unused;
    CCPROF_REGION("way")
    {
        ccprof_region_begin(&pair);
        pthread_exit(NULL);
    }
    return NULL;
}

static void *waits(void *unused)
{
    (void)unused;
    CCPROF_REGION("way")
    {
        for (;;)
            sleep(1);
    }
    return NULL;
}

static NOINLINE void way_thread(void *(*start)(void *), int cancels)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, start, NULL) != 0)
        abort();
    if (cancels) {
        usleep(20000);
        pthread_cancel(thread);
    }
    pthread_join(thread, NULL);
}

static NOINLINE void way_fork(void)
{
    pid_t child;

    next();
    CCPROF_REGION("way")
    {
        child = fork();
        if (child == 0) {
            CCPROF_STOPWATCH("child");
        }
    }
    if (child != 0)
        waitpid(child, NULL, 0);
}

/* What was written by then is there, whatever becomes of the process. */
static NOINLINE void way_exec(const char *how, const char *file)
{
    char name[100] = "./", value[] = "CHECK=1", first[] = "exits3";
    char *arguments[] = {first, NULL}, *variables[] = {value, NULL};
    int fd = open(file, O_RDONLY | O_CLOEXEC);

    strcat(name, file);
    errno = 7777;
    if (strcmp(how, "execve") == 0)
        execve(name, arguments, variables);
    else if (strcmp(how, "execv") == 0)
        execv(name, arguments);
    else if (strcmp(how, "execvp") == 0)
        execvp(file, arguments);
    else if (strcmp(how, "execvpe") == 0)
        execvpe(file, arguments, variables);
    else if (strcmp(how, "fexecve") == 0)
        fexecve(fd, arguments, variables);
    else if (strcmp(how, "execveat") == 0)
        execveat(AT_FDCWD, name, arguments, variables, 0);
    else if (strcmp(how, "execl") == 0)
        execl(name, first, "one", "two", (char *)NULL);
    else if (strcmp(how, "execlp") == 0)
        execlp(file, first, "one", "two", (char *)NULL);
    else if (strcmp(how, "execle") == 0)
        execle(name, first, "one", "two", (char *)NULL, variables);
    if (errno == 7777)
        abort();
    if (fd >= 0)
        close(fd);
}

static NOINLINE void way_ends(const char *way)
{
    CCPROF_STOPWATCH("way");
    if (strcmp(way, "exit") == 0)
        exit(0);
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "crash") == 0)
        *(volatile int *)NULL = one;
    if (strcmp(way, "exec-itself") == 0)
        execl(arguments[0], arguments[0], "nothing", (char *)NULL);
    if (strncmp(way, "exec", 4) == 0 || strcmp(way, "fexecve") == 0)
        way_exec(way, "exits3");
    if (strcmp(way, "fails") == 0) {
        const char *const all[] = {"execve", "execv",    "execvp", "execvpe", "fexecve",
                                   "execl",  "execveat", "execlp", "execle"};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            way_exec(all[i], "no such program");
        /* It is there, and no program. */
        way_exec("execv", "none");
    }
    if (strcmp(way, "vfork") == 0) {
        pid_t child = vfork();
        if (child == 0) {
            execl("exits3", "exits3", (char *)NULL);
            _exit(1);
        }
        waitpid(child, NULL, 0);
    }
    if (strcmp(way, "main-exit") == 0)
        pthread_exit(NULL);
}

#ifdef __cplusplus
static NOINLINE void way_throw(void)
{
    CCPROF_REGION("way")
    {
        CCPROF_STOPWATCH("inner");
        ccprof_region_begin(&pair);
        if (one)
            throw 1;
    }
}

static NOINLINE void way_exception(void)
{
    try {
        way_throw();
    } catch (int) {
    }
}
#endif

int main(int count, char **vector)
{
    const char *way = count > 1 ? vector[1] : "";

    arguments = vector;
    if (strcmp(way, "nothing") == 0)
        return 0;
    if (strcmp(way, "forgotten") == 0)
        way_forgotten();
    else if (strcmp(way, "longjmp") == 0)
        way_longjmp();
    else if (strcmp(way, "siglongjmp") == 0)
        way_siglongjmp();
    else if (strcmp(way, "buffers") == 0)
        way_buffers(200);
    else if (strcmp(way, "pthread_exit") == 0)
        way_thread(ends, 0);
    else if (strcmp(way, "pthread_cancel") == 0)
        way_thread(waits, 1);
    else if (strcmp(way, "fork") == 0)
        way_fork();
#ifdef __cplusplus
    else if (strcmp(way, "exception") == 0)
        way_exception();
#endif
    else
        way_ends(way);
    next();
    return 0;
}
