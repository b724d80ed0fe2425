/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dormant program (request-dormant.test): prints `ready', computes until it can read a
   line, and ends in the way that its argument says. */

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"

static volatile double sink;

static void work(void)
{
    for (int i = 0; i < 100000; i++)
        sink += sink * .5 + i;
}

static void work_until_told(void)
{
    struct pollfd input = {0, POLLIN, 0};

    do
        work();
    while (poll(&input, 1, 0) != 1);
}

static struct sigaction old;
static volatile int depth;

static void chain(int number, siginfo_t *info, void *context)
{
    if (++depth > 1)
        _exit(5);
    if (old.sa_flags & SA_SIGINFO)
        old.sa_sigaction(number, info, context);
    depth--;
}

static void begin(int number)
{
    (void)number;
    ccprof_start();
}

int main(int count, char **argument)
{
    const char *how = count > 1 ? argument[1] : "";
    const struct sigaction chains = {.sa_sigaction = chain, .sa_flags = SA_SIGINFO};
    sigset_t set;

    if (strcmp(how, "handles") == 0)
        signal(SIGPROF, exit);
    if (strcmp(how, "blocks") == 0) {
        sigemptyset(&set);
        sigaddset(&set, SIGPROF);
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(SIGPROF);
    }
    if (strcmp(how, "chains") == 0) {
        sigaction(SIGURG, &chains, &old);
        raise(SIGURG);
    }
    if (strcmp(how, "restores") == 0)
        sigaction(SIGURG, NULL, &old);
    if (strcmp(how, "handler") == 0) {
        signal(SIGUSR1, begin);
        raise(SIGUSR1);
    }
    if (strcmp(how, "sets") == 0) {
        setenv("CCPROF", "start=yes", 1);
        if (!dlopen("./other.so", RTLD_NOW))
            return 6;
    }
    puts("ready");
    fflush(stdout);
    if (strcmp(how, "begins") == 0)
        ccprof_start();
    if (strcmp(how, "takes") == 0) {
        char line[10];
        work_until_told();
        if (read(0, line, sizeof line) < 0 || signal(SIGURG, SIG_IGN) != SIG_DFL)
            return 4;
        puts("taken");
        fflush(stdout);
    }
    if (strcmp(how, "vfork") == 0) {
        pid_t child = vfork();
        if (child == 0) {
            work_until_told();
            _exit(3);
        }
    }
    work_until_told();
    if (strcmp(how, "restores") == 0) {
        sigaction(SIGURG, &old, NULL);
        raise(SIGURG);
    }
    if (strcmp(how, "chains") == 0)
        raise(SIGURG);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "exec") == 0)
        execlp("true", "true", (char *)NULL);
    if (strcmp(how, "fork") == 0 && fork() == 0)
        exit(0);
    if (strcmp(how, "killed") == 0)
        raise(SIGTERM);
    if (strcmp(how, "copies") == 0)
        return ccprof_write("copy.mlmon");
    wait(NULL);
    return 0;
}
