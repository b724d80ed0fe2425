/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a program can see of its process: unchanged [WAY]. The test rt-unchanged
   compares the lines with and without ccprof. Ways: `trap' lets each floating-point
   exception end the program; `end' ends by a full stack; `off' also prints what ccprof is
   allowed to change. */

#define _GNU_SOURCE
#include <alloca.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"

/* No exception is missing, and the flags of all are there to be looked at. */
#ifdef FE_ALL_EXCEPT
#define EXCEPTIONS FE_ALL_EXCEPT
#endif

static __thread const char *place = "";
static int start_errno;
static volatile unsigned long work;

static void say(const char *what, long value)
{
    printf("%s: %s %ld\n", place, what, value);
}

static void signals(void)
{
    char name[80];
    struct sigaction now;
    sigset_t set;

    for (int i = 1; i < 65; i++) {
        memset(&now, 0, sizeof now);
        if (sigaction(i, NULL, &now) != 0)
            continue;
        /* libc's own flag on x86-64, SA_RESTORER, is left out. */
        sprintf(name, "signal %d has flags %x, mask %lx, handler", i,
                now.sa_flags & ~0x4000000u, *(const unsigned long *)&now.sa_mask);
        say(name, now.sa_handler == SIG_DFL ? 0 : now.sa_handler == SIG_IGN ? 1 : 2);
    }
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    for (int i = 1; i < 65; i++)
        if (sigismember(&set, i) == 1)
            say("blocked", i);
    sigpending(&set);
    for (int i = 1; i < 65; i++)
        if (sigismember(&set, i) == 1)
            say("pending", i);
}

static long entries(const char *path)
{
    DIR *folder = opendir(path);
    long count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static void resources(void)
{
    char name[40], folder[4096];
    struct rlimit limit;
    struct itimerval timer;
    cpu_set_t cpus;
    mode_t mask = umask(0);

    umask(mask);
    say("umask", mask);
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        getrlimit((__rlimit_resource_t)i, &limit);
        sprintf(name, "limit %d of %ld", i, (long)limit.rlim_max);
        say(name, (long)limit.rlim_cur);
    }
    for (int i = 0; i < 3; i++) {
        getitimer((__itimer_which_t)i, &timer);
        say("timer", timer.it_value.tv_sec + timer.it_value.tv_usec);
    }
    int lowest = dup(2);
    say("lowest descriptor", lowest);
    close(lowest);
    say("descriptors", entries("/proc/self/fd"));
    say("threads", entries("/proc/self/task"));
    say("priority", getpriority(PRIO_PROCESS, 0));
    say("scheduler", sched_getscheduler(0));
    say("processors", sched_getaffinity(0, sizeof cpus, &cpus) ? -1 : CPU_COUNT(&cpus));
    say("dumpable", prctl(PR_GET_DUMPABLE));
    say("slack", prctl(PR_GET_TIMERSLACK));
    say("privileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    printf("%s: folder %s\n", place, getcwd(folder, sizeof folder));
}

static void library(void)
{
    stack_t stack;
    const char *error = dlerror();
    char name[17] = "";

    sigaltstack(NULL, &stack);
    say("alternate stack", stack.ss_flags != SS_DISABLE);
    printf("%s: %s, %s, %s\n", place, program_invocation_name,
           program_invocation_short_name, error ? error : "no error of the loader");
    prctl(PR_GET_NAME, name);
    printf("%s: called %s\n", place, name);
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "CCPROF=", 7) != 0)
            printf("%s: %s\n", place, *variable);
    say("buffer", (long)__fbufsize(stdout));
    say("waits for", waitpid(-1, NULL, WNOHANG));
    say("error", errno);
    say("rounding", fegetround());
#ifdef EXCEPTIONS
    say("traps", fegetexcept());
    say("flags", fetestexcept(EXCEPTIONS));
#endif
}

static void all(const char *here)
{
    place = here;
    signals();
    resources();
    library();
    fflush(stdout);
}

static void burn(long milliseconds)
{
    struct timespec now;
    long until = 0;
    do {
        for (int i = 0; i < 10000; i++)
            work += (unsigned long)i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        if (!until)
            until = now.tv_sec * 1000 + now.tv_nsec / 1000000 + milliseconds;
    } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < until);
}

