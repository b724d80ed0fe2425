/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls functions that come to the runtime first, and takes their addresses, in code.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the compiler does not know.  */
static __typeof__(sigaction) *volatile the_sigaction;
static __typeof__(signal) *volatile the_signal;
static __typeof__(sigwait) *volatile the_sigwait;
static __typeof__(sigwaitinfo) *volatile the_sigwaitinfo;
static __typeof__(sigtimedwait) *volatile the_sigtimedwait;
static __typeof__(pthread_create) *volatile the_pthread_create;
static __typeof__(siglongjmp) *volatile the_siglongjmp;
static __typeof__(execve) *volatile the_execve;
static __typeof__(execvpe) *volatile the_execvpe;
static __typeof__(_exit) *volatile the_exit;

static void *begin(void *unused)
{
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
    puts("threads");
}

static void signals(void)
{
    struct sigaction action, old;
    sigset_t set;
    siginfo_t info;
    int number;

    the_sigaction = sigaction;
    the_signal = signal;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, NULL);
    the_sigaction(SIGUSR1, NULL, &old);
    printf("ignored %d\n", old.sa_handler == SIG_IGN);
    printf("ignored %d\n", signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    printf("default %d\n", the_signal(SIGUSR1, SIG_IGN) == SIG_DFL);

    the_sigwait = sigwait;
    the_sigwaitinfo = sigwaitinfo;
    the_sigtimedwait = sigtimedwait;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (unsigned i = 0; i < 6; i++) {
        const struct timespec second = {1, 0};
        kill(getpid(), SIGUSR2);
        if (i < 2)
            (i ? the_sigwait : sigwait)(&set, &number);
        else if (i < 4)
            number = (i & 1 ? the_sigwaitinfo : sigwaitinfo)(&set, &info);
        else
            number = (i & 1 ? the_sigtimedwait : sigtimedwait)(&set, &info, &second);
        printf("waited %d\n", number == SIGUSR2);
    }
}

static void jumps(void)
{
    sigjmp_buf buffer;
    volatile int turn = 0;

    the_siglongjmp = siglongjmp;
    switch (sigsetjmp(buffer, 1)) {
    case 0:
        siglongjmp(buffer, 1);
    case 1:
        the_siglongjmp(buffer, 2);
    }
    if (_setjmp(buffer) == 0)
        turn++;
    if (turn++ == 1)
        siglongjmp(buffer, 3);
    printf("jumped %d\n", turn);
}

int main(int argc, char **argv)
{
    char *once[] = {argv[0], (char *)"once", NULL},
         *twice[] = {argv[0], (char *)"twice", NULL};

    setvbuf(stdout, NULL, _IOLBF, 0);
    the_execve = execve;
    the_execvpe = execvpe;
    the_exit = _exit;
    if (argc == 1) {
        threads();
        signals();
        jumps();
        (argc > 1 ? execve : the_execve)(argv[0], once, environ);
    } else if (strcmp(argv[1], "once") == 0) {
        puts("once");
        (argc > 2 ? execvpe : the_execvpe)(argv[0], twice, environ);
    } else {
        puts("twice");
        (argc > 2 ? _exit : the_exit)(3);
    }
    return 1;
}
