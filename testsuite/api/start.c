/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and stops sampling; the argument says how. Prints, one line each, whether
   samples are taken after each step. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"
#include "ccprof.h"

static int by_signal;

static void say(void)
{
    printf("%d\n", ccprof_on());
    fflush(stdout);
}

static void start(void)
{
    if (by_signal)
        raise(SIGUSR2);
    else
        ccprof_start();
    say();
}

static void stop(void)
{
    if (by_signal)
        raise(SIGUSR2);
    else
        ccprof_stop();
    say();
}

/* Other addresses than those of the time that counts. */
static __attribute__((noinline, noclone)) void hidden(double seconds)
{
    burn(seconds);
    __asm__ volatile("");
}

static __attribute__((noinline, noclone)) void shown(double seconds)
{
    burn(seconds);
    __asm__ volatile("" ::: "memory");
}

/* Shown for 0.3 s, hidden for 0.45 s. */
static void in_turn(void)
{
    for (int i = 0; i < 3; i++) {
        shown(0.1);
        stop();
        hidden(0.15);
        start();
    }
}

/* For 500 times 1 ms. */
static void briefly(void)
{
    for (int i = 0; i < 250; i++) {
        ccprof_start();
        shown(0.001);
        ccprof_stop();
        hidden(0.001);
    }
}

/* What is due when SIGPROF comes at last was hidden. */
static void blocked(void)
{
    sigset_t prof;
    sigemptyset(&prof);
    sigaddset(&prof, SIGPROF);
    shown(0.1);
    sigprocmask(SIG_BLOCK, &prof, NULL);
    stop();
    hidden(0.25);
    start();
    sigprocmask(SIG_UNBLOCK, &prof, NULL);
    shown(0.1);
}

/* The child is as its parent. */
static void children(void)
{
    stop();
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            say();
            hidden(0.1);
            if (i == 1) {
                start();
                shown(0.1);
            }
            exit(0);
        }
        waitpid(child, NULL, 0);
        printf("child %d %d\n", i, (int)child);
        fflush(stdout);
    }
    start();
    shown(0.1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    by_signal = argc > 2;
    say();
    if (strcmp(how, "in-turn") == 0)
        in_turn();
    else if (strcmp(how, "briefly") == 0)
        briefly();
    else if (strcmp(how, "blocked") == 0)
        blocked();
    else if (strcmp(how, "children") == 0)
        children();
    else if (strcmp(how, "never") == 0)
        hidden(0.1);
    return 0;
}
