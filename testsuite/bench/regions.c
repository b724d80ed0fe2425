// SPDX-License-Identifier: GPL-3.0-or-later
// What a call of a region costs: nanoseconds of CPU time of a pair of its begin and end,
// the median of rounds in which all ways are measured in turn, and how many pairs of bare
// readings of the counter that is.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ccprof.h"

#define ROUNDS    41
#define PAIRS     20000
#define NOTHING() __asm__ volatile("" : : : "memory")

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
        NOTHING();
        sum += counter() - from;
    }
    __asm__ volatile("" : : "r"(sum));
}

static void region(void)
{
    for (int i = 0; i < PAIRS; i++) {
        CCPROF_REGION("region")
        {
            NOTHING();
        }
    }
}

// Compiled with stopwatch=_watched$.
static inline __attribute__((always_inline)) void inlined_watched(void)
{
    NOTHING();
}

static __attribute__((noinline)) void called_watched(void)
{
    NOTHING();
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

static const struct {
    const char *name;
    void (*loop)(void);
} ways[] = {{"two bare readings", bare},
            {"CCPROF_REGION", region},
            {"stopwatch=, inlined", inlined},
            {"stopwatch=, called", called}};

#define WAYS (sizeof ways / sizeof *ways)

static int compare(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

int main(void)
{
    static double spent[WAYS][ROUNDS], ratio[WAYS][ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < WAYS; i++) {
            double from = now(CLOCK_THREAD_CPUTIME_ID);
            ways[i].loop();
            spent[i][round] = (now(CLOCK_THREAD_CPUTIME_ID) - from) / PAIRS;
            ratio[i][round] = spent[i][round] / spent[0][round];
        }
    }
    for (size_t i = 0; i < WAYS; i++) {
        qsort(spent[i], ROUNDS, sizeof **spent, compare);
        qsort(ratio[i], ROUNDS, sizeof **ratio, compare);
        printf("%-24s %7.1f ns %6.2f times two bare readings\n", ways[i].name,
               spent[i][ROUNDS / 2], ratio[i][ROUNDS / 2]);
    }
    return 0;
}
