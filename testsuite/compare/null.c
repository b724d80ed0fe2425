/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for null comparisons: equal runs in ten ways that make sampling hard. Each
   way runs the same ten functions equally often. Usage: null WAY TURNS. */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char *self;

/* Takes about a fifth of a millisecond for each of SIZE. */
#define WORK(name, size)                                                                 \
    __attribute__((noinline)) static void name(void)                                     \
    {                                                                                    \
        for (unsigned i = 0; i < (size)*500000; i++)                                     \
            __asm__ volatile("");                                                        \
    }
WORK(forty, 40)
WORK(thirty, 30)
WORK(twentyfive, 25)
WORK(twenty, 20)
WORK(fifteen, 15)
WORK(twelve, 12)
WORK(ten, 10)
WORK(eight, 8)
WORK(six, 6)
WORK(four, 4)

static void (*const works[])(void) = {forty,  thirty, twentyfive, twenty, fifteen,
                                      twelve, ten,    eight,      six,    four};
#define WORKS (sizeof works / sizeof *works)

__attribute__((noinline)) static void everything(void)
{
    for (size_t i = 0; i < WORKS; i++)
        works[i]();
}

static void await(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        exit(1);
}

static void in_child(void (*work)(void))
{
    pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    await(child);
}

static void plain(unsigned turns)
{
    while (turns--)
        everything();
}

/* A child for each turn, as a shell does. */
static void forks(unsigned turns)
{
    while (turns--)
        in_child(everything);
}

/* A child for each piece of work, most of them shorter than the time between two
   samples. */
static void brief_forks(unsigned turns)
{
    while (turns--)
        for (size_t i = 0; i < WORKS; i++)
            in_child(works[i]);
}

static void grandchild(void)
{
    works[1]();
    in_child(everything);
}

static void trees(unsigned turns)
{
    while (turns--)
        in_child(grandchild);
}

/* Children of another program, which is this one. */
static void spawns(unsigned turns)
{
    char *arguments[] = {self, "plain", "1", NULL};
    while (turns--) {
        pid_t child;
        if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0)
            exit(1);
        await(child);
    }
}

static void *in_thread(void *work)
{
    ((void (*)(void))(size_t)work)();
    return NULL;
}

/* Threads that run at the same time. */
static void threads(unsigned turns)
{
    while (turns--) {
        pthread_t threads[4];
        for (size_t i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, in_thread, (void *)(size_t)everything);
        for (size_t i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
    }
}

/* A thread for each piece of work, most of them shorter than the time between two
   samples. */
static void brief_threads(unsigned turns)
{
    while (turns--)
        for (size_t i = 0; i < WORKS; i++) {
            pthread_t thread;
            pthread_create(&thread, NULL, in_thread, (void *)(size_t)works[i]);
            pthread_join(thread, NULL);
        }
}

/* Signals are blocked for 50 ms, and unblocked in one of three functions in turn. */
static void blocked(unsigned turns)
{
    sigset_t all, before;
    sigfillset(&all);
    for (unsigned turn = 0; turn < turns; turn++) {
        pthread_sigmask(SIG_SETMASK, &all, &before);
        for (size_t i = 0; i < WORKS; i++) {
            works[i]();
            if (i % 3 == turn % 3) {
                pthread_sigmask(SIG_SETMASK, &before, NULL);
                works[i]();
                pthread_sigmask(SIG_SETMASK, &all, NULL);
            }
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
}

/* A loop around signalfd, with signals blocked all the time. */
static void signals(unsigned turns)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    struct pollfd ready = {.fd = signalfd(-1, &all, SFD_NONBLOCK), .events = POLLIN};
    for (unsigned turn = 0; turn < turns; turn++)
        for (size_t i = 0; i < WORKS; i++) {
            struct signalfd_siginfo info;
            kill(getpid(), SIGUSR1);
            if (poll(&ready, 1, 1000) != 1 || read(ready.fd, &info, sizeof info) < 0)
                exit(1);
            works[i]();
        }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Work in short pieces, with sleep between them. */
static void sleeps(unsigned turns)
{
    while (turns--)
        for (size_t i = 0; i < WORKS; i++) {
            struct timespec moment = {.tv_nsec = 300000};
            works[i]();
            nanosleep(&moment, NULL);
        }
}

/* Children that work with signals blocked, as a shell does between fork and exec. */
static void blocked_child(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0; i < WORKS / 2; i++)
        works[i]();
    sigprocmask(SIG_SETMASK, &before, NULL);
    for (size_t i = WORKS / 2; i < WORKS; i++)
        works[i]();
}

static void blocked_forks(unsigned turns)
{
    while (turns--)
        in_child(blocked_child);
}

static const struct {
    const char *name;
    void (*run)(unsigned turns);
} ways[] = {{"plain", plain},
            {"forks", forks},
            {"brief-forks", brief_forks},
            {"trees", trees},
            {"spawns", spawns},
            {"threads", threads},
            {"brief-threads", brief_threads},
            {"blocked", blocked},
            {"signals", signals},
            {"sleeps", sleeps},
            {"blocked-forks", blocked_forks}};

int main(int argc, char **argv)
{
    self = argv[0];
    for (size_t i = 0; argc == 3 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run((unsigned)atoi(argv[2]));
            return 0;
        }
    fprintf(stderr, "usage: null WAY TURNS\n");
    return 2;
}
