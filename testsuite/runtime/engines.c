/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engines WHAT ARGUMENTS: programs that are hard to sample; see the functions. Prints
   what the samples are to be compared with. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 2000

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static volatile unsigned long sink;

/* The same loop under several names; each uses SECONDS of the thread's CPU time. */
#define LOOP(name)                                                                       \
    static __attribute__((noinline)) void name(double seconds)                           \
    {                                                                                    \
        double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;                             \
        while (now(CLOCK_THREAD_CPUTIME_ID) < end)                                       \
            for (int i = 0; i < 30000; i++)                                              \
                sink += (unsigned long)i;                                                \
    }
LOOP(loop_a)
LOOP(loop_b)

static long waited(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

/* The CPU time of the process, by another account than that of its clocks. */
static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Starts and joins N threads that do the same. */
static void start_all(pthread_t *thread, int n, void *(*work)(void *), void *argument)
{
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, argument) != 0)
            abort();
}

static void join_all(const pthread_t *thread, int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}

/* beat MILLISECONDS SECONDS: 1 ms in loop_a and 1 ms in loop_b in each period, and
   sleeps until the next one that is still to come; as many periods as there are in
   SECONDS, which take longer beside other programs; prints how often it has waited. */
static void beat(char **arguments)
{
    long period = atol(arguments[0]) * 1000000;
    long periods = (long)(atof(arguments[1]) * 1e9 / (double)period);
    struct timespec next;
    long before = waited();

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (long i = 0; i < periods; i++) {
        loop_a(0.001);
        loop_b(0.001);
        do {
            next.tv_nsec += period;
            if (next.tv_nsec >= 1000000000) {
                next.tv_nsec -= 1000000000;
                next.tv_sec++;
            }
        } while ((double)next.tv_sec + 1e-9 * (double)next.tv_nsec <
                 now(CLOCK_MONOTONIC));
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    printf("%ld\n", waited() - before);
}

static double share;

static void *brief(void *unused)
{
    loop_a(share);
    return unused;
}

/* brief HOW N MILLISECONDS: N threads of that much CPU time, four at a time; by the
   program's `own' call of pthread_create, or by an `other' that nobody can know of. */
static void briefs(char **arguments)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        pthread_create;
    int n = atoi(arguments[1]);
    pthread_t thread[MOST];

    if (strcmp(arguments[0], "other") == 0)
        *(void **)&create = dlsym(RTLD_DEFAULT, "pthread_create");
    share = atof(arguments[2]) / 1000;
    for (int i = 0; i < n && i < MOST; i++) {
        if (i >= 4)
            pthread_join(thread[i - 4], NULL);
        create(&thread[i], NULL, brief, NULL);
    }
    for (int i = n > 4 ? n - 4 : 0; i < n; i++)
        pthread_join(thread[i], NULL);
}

/* each SECONDS N: so much CPU time in each of N threads (0: in the first thread); prints
   what getrusage says it was. */
static void each(char **arguments)
{
    int n = atoi(arguments[1]);
    pthread_t thread[MOST];

    share = atof(arguments[0]);
    start_all(thread, n, brief, NULL);
    join_all(thread, n);
    if (n == 0)
        brief(NULL);
    printf("%.3f\n", used());
}

static void *open_close(void *file)
{
    for (int i = 0; i < 20; i++) {
        void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!object)
            abort();
        ((void (*)(double))dlsym(object, "work"))(0.0001);
        dlclose(object);
    }
    return NULL;
}

/* storm FILE ROUNDS: threads come and go while others load and unload the object. */
static void storm(char **arguments)
{
    int rounds = atoi(arguments[1]);
    pthread_t loader[2], thread[16];

    share = 0.0005;
    for (int round = 0; round < rounds; round++) {
        start_all(loader, 2, open_close, arguments[0]);
        start_all(thread, 16, brief, NULL);
        join_all(thread, 16);
        join_all(loader, 2);
    }
}

static pthread_barrier_t barrier;

static void *together(void *unused)
{
    pthread_barrier_wait(&barrier);
    return brief(unused);
}

/* many N: as many threads at once, each uses 2 ms. */
static void many(char **arguments)
{
    int n = atoi(arguments[0]);
    pthread_t thread[MOST];

    share = 0.002;
    pthread_barrier_init(&barrier, NULL, (unsigned)n);
    start_all(thread, n, together, NULL);
    join_all(thread, n);
    printf("descriptor %d\n", dup(0));
}

/* Prints how many descriptors from 3 on are open. */
static void count_descriptors(void)
{
    int n = 0;

    for (int i = 3; i < 4096; i++)
        n += fcntl(i, F_GETFD) >= 0;
    printf("open %d\n", n);
}

static volatile int is_closed;

static void *until_closed(void *unused)
{
    while (!is_closed)
        loop_a(0.001);
    return unused;
}

/* closed SECONDS: beside four threads, and with new ones, all descriptors are closed, and
   all numbers in use again. */
