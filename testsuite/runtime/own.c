/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own WAY...: a program that uses for itself what the profiler needs, or takes away what
   it stands on. What it prints is the same without the profiler. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

static volatile sig_atomic_t ticks, strange;

/* What setitimer sends comes from the kernel, and from no timer with a number. */
static void tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (info->si_code == SI_KERNEL || info->si_code == SI_USER)
        ticks++;
    else
        strange++;
}

static void plain_tick(int number)
{
    (void)number;
    ticks++;
}

static struct sigaction old;

static void take(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(number, &action, &old);
}

static void clock_of_its_own(int milliseconds)
{
    struct itimerval when = {{0, milliseconds * 1000}, {0, milliseconds * 1000}};
    if (setitimer(ITIMER_PROF, &when, NULL) != 0)
        abort();
}

static void stop_clock(void)
{
    struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &none, NULL);
}

/* After so many seconds with a tick in each 5 ms. The kernel may leave some out; and it
   counts the time of setitimer at its own ticks, of which a hundred in a second or more
   find the program at work by chance: four standard deviations are allowed. */
static void judge(double seconds)
{
    double due = seconds * 200, more = ticks > due ? ticks - due : 0;
    if (due / 10 <= ticks && more * more <= 16 * due && strange == 0)
        printf("ticks right\n");
    else
        printf("ticks %d of %g, strange %d\n", (int)ticks, due, (int)strange);
}

/* A profiler of its own: 0.2 s of CPU time, a tick in each 5 ms. */
static void itimer(void)
{
    take(SIGPROF, tick);
    printf("handler before %s\n", old.sa_handler == SIG_DFL ? "default" : "not default");
    clock_of_its_own(5);
    burn(0.2);
    stop_clock();
    /* It is sent at the kernel's tick. */
    judge(0.2);
}

/* Done with it; a signal that comes now ends the program. */
static void back_to_default(void)
{
    if (signal(SIGPROF, plain_tick) != SIG_DFL)
        printf("not the default\n");
    raise(SIGPROF);
    signal(SIGPROF, SIG_DFL);
    burn(0.15);
    printf("ticks %d\n", (int)ticks);
}

/* A child in the parent's memory prepares for what it will run. */
static void vforked(void)
{
    int status;
    pid_t child = vfork();

    if (child == 0) {
        signal(SIGPROF, SIG_IGN);
        take(SIGPROF, tick);
        _exit(7);
    }
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    burn(0.1);
    raise(SIGPROF);
}

/* Children, and threads, after it has been taken. */
static void *burns(void *unused)
{
    burn(0.05);
    return unused;
}

static void children(void)
{
    pthread_t thread;
    int status;

    take(SIGPROF, tick);
    pthread_create(&thread, NULL, burns, NULL);
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0) {
        burn(0.1);
        exit(strange == 0 ? 4 : 5);
    }
    waitpid(child, &status, 0);
    printf("child %d, strange %d\n", WEXITSTATUS(status), (int)strange);
}

static void blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    burn(0.05);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    burn(0.1);
}

/* As programs do when they start; and then a signal that nobody expects. */
static void defaults(void)
{
    for (int i = 1; i < NSIG; i++)
        if (i != SIGKILL && i != SIGSTOP && i != SIGTERM)
            signal(i, SIG_DFL);
    signal(SIGPROF, SIG_IGN);
    raise(SIGPROF);
    if (signal(SIGPROF, SIG_DFL) != SIG_IGN)
        printf("not what was set\n");
    burn(0.15);
    raise(SIGPROF);
}

static const struct timespec moment = {0, 10000000};

/* One thread waits for all signals of the process. */
static _Atomic bool has_timed, has_got;

static void *waits(void *set)
{
    static const struct timespec soon = {0, 50000000};
    siginfo_t info;
    int number = 0;

    burn(0.05);
    printf("%d\n", sigtimedwait(set, NULL, &soon) == -1 && errno == EAGAIN);
    has_timed = true;
    printf("%d\n", sigwait(set, &number));
    printf("signal %d\n", number);
    printf("signal %d\n", sigwaitinfo(set, &info));
    printf("sent %d\n", info.si_code == SI_USER && info.si_pid == getpid());
    has_got = true;
    return NULL;
}

/* Until the thread has waited in vain there is nothing for it to get; all the time there
   is work of which the profiler's signals tell. */
