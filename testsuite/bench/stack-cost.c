/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sample costs the program: raises SIGPROF below so many calls, with the
   runtime's own parts for a handler, and prints microseconds by depth.  The signal
   itself is in it (depth 0: its cost alone, with an empty handler).  A recursion is
   cheaper than as many different functions, of which there are a hundred.  */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "rt/unwind/stack.h"
#include "rt/table/table.h"

#define SAMPLES 2000

static struct ccprof_stack_work work;
static struct ccprof_table *table;
static struct ccprof_overflow *overflow_;
static volatile double spent;

static void nothing(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
}

static void sample(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    ccprof_stack_capture(&work, context);
    ccprof_table_add(table, overflow_, &work.stack, 1);
}

static void take(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigfillset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static void samples(void)
{
    double start = now();
    for (int i = 0; i < SAMPLES; i++)
        raise(SIGPROF);
    spent = (now() - start) / SAMPLES;
}

static __attribute__((noinline)) int below(int depth)
{
    int frames = 0;
    if (depth > 1)
        frames = below(depth - 1);
    else
        samples();
    __asm__ volatile("" : "+r"(frames));
    return frames + 1;
}

/* Each is called by the one before it.  */
static int next(int number);

#define FUNCTION(ten, one)                                                               \
    static __attribute__((noinline)) int function_##ten##one(void)                       \
    {                                                                                    \
        int frames = next(10 * ten + one);                                               \
        __asm__ volatile("" : "+r"(frames));                                             \
        return frames + 1;                                                               \
    }
#define NAME(ten, one) function_##ten##one,
#define TEN(what, ten)                                                                   \
    what(ten, 0) what(ten, 1) what(ten, 2) what(ten, 3) what(ten, 4) what(ten, 5)        \
        what(ten, 6) what(ten, 7) what(ten, 8) what(ten, 9)
#define FIFTY(what, a, b, c, d, e)                                                       \
    TEN(what, a) TEN(what, b) TEN(what, c) TEN(what, d) TEN(what, e)
#define HUNDRED(what) FIFTY(what, 0, 1, 2, 3, 4) FIFTY(what, 5, 6, 7, 8, 9)

HUNDRED(FUNCTION)

static int (*const functions[])(void) = {HUNDRED(NAME)};

static inline __attribute__((always_inline)) int next(int number)
{
    if (number < 99)
        return functions[number + 1]();
    samples();
    return 0;
}

static int different(int depth)
{
    (void)depth;
    return functions[0]();
}

/* The best of several, in microseconds.  */
static double cost(int (*call)(int), int depth)
{
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        call(depth);
        if (spent < best)
            best = spent;
    }
    return best;
}

int main(void)
{
    static const int depths[] = {1, 10, 100, 1000, 2000, 100000, 1000000};
    const int count = sizeof depths / sizeof *depths;
    struct rlimit limit;
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    if (!table || !overflow_)
        return 1;
    /* The first thread's stack grows as far as the limit says.  */
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = limit.rlim_max < 100 << 20 ? limit.rlim_max : 100 << 20;
    setrlimit(RLIMIT_STACK, &limit);
    take(nothing);
    printf("depth 0 %.2f\n", cost(below, 1));
    take(sample);
    for (int i = 0; i < count; i++) {
        double microseconds = cost(below, depths[i]);
        printf("depth %d %.2f\n", depths[i], microseconds);
    }
    printf("functions %d %.2f\n", 100, cost(different, 100));
    return 0;
}