static void closed(char **arguments)
{
    pthread_t thread[4];

    start_all(thread, 4, until_closed, NULL);
    loop_b(0.03);
    count_descriptors();
    close_range(3, ~0u, 0);
    loop_b(0.03);
    count_descriptors();
    for (int i = 3; i < 1000; i++)
        dup2(0, i);
    loop_a(atof(arguments[0]));
    is_closed = 1;
    join_all(thread, 4);
    start_all(thread, 4, until_closed, NULL);
    join_all(thread, 4);
    for (int i = 3; i < 1000; i++)
        if (fcntl(i, F_GETFD) != 0 || (fcntl(i, F_GETFL) & O_ASYNC) || close(i) != 0)
            printf("descriptor %d is closed or another's\n", i);
}

static void *reads(void *seconds)
{
    static char buffer[1 << 20];
    int zero = open("/dev/zero", O_RDONLY);

    while (now(CLOCK_THREAD_CPUTIME_ID) < *(double *)seconds)
        for (int i = 0; i < 10; i++)
            if (read(zero, buffer, sizeof buffer) != sizeof buffer)
                abort();
    close(zero);
    return NULL;
}

/* in-kernel SECONDS N: N threads, one after the other, that are hardly ever anywhere
   else. */
static void in_kernel(char **arguments)
{
    double seconds = atof(arguments[0]);
    pthread_t thread;

    for (int n = atoi(arguments[1]); n > 0; n--) {
        start_all(&thread, 1, reads, &seconds);
        join_all(&thread, 1);
    }
}

/* Never leaves its code. */
static __attribute__((noinline)) void loop_own(void)
{
    for (int i = 0; i < 100000; i++)
        sink += (unsigned long)i;
}

/* loops N FILE: N times loop_own, each time after a read of the FILE, if there is one.
   Returns the CPU time. */
static double loops(int n, FILE *file)
{
    static char buffer[2 << 20];
    double before = now(CLOCK_THREAD_CPUTIME_ID);

    for (int i = 0; i < n; i++) {
        if (file && fread(buffer, sizeof buffer, 1, file) != 1)
            abort();
        loop_own();
    }
    return now(CLOCK_THREAD_CPUTIME_ID) - before;
}

/* kernel SECONDS: much of the time is the kernel's; prints the part of loop_own in per
   cent. Reads the CPU clock seldom: beside other work, each look at it may end the turn
   of the thread, which the kernel's tick then never finds. */
static void kernel(char **arguments)
{
    double end = now(CLOCK_THREAD_CPUTIME_ID) + atof(arguments[0]), alone = 0, mixed = 0;
    FILE *zero = fopen("/dev/zero", "r");

    setvbuf(zero, NULL, _IONBF, 0);
    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
        alone += loops(20, NULL);
        mixed += loops(200, zero);
    }
    fclose(zero);
    printf("%.0f\n", alone * 11 * 100 / (alone + mixed));
}

/* waits THREADS TIMES: so many threads wait so often for 5 ms, by poll and by nanosleep
   in turn, beside two that work; prints how many of the waits were interrupted. */
static int wait_times;
static int interrupted;

static void *waiter(void *unused)
{
    const struct timespec pause = {0, 5000000};

    for (int i = 0; i < wait_times; i++)
        if ((i % 2 ? nanosleep(&pause, NULL) : poll(NULL, 0, 5)) < 0 && errno == EINTR)
            __atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
    return unused;
}

static void waits(char **arguments)
{
    int n = atoi(arguments[0]);
    pthread_t working[2], waiting[MOST];

    wait_times = atoi(arguments[1]);
    start_all(working, 2, until_closed, NULL);
    start_all(waiting, n, waiter, NULL);
    join_all(waiting, n);
    is_closed = 1;
    join_all(working, 2);
    printf("%d\n", interrupted);
}

/* Ends in every way that a thread can; the values are checked. */
static void *left(void *argument)
{
    loop_a(0.005);
    pthread_exit(argument);
}

static void *cancelled(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static void *forks(void *unused)
{
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        pthread_t thread;
        loop_a(0.02);
        pthread_create(&thread, NULL, left, NULL);
        pthread_join(thread, NULL);
        exit(5);
    }
    waitpid(child, &status, 0);
    return (char *)unused + WEXITSTATUS(status);
}

static void ends(char **arguments)
{
    pthread_t thread;
    void *value;

    pthread_create(&thread, NULL, left, arguments);
    pthread_join(thread, &value);
    printf("left %d\n", value == arguments);
    pthread_create(&thread, NULL, cancelled, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    printf("cancelled %d\n", value == PTHREAD_CANCELED);
    pthread_create(&thread, NULL, forks, NULL);
    pthread_join(thread, &value);
    printf("forked %d\n", (int)(long)value);
}

static const struct {
    const char *name;
    void (*function)(char **arguments);
} whats[] = {{"beat", beat},     {"each", each},           {"brief", briefs},
             {"storm", storm},   {"many", many},           {"closed", closed},
             {"kernel", kernel}, {"in-kernel", in_kernel}, {"ends", ends},
             {"waits", waits}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof whats / sizeof *whats; i++) {
        if (strcmp(argv[1], whats[i].name) == 0) {
            whats[i].function(argv + 2);
            return 3;
        }
    }
    return 1;
}
