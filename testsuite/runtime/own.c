/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own WAY...: a program that uses for itself what the profiler needs, or takes away what
   it stands on.  What it prints is the same without the profiler.  */

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
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

static volatile sig_atomic_t ticks, strange;

/* What setitimer sends comes from the kernel, and from no timer with a number.  */
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

/* After so many seconds with a tick in each 10 ms.  The kernel may leave some out; and it
   counts the time of setitimer at its own ticks, of which a hundred in a second or more
   find the program at work by chance: four standard deviations are allowed.  */
static void judge(double seconds)
{
    double due = seconds * 100, more = ticks > due ? ticks - due : 0;
    if (due / 10 <= ticks && more * more <= 16 * due && strange == 0)
        printf("ticks right\n");
    else
        printf("ticks %d of %g, strange %d\n", (int)ticks, due, (int)strange);
}

/* A profiler of its own: 0.4 s of CPU time, a tick in each 10 ms.  */
static void itimer(void)
{
    take(SIGPROF, tick);
    printf("handler before %s\n", old.sa_handler == SIG_DFL ? "default" : "not default");
    clock_of_its_own(10);
    burn(0.4);
    stop_clock();
    /* It is sent at the kernel's tick.  */
    judge(0.4);
}

/* Done with it; a signal that comes now ends the program.  */
static void back_to_default(void)
{
    if (signal(SIGPROF, plain_tick) != SIG_DFL)
        printf("not the default\n");
    raise(SIGPROF);
    signal(SIGPROF, SIG_DFL);
    burn(0.3);
    printf("ticks %d\n", (int)ticks);
}

/* It hands what is not its own to the handler before it.  */
static void chained(int number, siginfo_t *info, void *context)
{
    ticks++;
    if (old.sa_flags & SA_SIGINFO)
        old.sa_sigaction(number, info, context);
}

static void chain(void)
{
    take(SIGPROF, chained);
    clock_of_its_own(10);
    burn(0.2);
    stop_clock();
    judge(0.2);
}

/* A child in the parent's memory prepares for what it will run.  */
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
    burn(0.2);
    raise(SIGPROF);
}

/* Children, and threads, after it has been taken.  */
static void *burns(void *unused)
{
    burn(0.1);
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
        burn(0.2);
        exit(strange == 0 ? 4 : 5);
    }
    waitpid(child, &status, 0);
    printf("child %d, strange %d\n", WEXITSTATUS(status), (int)strange);
}

static void blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    burn(0.1);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    burn(0.2);
}

/* As programs do when they start; and then a signal that nobody expects.  */
static void defaults(void)
{
    for (int i = 1; i < NSIG; i++)
        if (i != SIGKILL && i != SIGSTOP && i != SIGTERM)
            signal(i, SIG_DFL);
    signal(SIGPROF, SIG_IGN);
    raise(SIGPROF);
    if (signal(SIGPROF, SIG_DFL) != SIG_IGN)
        printf("not what was set\n");
    burn(0.3);
    raise(SIGPROF);
}

static const struct timespec moment = {0, 10000000};

/* Whether the process has a signal that none of its threads has got so far.  */
static bool is_pending(pid_t process, int number)
{
    char name[64], status[4096];
    snprintf(name, sizeof name, "/proc/%d/status", (int)process);
    int file = open(name, O_RDONLY);
    ssize_t length = read(file, status, sizeof status - 1);
    if (length < 0)
        abort();
    close(file);
    status[length] = '\0';
    const char *set = strstr(status, "ShdPnd:");
    if (!set)
        abort();
    return strtoull(set + strlen("ShdPnd:"), NULL, 16) >> (number - 1) & 1;
}

/* A child that sends its parent a SIGPROF, when it has none pending: of two the kernel
   keeps one, and one may be the profiler's.  The parent meanwhile is idle, so that no
   timer of its CPU time expires.  Its end would be a signal, too: it waits to be killed.
 */
static pid_t sender(void)
{
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    do
        nanosleep(&moment, NULL);
    while (is_pending(parent, SIGPROF));
    kill(parent, SIGPROF);
    while (getppid() == parent)
        nanosleep(&moment, NULL);
    _exit(0);
}

