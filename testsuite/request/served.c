/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is asked while it runs (request-answer.test). The first argument says
   what it does with signals. It prints `ready', then a line for each signal that it gets
   itself. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sink;

static double step(double a)
{
    for (int i = 0; i < 1000; i++)
        a += a * .5 + i;
    return a;
}

double work(double a)
{
    for (int i = 0; i < 100; i++)
        a = step(a);
    return a;
}

static void *works(void *unused)
{
    for (;;)
        sink = work(sink);
    return unused;
}

static void ready(void)
{
    puts("ready");
    fflush(stdout);
}

static void say(const char *what, long number)
{
    char line[80];
    int length = snprintf(line, sizeof line, "%s %ld\n", what, number);
    if (write(1, line, (size_t)length) != length)
        _exit(3);
}

static void start(int threads)
{
    pthread_t thread;

    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread, NULL, works, NULL) != 0)
            exit(2);
}

static void block(int number)
{
    sigset_t set;

    if (number)
        sigemptyset(&set), sigaddset(&set, number);
    else
        sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void idle(void)
{
    int fd = epoll_create1(0);
    struct epoll_event event;

    ready();
    for (;;)
        if (epoll_wait(fd, &event, 1, -1) < 0 && errno == EINTR)
            say("interrupted", 1);
}

static void on_info(int number, siginfo_t *info, void *context)
{
    say(info->si_code == SI_QUEUE ? "queued" : "sent", (long)info->si_value.sival_int);
}

static void on_signal(int number)
{
    say("signal", number);
}

/* The handler is visible, replaceable, and gets what was sent. */
static void own(void)
{
    struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO}, old;

    if (sigaction(SIGURG, NULL, &old) != 0 || old.sa_handler != SIG_DFL)
        exit(4);
    if (signal(SIGURG, on_signal) != SIG_DFL || signal(SIGURG, SIG_IGN) != on_signal)
        exit(5);
    if (sigaction(SIGURG, &action, &old) != 0 || old.sa_handler != SIG_IGN)
        exit(6);
    if (sigaction(SIGURG, NULL, &old) != 0 || old.sa_sigaction != on_info ||
        !(old.sa_flags & SA_SIGINFO))
        exit(7);
    ready();
    works(NULL);
}

/* All threads block all signals, and one waits for them. */
static void waits(void)
{
    sigset_t set;
    siginfo_t info;

    block(0);
    start(1);
    sigfillset(&set);
    ready();
    for (;;)
        say("waited", sigwaitinfo(&set, &info));
}

static void reads(int number)
{
    sigset_t set;
    struct signalfd_siginfo info;

    block(number);
    start(1);
    if (number)
        sigemptyset(&set), sigaddset(&set, number);
    else
        sigfillset(&set);
    int fd = signalfd(-1, &set, 0);
    ready();
    while (read(fd, &info, sizeof info) == sizeof info)
        say("read", info.ssi_signo);
}

static void loads(const char *library)
{
    char line[10];
    double (*foreign)(double);

    ready();
    if (!fgets(line, sizeof line, stdin))
        exit(8);
    void *object = dlopen(library, RTLD_NOW);
    if (!object || !(foreign = (double (*)(double))dlsym(object, "foreign")))
        exit(9);
    puts("loaded");
    fflush(stdout);
    for (;;)
        sink = foreign(sink);
}

static void forks(void)
{
    char line[10];

    ready();
    if (!fgets(line, sizeof line, stdin))
        exit(8);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        works(NULL);
    }
    say("child", child);
    for (;;)
        sink = work(sink);
}

/* Handlers run on an alternate stack of 8 KiB, above a page that cannot be accessed. */
static void small(void)
{
    char *pages = mmap(NULL, 4096 + 8192, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = pages + 4096, .ss_size = 8192};

    if (pages == MAP_FAILED || mprotect(pages, 4096, PROT_NONE) != 0 ||
        sigaltstack(&stack, NULL) != 0)
        exit(10);
    sink = malloc(100) != NULL;
    ready();
    works(NULL);
}

/* The program may write no file. */
static void limited(void)
{
    const struct rlimit none = {0, 0};

    if (setrlimit(RLIMIT_FSIZE, &none) != 0)
        exit(11);
    if (write(1, "ready\n", 6) != 6)
        exit(12);
    works(NULL);
}

/* All descriptors that the program may have are open, until it reads a line. */
static void full(void)
{
    const struct rlimit few = {40, 40};
    char line[10];
    int last = -1;

    start(1);
    if (setrlimit(RLIMIT_NOFILE, &few) != 0)
        exit(13);
    for (int next; (next = dup(2)) >= 0;)
        last = next;
    ready();
    if (!fgets(line, sizeof line, stdin))
        exit(8);
    close(last);
    works(NULL);
}

static void allocates(void)
{
    ready();
    for (uint64_t i = 0;; i++) {
        void *block = malloc(16 + i % 64);
        sink = block ? sink + 1 : 0;
        free(block);
    }
}

int main(int count, char **argument)
{
    const char *how = count > 1 ? argument[1] : "busy";

    if (strcmp(how, "idle") == 0)
        idle();
    if (strcmp(how, "own") == 0)
        own();
    if (strcmp(how, "waits") == 0)
        waits();
    if (strcmp(how, "takes-it") == 0)
        signal(SIGURG, on_signal);
    if (strcmp(how, "reads") == 0)
        reads(0);
    if (strcmp(how, "reads-it") == 0)
        reads(SIGURG);
    if (strcmp(how, "loads") == 0)
        loads(argument[2]);
    if (strcmp(how, "forks") == 0)
        forks();
    if (strcmp(how, "small") == 0)
        small();
    if (strcmp(how, "limited") == 0)
        limited();
    if (strcmp(how, "full") == 0)
        full();
    if (strcmp(how, "allocates") == 0)
        allocates();
    if (strcmp(how, "blocked") == 0)
        block(0);
    start(2);
    ready();
    works(NULL);
}
