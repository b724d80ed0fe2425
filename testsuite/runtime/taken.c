/* SPDX-License-Identifier: GPL-3.0-or-later */
/* taken WHAT: computes, takes away from the process what ccprof may need, and computes
   again, in a new thread, too.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "burn.h"

/* Timers that the program has not made.  */
static void timers(void)
{
    for (int i = 0; i < 64; i++)
        syscall(SYS_timer_delete, i);
}

static void environment(void)
{
    clearenv();
    setenv("CCPROF", "off", 1);
}

static void mask(void)
{
    umask(077);
}

static void limit(int what, rlim_t most)
{
    struct rlimit limit = {most, most};
    if (setrlimit(what, &limit) != 0)
        abort();
}

static void limits(void)
{
    limit(RLIMIT_SIGPENDING, 0);
    limit(RLIMIT_MEMLOCK, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 4);
}

static void pages(void)
{
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        munlockall();
}

static void dumpable(void)
{
    prctl(PR_SET_DUMPABLE, 0);
}

static void stack(void)
{
    static char own[64 << 10];
    stack_t set = {.ss_sp = own, .ss_size = sizeof own};
    sigaltstack(&set, NULL);
}

static void *again(void *unused)
{
    burn(0.08);
    return unused;
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*take)(void);
    } whats[] = {{"timers", timers}, {"environment", environment}, {"mask", mask},
                 {"limits", limits}, {"pages", pages},             {"stack", stack},
                 {"dumpable", dumpable}};
    pthread_t thread;

    if (count < 2) {
        for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
            puts(whats[i].name);
        return 0;
    }
    burn(0.08);
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
        if (strcmp(words[1], whats[i].name) == 0)
            whats[i].take();
    if (pthread_create(&thread, NULL, again, NULL) != 0)
        abort();
    again(NULL);
    pthread_join(thread, NULL);
    puts("done");
    return 3;
}