/* One thread waits for all signals of the process.  */
static _Atomic bool has_timed;
static pid_t from;

static void *waits(void *set)
{
    static const struct timespec soon = {0, 50000000};
    siginfo_t info;
    int number = 0;

    burn(0.1);
    printf("%d\n", sigtimedwait(set, NULL, &soon) == -1 && errno == EAGAIN);
    has_timed = true;
    printf("%d\n", sigwait(set, &number));
    printf("signal %d\n", number);
    printf("signal %d\n", sigwaitinfo(set, &info));
    from = info.si_pid;
    return NULL;
}

/* Until the thread has waited in vain there is nothing for it to get; all the time there
   is work of which the profiler's signals tell.  */
static void waiter(void)
{
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&thread, NULL, waits, &all);
    while (!has_timed)
        burn(0.01);
    burn(0.3);
    kill(getpid(), SIGHUP);
    burn(0.2);
    pid_t child = sender();
    pthread_join(thread, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("from %d\n", from == child);
}

/* The only thread waits for all signals, and then a second for none.  */
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
        burn(0.03);
        sigpending(&pending);
        printf("%d %d\n", sigismember(&pending, SIGPROF), sigismember(&pending, SIGUSR1));
    }
    raise(SIGUSR1);
    /* Of two the kernel keeps one, and the other may be the profiler's.  */
    do {
        raise(SIGPROF);
        sigpending(&pending);
    } while (sigismember(&pending, SIGPROF) != 1);
    for (int i = 0; i < 3; i++) {
        burn(0.03);
        sigpending(&pending);
        printf("%d %d\n", sigismember(&pending, SIGPROF), sigismember(&pending, SIGUSR1));
    }
    signal(SIGPROF, SIG_IGN);
    sigdelset(&all, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    burn(0.1);
}

/* By code that is not profiled.  */
static void behind_its_back(void)
{
    int (*function)(int, const struct sigaction *, struct sigaction *);
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    *(void **)&function = dlsym(RTLD_DEFAULT, "sigaction");
    function(SIGPROF, &action, NULL);
    burn(0.2);
}

/* What daemons do: nothing of theirs is left.  */
static void daemonize(void)
{
    int ready[2];
    char byte;

    if (pipe(ready) != 0)
        abort();
    if (fork() != 0) {
        close(ready[1]);
        /* Until the daemon has closed it.  */
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
    burn(0.1);
    close_range(0, ~0u, 0);
    open("/dev/null", O_RDWR);
    (void)!dup(0);
    (void)!dup(0);
    burn(0.2);
}

/* exec by a thread that is not the first.  */
static void *execs(void *arguments)
{
    char **argv = arguments;
    burn(0.05);
    execv(argv[2], argv + 2);
    abort();
}

static void root(const char *folder)
{
    burn(0.1);
    if (chroot(folder) != 0 || chdir("/") != 0)
        abort();
    burn(0.1);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    pthread_t thread;

    burn(0.1);
    if (strcmp(way, "itimer") == 0)
        itimer();
    else if (strcmp(way, "itimer-alone") == 0) {
        clock_of_its_own(10);
        burn(5);
    } else if (strcmp(way, "back-to-default") == 0)
        back_to_default();
    else if (strcmp(way, "chain") == 0)
        chain();
    else if (strcmp(way, "children") == 0)
        children();
    else if (strcmp(way, "vfork") == 0)
        vforked();
    else if (strcmp(way, "blocked") == 0)
        blocked();
    else if (strcmp(way, "defaults") == 0)
        defaults();
    else if (strcmp(way, "waiter") == 0)
        waiter();
    else if (strcmp(way, "waits-first") == 0)
        waits_first();
    else if (strcmp(way, "pending") == 0)
        pending();
    else if (strcmp(way, "behind-its-back") == 0)
        behind_its_back();
    else if (strcmp(way, "daemon") == 0)
        daemonize();
    else if (strcmp(way, "exec-in-thread") == 0) {
        pthread_create(&thread, NULL, execs, argv);
        pthread_join(thread, NULL);
    } else if (strcmp(way, "chroot") == 0)
        root(argv[2]);
    printf("done\n");
    return 6;
}
