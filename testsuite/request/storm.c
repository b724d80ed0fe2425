/* SPDX-License-Identifier: GPL-3.0-or-later */
/* storm COUNT: executes itself COUNT times, and each time forks a child and starts a
   thread. Fails if a child does not end by exit, or if a system call that is restarted
   fails with EINTR. storm ask PID COUNT: sends COUNT requests (doc/requests.md) to the
   process and its children, until it ends. Prints the number of requests, and of
   processes that were asked. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "rt/format.h"

static volatile double sink;

static void *works(void *unused)
{
    double a = 1;

    for (int i = 0; i < 20000; i++)
        a += a * .5 + i;
    sink = a;
    return unused;
}

static void wrong(const char *what, int number)
{
    fprintf(stderr, "%s: %d\n", what, number);
    exit(1);
}

static void storm(char **argument, int left)
{
    char digits[12], *next[] = {argument[0], digits, NULL};
    pthread_t thread;
    int status, error = pthread_create(&thread, NULL, works, NULL);

    if (error)
        wrong("pthread_create", error);
    pid_t child = fork();
    if (child == 0) {
        works(NULL);
        exit(42);
    }
    works(NULL);
    pthread_join(thread, NULL);
    if (child < 0 || waitpid(child, &status, 0) != child)
        wrong("waitpid", errno);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 42)
        wrong("status of the child", status);
    if (left == 0)
        return;
    snprintf(digits, sizeof digits, "%d", left - 1);
    execv("/proc/self/exe", next);
    wrong("execv", errno);
}

/* Returns whether the process still exists. */
static int ask(pid_t pid, unsigned operation, unsigned argument)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t time = (uint64_t)(now.tv_sec + 5) * 1000000000 + (uint64_t)now.tv_nsec;
    uint64_t deadline =
        time >> CCPROF_REQUEST_DEADLINE_UNIT & ((1u << CCPROF_REQUEST_DEADLINE_BITS) - 1);
    uint64_t value = (uint64_t)CCPROF_REQUEST_MARK << CCPROF_REQUEST_MARK_SHIFT |
                     (uint64_t)CCPROF_REQUEST_VERSION << CCPROF_REQUEST_VERSION_SHIFT |
                     (uint64_t)operation << CCPROF_REQUEST_OPERATION_SHIFT |
                     (uint64_t)argument << CCPROF_REQUEST_ARGUMENT_SHIFT | deadline;
    siginfo_t info = {.si_signo = CCPROF_REQUEST_SIGNAL, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_value.sival_ptr = (void *)(uintptr_t)value;
    return syscall(SYS_rt_sigqueueinfo, pid, CCPROF_REQUEST_SIGNAL, &info) == 0;
}

/* Sends the request NUMBER: the operations take turns. */
static int ask_next(pid_t pid, long number)
{
    static const unsigned operations[] = {CCPROF_REQUEST_REPORT, CCPROF_REQUEST_SAMPLE,
                                          CCPROF_REQUEST_HEAP};
    unsigned operation = operations[number % 3];
    return ask(pid, operation, operation == CCPROF_REQUEST_SAMPLE);
}

static void asks(pid_t pid, long most)
{
    char path[60], list[200];
    pid_t last = 0;
    long sent = 0, processes = 1;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    for (; sent < most && ask_next(pid, sent); sent++) {
        FILE *children = fopen(path, "r");
        if (children && fgets(list, sizeof list, children)) {
            pid_t child = atoi(list);
            processes += child != last;
            last = child;
            if (child > 0)
                sent += ask_next(child, sent);
        }
        if (children)
            fclose(children);
        usleep(100);
    }
    printf("%ld requests to %ld processes\n", sent, processes);
}

int main(int count, char **argument)
{
    if (count == 4 && strcmp(argument[1], "ask") == 0)
        asks(atoi(argument[2]), atol(argument[3]));
    else if (count == 2)
        storm(argument, atoi(argument[1]));
    return 0;
}
