/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls functions that come to the runtime first, and takes their addresses, in code: of
   each kind, those that return a value, start something, jump, and do not return. */

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the compiler does not know. */
static __typeof__(sigaction) *volatile the_sigaction;
static __typeof__(pthread_create) *volatile the_pthread_create;
static __typeof__(siglongjmp) *volatile the_siglongjmp;
static __typeof__(execve) *volatile the_execve;
static __typeof__(_exit) *volatile the_exit;

static void *begin(void *unused)
{
    puts("thread");
    return unused;
}

static void threads(void)
{
    pthread_t thread;

    the_pthread_create = pthread_create;
    if (pthread_create(&thread, NULL, begin, NULL) == 0)
        pthread_join(thread, NULL);
    if (the_pthread_create(&thread, NULL, begin, NULL) == 0)
        pthread_join(thread, NULL);
}

static void signals(void)
{
    struct sigaction action, old;

    the_sigaction = sigaction;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, NULL);
    the_sigaction(SIGUSR1, NULL, &old);
    printf("ignored %d\n", old.sa_handler == SIG_IGN);
}

static void jumps(void)
{
    sigjmp_buf buffer;

    the_siglongjmp = siglongjmp;
    switch (sigsetjmp(buffer, 1)) {
    case 0:
        siglongjmp(buffer, 1);
    case 1:
        the_siglongjmp(buffer, 2);
    }
    puts("jumped");
}

int main(int argc, char **argv)
{
    char *again[] = {argv[0], (char *)"again", NULL};

    setvbuf(stdout, NULL, _IOLBF, 0);
    the_execve = execve;
    the_exit = _exit;
    if (argc == 1) {
        threads();
        signals();
        jumps();
        the_execve(argv[0], again, environ);
    }
    puts("again");
    (argc > 2 ? _exit : the_exit)(3);
}