static void waiter(void)
{
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&thread, NULL, waits, &all);
    while (!has_timed)
        burn(0.01);
    burn(0.15);
    kill(getpid(), SIGHUP);
    burn(0.1);
    /* Of two that are pending the kernel keeps one, and one may be the profiler's. */
    while (!has_got) {
        kill(getpid(), SIGPROF);
        nanosleep(&moment, NULL);
    }
    pthread_join(thread, NULL);
}

/* The only thread waits for all signals, and then a second for none. */
static void waits_first(void)
{
    static const struct timespec soon = {0, 100000000};
    struct timespec left = {1, 0};
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    printf("%d\n", sigtimedwait(&all, NULL, &soon) == -1 && errno == EAGAIN);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* All signals are blocked while it works: which are pending, first none, then its own. */
static void pending(void)
{
    sigset_t all, pending;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 10; i++) {
        burn(0.015);
        sigpending(&pending);
        printf("%d %d\n", sigismember(&pending, SIGPROF), sigismember(&pending, SIGUSR1));
    }
    raise(SIGUSR1);
    /* Of two the kernel keeps one, and the other may be the profiler's. */
    do {
        raise(SIGPROF);
        sigpending(&pending);
    } while (sigismember(&pending, SIGPROF) != 1);
    for (int i = 0; i < 3; i++) {
        burn(0.015);
        sigpending(&pending);
        printf("%d %d\n", sigismember(&pending, SIGPROF), sigismember(&pending, SIGUSR1));
    }
    signal(SIGPROF, SIG_IGN);
    sigdelset(&all, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    burn(0.05);
}

/* All signals are blocked and read from a descriptor: in an event loop only its own are
   seen. The mask is what it has set. */
static int open_signals(const sigset_t *set)
{
    int fd = signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0)
        abort();
    return fd;
}

static void read_descriptor(bool bare)
{
    struct signalfd_siginfo got;
    sigset_t all, now;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    struct pollfd files[2] = {{open_signals(&all), POLLIN, 0}, {-1, POLLIN, 0}};
    if (bare)
        files[1].fd = (int)syscall(SYS_signalfd4, -1, &all, 8, SFD_NONBLOCK);
    for (int i = 0; i < 10; i++) {
        burn(0.015);
        if (poll(files, 2, 1) != 0)
            printf("woken\n");
        pthread_sigmask(SIG_BLOCK, NULL, &now);
        if (sigismember(&now, SIGPROF) != 1 || read(files[0].fd, &got, sizeof got) > 0)
            printf("not as set\n");
    }
    raise(SIGUSR1);
    printf("%d\n", poll(files, 2, -1) == 1 + bare);
    if (read(files[0].fd, &got, sizeof got) == sizeof got)
        printf("read %d\n", got.ssi_signo == SIGUSR1);
}

static void descriptor(void)
{
    read_descriptor(false);
}

static void bare_descriptor(void)
{
    read_descriptor(true);
}

/* SIGPROF among a few: the program's own clock, as with a handler. */
static void few_descriptor(void)
{
    struct signalfd_siginfo got;
    sigset_t few;

    sigemptyset(&few);
    sigaddset(&few, SIGPROF);
    sigaddset(&few, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &few, NULL);
    int fd = open_signals(&few);
    clock_of_its_own(5);
    for (int i = 0; i < 20; i++) {
        burn(0.01);
        while (read(fd, &got, sizeof got) == sizeof got) {
            ticks++;
            strange += got.ssi_code != SI_KERNEL;
        }
    }
    printf("ticks %d, strange %d\n", ticks > 2, (int)strange);
}

/* Waits that let signals in: only the program's own end them, and the timeout stays. */
static void masked(void)
{
    const struct timespec soon = {0, 1000000};
    struct timespec timeout = soon;
    struct epoll_event event;
    sigset_t all, none;
    int ended = 0, epoll = epoll_create1(0);

    sigfillset(&all);
    sigemptyset(&none);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 8; i++) {
        burn(0.015);
        ended += ppoll(NULL, 0, &timeout, &none);
        burn(0.015);
        ended += pselect(0, NULL, NULL, NULL, &timeout, &none);
        burn(0.015);
        ended += epoll_pwait(epoll, &event, 1, 1, &none);
    }
    printf("ended %d, timeout %ld\n", ended, timeout.tv_nsec);
    signal(SIGALRM, plain_tick);
    for (int i = 1; i < 5; i++) {
        struct itimerval when = {{0, 0}, {0, 20000}};
        setitimer(ITIMER_REAL, &when, NULL);
        burn(0.01);
        bool is_ended = sigsuspend(&none) == -1 && errno == EINTR;
        printf("%d %d\n", is_ended, ticks == i);
    }
    printf("%d\n", ppoll(NULL, 0, &timeout, NULL));
}

