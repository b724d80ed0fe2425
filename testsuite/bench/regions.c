// SPDX-License-Identifier: GPL-3.0-or-later
// What a call of a region costs, beside other ways to measure time.  One round after the
// other measures each; of each the middle round counts.  Prints, for one thread and for
// eight, the nanoseconds of CPU time of a pair, and how many pairs of bare readings of
// the counter that is.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ccprof.h"

#define ROUNDS 41
#define PAIRS  20000
#define MOST   8

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static unsigned long long counter(void)
{
#if defined __x86_64__
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
    unsigned long long ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (unsigned long long)now(CLOCK_MONOTONIC);
#endif
}

static void bare(void)
{
    unsigned long long sum = 0;
    for (int i = 0; i < PAIRS; i++) {
        unsigned long long from = counter();
        __asm__ volatile("" : : : "memory");
        sum += counter() - from;
    }
    __asm__ volatile("" : : "r"(sum));
}

static void region(void)
{
    for (int i = 0; i < PAIRS; i++) {
        CCPROF_REGION("region")
        {
            __asm__ volatile("" : : : "memory");
        }
    }
}

static void by_hand(void)
{
    static struct ccprof_region pair = CCPROF_REGION_NAMED("begin and end");
    for (int i = 0; i < PAIRS; i++) {
        ccprof_region_begin(&pair);
        __asm__ volatile("" : : : "memory");
        ccprof_region_end(&pair);
    }
}

// Two in turn, in one: what is found by the last one does not help.
static void changing(void)
{
    CCPROF_STOPWATCH("around");
    for (int i = 0; i < PAIRS; i += 2) {
        CCPROF_REGION("one")
        {
            __asm__ volatile("" : : : "memory");
        }
        CCPROF_REGION("other")
        {
            __asm__ volatile("" : : : "memory");
        }
    }
}

// Compiled with stopwatch=_watched$.
static inline __attribute__((always_inline)) void inlined_watched(void)
{
    __asm__ volatile("" : : : "memory");
}

static __attribute__((noinline)) void called_watched(void)
{
    __asm__ volatile("" : : : "memory");
}

static void inlined(void)
{
    for (int i = 0; i < PAIRS; i++)
        inlined_watched();
}

static void called(void)
{
    for (int i = 0; i < PAIRS; i++)
        called_watched();
}

static void kernels(void)
{
    double sum = 0;
    for (int i = 0; i < PAIRS; i++) {
        double from = now(CLOCK_MONOTONIC);
        __asm__ volatile("" : : : "memory");
        sum += now(CLOCK_MONOTONIC) - from;
    }
    __asm__ volatile("" : : "m"(sum));
}

// The least that -finstrument-functions can do: add up the time of one function.
static _Thread_local unsigned long long entered, total;

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function,
                                                                      void *caller);
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function,
                                                                     void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function;
    (void)caller;
    entered = counter();
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
    total += counter() - entered;
}

// In regions-instrumented.c.
void instrumented(void);

static void instrument(void)
{
    for (int i = 0; i < PAIRS; i++)
        instrumented();
}

static const struct {
    const char *name;
    void (*loop)(void);
} ways[] = {{"two bare readings", bare},      {"CCPROF_REGION", region},
            {"begin and end", by_hand},       {"two in turn, nested", changing},
            {"stopwatch=, inlined", inlined}, {"stopwatch=, called", called},
            {"clock_gettime", kernels},       {"-finstrument-functions", instrument}};

#define WAYS (sizeof ways / sizeof *ways)

static double spent[MOST][WAYS][ROUNDS];

static void *work(void *at)
{
    double(*times)[ROUNDS] = at;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < WAYS; i++) {
            double from = now(CLOCK_THREAD_CPUTIME_ID);
            ways[i].loop();
            times[i][round] = (now(CLOCK_THREAD_CPUTIME_ID) - from) / PAIRS;
        }
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void measure(int threads)
{
    pthread_t thread[MOST];

    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, spent[i]) != 0)
            abort();
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (size_t i = 0; i < WAYS; i++) {
        double all[MOST * ROUNDS], ratio[MOST * ROUNDS];
        int count = 0;
        for (int t = 0; t < threads; t++) {
            for (int round = 0; round < ROUNDS; round++, count++) {
                all[count] = spent[t][i][round];
                ratio[count] = spent[t][i][round] / spent[t][0][round];
            }
        }
        qsort(all, (size_t)count, sizeof *all, compare);
        qsort(ratio, (size_t)count, sizeof *ratio, compare);
        printf("%d\t%s\t%f\t%f\n", threads, ways[i].name, all[count / 2],
               ratio[count / 2]);
    }
}

int main(void)
{
    measure(1);
    measure(MOST);
    return 0;
}
