// SPDX-License-Identifier: GPL-3.0-or-later
// What a program knows itself about its waiting: for each thread the length of its life,
// its CPU time, the time in which it waited for a processor, and the time in calls that
// wait, by reason. Nothing comes from ccprof. For C and C++; one source file of a program
// includes this.
//
// Each thread calls own_begin first and own_end last; OWN(REASON, CALL) makes a call that
// may wait. own_report prints the sums of all threads in nanoseconds, one `NAME SUM' a
// line. Threads that are still in a call then wait up to this moment.

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define OWN_THREADS 64
#define OWN_REASONS 24

typedef struct Moment {
    long long wall, cpu, ready; // nanoseconds
} Moment;

typedef struct Own {
    pthread_t self;
    pid_t tid;
    int schedstat; // descriptor
    int ended;
    Moment begin, end;
    const char *open; // reason of the present call, or null
    Moment since;
    struct {
        const char *reason;
        long long time;
    } sum[OWN_REASONS];
} Own;

static Own own_threads[OWN_THREADS];
static int own_count;
static __thread Own *own;

static long long own_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The time in which a thread waited for a processor, by its open file schedstat
// (proc(5)).
static long long own_ready(int schedstat)
{
    char text[100];
    long long ran, waited = 0;
    ssize_t size = pread(schedstat, text, sizeof text - 1, 0);
    if (size <= 0)
        return 0;
    text[size] = 0;
    sscanf(text, "%lld %lld", &ran, &waited);
    return waited;
}

static Moment own_now(void)
{
    Moment now;
    now.ready = own_ready(own->schedstat);
    now.cpu = own_clock(CLOCK_THREAD_CPUTIME_ID);
    now.wall = own_clock(CLOCK_MONOTONIC);
    return now;
}

static void own_begin(void)
{
    int number = __atomic_fetch_add(&own_count, 1, __ATOMIC_SEQ_CST);
    char path[64];
    if (number >= OWN_THREADS)
        abort();
    own = &own_threads[number];
    own->self = pthread_self();
    own->tid = (pid_t)syscall(SYS_gettid);
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", own->tid);
    own->schedstat = open(path, O_RDONLY | O_CLOEXEC);
    own->begin = own_now();
}

static void own_end(void)
{
    own->end = own_now();
    own->ended = 1;
}

// Adds the time from SINCE to NOW without CPU time and without waiting for a processor.
static void own_add(Own *thread, const char *reason, Moment since, Moment now)
{
    long long time =
        now.wall - since.wall - (now.cpu - since.cpu) - (now.ready - since.ready);
    int i = 0;
    while (thread->sum[i].reason && strcmp(thread->sum[i].reason, reason))
        i++;
    thread->sum[i].reason = reason;
    thread->sum[i].time += time > 0 ? time : 0;
}

static void own_enter(const char *reason)
{
    own->since = own_now();
    own->open = reason;
}

static void own_leave(void)
{
    const char *reason = own->open;
    own->open = NULL;
    own_add(own, reason, own->since, own_now());
}

#define OWN(reason, call)                                                                \
    do {                                                                                 \
        own_enter(reason);                                                               \
        call;                                                                            \
        own_leave();                                                                     \
    } while (0)

// Ends the calling thread's record; for the first thread, at the end of the program.
static void own_report(FILE *file)
{
    long long wall = 0, cpu = 0, ready = 0;
    own_end();
    for (int i = 0; i < own_count; i++) {
        Own *one = &own_threads[i];
        if (!one->ended) {
            clockid_t clock;
            pthread_getcpuclockid(one->self, &clock);
            one->end.cpu = own_clock(clock);
            one->end.ready = own_ready(one->schedstat);
            one->end.wall = own_clock(CLOCK_MONOTONIC);
            if (one->open)
                own_add(one, one->open, one->since, one->end);
        }
        wall += one->end.wall - one->begin.wall;
        cpu += one->end.cpu - one->begin.cpu;
        ready += one->end.ready - one->begin.ready;
    }
    fprintf(file, "threads %d\nwall %lld\ncpu %lld\nready %lld\n", own_count, wall, cpu,
            ready);
    for (int i = 0; i < own_count; i++)
        for (int k = 0; k < OWN_REASONS && own_threads[i].sum[k].reason; k++)
            fprintf(file, "%s %lld\n", own_threads[i].sum[k].reason,
                    own_threads[i].sum[k].time);
}

// Helpers of the programs.

static inline void own_sleep(long microseconds)
{
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    OWN("sleep", nanosleep(&time, NULL));
}

// Runs for this CPU time.
static inline void own_burn(long microseconds)
{
    long long end = own_clock(CLOCK_THREAD_CPUTIME_ID) + microseconds * 1000LL;
    while (own_clock(CLOCK_THREAD_CPUTIME_ID) < end)
        for (int i = 0; i < 1000; i++)
            __asm__ volatile("");
}