/* The handler is installed in an old way. */
static void sigsets(void)
{
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    printf("%d\n", sigset(SIGPROF, SIG_HOLD) == SIG_DFL);
    printf("%d\n", sigset(SIGPROF, plain_tick) == SIG_HOLD);
    raise(SIGPROF);
    burn(0.1);
    printf("ticks %d\n", (int)ticks);
}

static void ignores(void)
{
    sigignore(SIGPROF);
    siginterrupt(SIGPROF, 1);
    raise(SIGPROF);
    burn(0.1);
    printf("%d\n", signal(SIGPROF, SIG_DFL) == SIG_IGN);
}

/* By code that is not profiled. */
static void behind_its_back(void)
{
    int (*function)(int, const struct sigaction *, struct sigaction *);
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    *(void **)&function = dlsym(RTLD_DEFAULT, "sigaction");
    function(SIGPROF, &action, NULL);
    burn(0.1);
}

/* What daemons do: nothing of theirs is left. */
static void daemonize(void)
{
    int ready[2];
    char byte;

    if (pipe(ready) != 0)
        abort();
    if (fork() != 0) {
        close(ready[1]);
        /* Until the daemon has closed it. */
        if (read(ready[0], &byte, 1) != 0)
            abort();
        _exit(0);
    }
    setsid();
    if (fork() != 0)
        _exit(0);
    FILE *file = fopen("daemon", "w");
    fprintf(file, "%d\n", getpid());
    fclose(file);
    if (chdir("/") != 0)
        abort();
    umask(0);
    burn(0.05);
    close_range(0, ~0u, 0);
    open("/dev/null", O_RDWR);
    (void)!dup(0);
    (void)!dup(0);
    burn(0.1);
}

/* Works on, in a new thread, too, when what the runtime has, or needs, is not there any
   more: timers that the program has not made and the environment; descriptors, pages and
   signals that wait. */
static void work_on(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, burns, NULL) != 0)
        abort();
    burn(0.05);
    pthread_join(thread, NULL);
}

static void takes_away(void)
{
    for (int i = 0; i < 64; i++)
        syscall(SYS_timer_delete, i);
    clearenv();
    setenv("CCPROF", "off", 1);
    umask(077);
    prctl(PR_SET_DUMPABLE, 0);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        munlockall();
    work_on();
}

static void limits(void)
{
    static const int whats[] = {RLIMIT_SIGPENDING, RLIMIT_MEMLOCK, RLIMIT_CORE};
    const struct rlimit none = {0, 0}, few = {4, 4};

    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
        if (setrlimit(whats[i], &none) != 0)
            abort();
    if (setrlimit(RLIMIT_NOFILE, &few) != 0)
        abort();
    work_on();
}

static char **words;

static void itimer_alone(void)
{
    clock_of_its_own(5);
    burn(5);
}

/* exec by a thread that is not the first. */
static void *execs(void *unused)
{
    (void)unused;
    burn(0.025);
    execv(words[2], words + 2);
    abort();
}

static void exec_in_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, execs, NULL);
    pthread_join(thread, NULL);
}

static void root(void)
{
    burn(0.05);
    if (chroot(words[2]) != 0 || chdir("/") != 0)
        abort();
    burn(0.05);
}

static const struct {
    const char *name;
    void (*function)(void);
} ways[] = {{"itimer", itimer},
            {"itimer-alone", itimer_alone},
            {"back-to-default", back_to_default},
            {"children", children},
            {"vfork", vforked},
            {"blocked", blocked},
            {"defaults", defaults},
            {"waiter", waiter},
            {"waits-first", waits_first},
            {"pending", pending},
            {"descriptor", descriptor},
            {"bare-descriptor", bare_descriptor},
            {"few-descriptor", few_descriptor},
            {"masked", masked},
            {"sigset", sigsets},
            {"ignores", ignores},
            {"behind-its-back", behind_its_back},
            {"takes-away", takes_away},
            {"limits", limits},
            {"daemon", daemonize},
            {"exec-in-thread", exec_in_thread},
            {"chroot", root}};

int main(int argc, char **argv)
{
    words = argv;
    burn(0.05);
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].function();
    printf("done\n");
    return 6;
}
