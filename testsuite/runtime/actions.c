/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for the actions of signals and changes them, in each way, and prints what it gets.
   With an argument SIGTERM ends it, whose default action was put back before. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void handle(int number)
{
    (void)number;
}

static int is_default(const struct sigaction *action)
{
    return action->sa_handler == SIG_DFL && action->sa_flags == 0 &&
           sigisemptyset(&action->sa_mask);
}

static void ask(int number)
{
    struct sigaction action, first;

    memset(&first, 7, sizeof first);
    sigaction(number, NULL, &first);
    printf("%d: %d", number, is_default(&first));
    printf(" %d", signal(number, handle) == SIG_DFL);
    printf(" %d", signal(number, SIG_DFL) == handle);
    printf(" %d", signal(number, SIG_IGN) == SIG_DFL);
    sigaction(number, &first, &action);
    printf(" %d", action.sa_handler == SIG_IGN);
    printf(" %d", signal(number, handle) == SIG_DFL);
    printf(" %d", sysv_signal(number, SIG_DFL) == handle);
    printf(" %d", sysv_signal(number, handle) == SIG_DFL);
    sigaction(number, &first, NULL);
    sigaction(number, NULL, &action);
    printf(" %d\n", action.sa_handler == SIG_DFL);
}

int main(int count, char **argument)
{
    static const int signals[] = {SIGHUP, SIGTERM, SIGSEGV, SIGCHLD};

    (void)argument;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        ask(signals[i]);
    fflush(stdout);
    if (count > 1)
        raise(SIGTERM);
    return 0;
}