/* Prints the error number after a call, which does not set it. */
#define KEEPS(what, call)                                                                \
    do {                                                                                 \
        errno = 4242;                                                                    \
        call;                                                                            \
        say(what " keeps", errno);                                                       \
    } while (0)

static void *thread(void *unused)
{
    all("thread");
    burn(10);
    return unused;
}

static void handler(int number)
{
    say("handled", number);
}

/* Everything that ccprof.h offers; without ccprof it does nothing. */
static void measure(void)
{
    struct ccprof_data *data = ccprof_data_new();

    KEEPS("stop", ccprof_stop());
    KEEPS("start", ccprof_start());
    {
        CCPROF_DATA(data);
        CCPROF_LABEL("phase");
        CCPROF_REGION("region")
        {
            burn(10);
        }
    }
    KEEPS("writing", (ccprof_data_write(data, "data.out"), ccprof_write("copy.out")));
}

static void calls(void)
{
    pthread_t id;
    void *block = NULL, *object = NULL;
    struct sigaction action;
    pid_t child = 0;
    int status = 0, created;

    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    action.sa_flags = SA_RESTART | SA_NOCLDSTOP | SA_ONSTACK;
    sigaddset(&action.sa_mask, SIGTERM);
    KEEPS("default", sigaction(SIGUSR2, &action, NULL));
    KEEPS("default", sigaction(SIGPROF, &action, NULL));
    KEEPS("signal", signal(SIGTERM, SIG_DFL));
    KEEPS("sysv_signal", sysv_signal(SIGINT, SIG_DFL));
    KEEPS("signal", signal(SIGVTALRM, SIG_IGN));
    action.sa_handler = handler;
    KEEPS("malloc", block = malloc(100000));
    KEEPS("realloc", block = realloc(block, 200000));
    KEEPS("free", free(block));
    KEEPS("sigaction", sigaction(SIGUSR1, &action, NULL));
    KEEPS("raise", raise(SIGUSR1));
    KEEPS("signal", signal(SIGUSR1, SIG_DFL));
    KEEPS("pthread_create", (pthread_create(&id, NULL, thread, NULL), created = errno,
                             pthread_join(id, NULL)));
    say("pthread_create alone keeps", created);
    KEEPS("dlopen", object = dlopen("libm.so.6", RTLD_NOW));
    KEEPS("dlclose", object ? dlclose(object) : 0);
    KEEPS("sampling", burn(30));
    fflush(stdout);
    KEEPS("fork", child = fork());
    if (child == 0) {
        all("child");
        burn(10);
        exit(7);
    }
    KEEPS("waitpid", waitpid(child, &status, 0));
    say("the child ended with", status);
    child = vfork();
    if (child == 0)
        _exit(8);
    waitpid(child, &status, 0);
    say("the child of vfork ended with", status);
    say("system gives", system("exit 9"));
}

static void first_exit(void)
{
    all("first exit handler");
}

static void last_exit(void)
{
    all("last exit handler");
}

static void on(int status, void *unused)
{
    (void)unused;
    say("exit status", status);
}

__attribute__((constructor)) static void constructor(void)
{
    start_errno = errno;
    puts("constructor");
}

__attribute__((destructor)) static void destructor(void)
{
    all("destructor");
}

/* What ccprof is allowed to change unless it is off. */
static void everything(void)
{
    char line[4096];
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(i ? "/proc/self/maps" : "/proc/self/status", "r");
        while (file && fgets(line, sizeof line, file))
            if (strstr(line, "ccprof") ||
                (strncmp(line, "Sig", 3) == 0 && strncmp(line, "SigQ", 4) != 0))
                fputs(line, stdout);
        if (file)
            fclose(file);
    }
}

static __attribute__((noinline)) int fill(int depth)
{
    volatile char *block = alloca(4096);
    block[0] = (char)depth;
    return fill(depth + 1) + block[0];
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";

    say("errno", start_errno);
    say("errno", errno);
    all("main");
    if (strcmp(way, "off") == 0)
        everything();
    if (strcmp(way, "end") == 0)
        return fill(0);
#ifdef EXCEPTIONS
    if (strcmp(way, "trap") == 0 && feenableexcept(EXCEPTIONS) == -1)
        return 77;
#endif
    fesetround(FE_UPWARD);
    atexit(last_exit);
    on_exit(on, NULL);
    atexit(first_exit);
    calls();
    measure();
    all("end of main");
    return 3;
}
