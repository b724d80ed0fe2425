/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known TURNS: six functions of the same code and so many steps each: 40, 25, 15, 10, 6
   and 4 of 100. A turn of all of them takes some microseconds, a small part of the
   interval between samples, so that samples are drawn from them as balls from an urn.
   PLANTED more steps are done in `ten'.

   Prints the CPU time that each function really had in this run, and the process: what a
   machine does beside it makes shares differ from run to run. It is taken on the
   monotonic clock, which is read quickly; where a function took longer than usual, by
   a signal, an interrupt or another program, by the thread's CPU clock. No moment is
   between two functions, where another program's turn would not be seen. */

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef PLANTED
#define PLANTED 0
#endif

/* For each hundredth; each takes some four cycles. */
enum { STEPS = 100 };

/* Steps that wait for each other. */
#define FUNCTION(name)                                                                   \
    __attribute__((noinline, aligned(64))) uint64_t name(uint64_t x,                     \
                                                         unsigned hundredths)            \
    {                                                                                    \
        for (unsigned i = 0; i < hundredths * STEPS; i++)                                \
            x = x * UINT64_C(0x5851f42d) + 11;                                           \
        return x;                                                                        \
    }
FUNCTION(forty)
FUNCTION(twentyfive)
FUNCTION(fifteen)
FUNCTION(ten)
FUNCTION(six)
FUNCTION(four)

enum { FUNCTIONS = 6, TRIES = 50 };
static struct {
    const char *name;
    uint64_t (*call)(uint64_t, unsigned);
    unsigned hundredths;
    double usual; /* nanoseconds of a call */
    double spent;
} functions[FUNCTIONS] = {
    {"forty", forty, 40, 0, 0},     {"twentyfive", twentyfive, 25, 0, 0},
    {"fifteen", fifteen, 15, 0, 0}, {"ten", ten, 10 + PLANTED, 0, 0},
    {"six", six, 6, 0, 0},          {"four", four, 4, 0, 0}};

/* In nanoseconds: what it takes to read the clocks; the end of the last call, and where
   both clocks were read last. */
static double monotonic_takes, cpu_takes, last, monotonic_at, cpu_at;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static double reading_takes(clockid_t clock)
{
    double least = 1e9;
    for (int i = 0; i < TRIES; i++) {
        double start = now(clock), took = now(clock) - start;
        least = took < least ? took : least;
    }
    return least;
}

/* The least that a call of the function takes; TRIES of them count as its time. */
static uint64_t find_usual(int i, uint64_t x)
{
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    functions[i].usual = 1e9;
    for (int n = 0; n < TRIES; n++) {
        double before = now(CLOCK_MONOTONIC);
        x = functions[i].call(x, functions[i].hundredths);
        double took = now(CLOCK_MONOTONIC) - before - monotonic_takes;
        functions[i].usual = took < functions[i].usual ? took : functions[i].usual;
    }
    functions[i].spent =
        now(CLOCK_THREAD_CPUTIME_ID) - start - 2 * TRIES * monotonic_takes;
    return x;
}

/* The function has just ended. */
static void add(int i)
{
    double end = now(CLOCK_MONOTONIC), took = end - last - monotonic_takes;
    if (took > 1.2 * functions[i].usual + 300) {
        double cpu = now(CLOCK_THREAD_CPUTIME_ID);
        functions[i].spent += cpu - cpu_at - (last - monotonic_at) - monotonic_takes;
        end = now(CLOCK_MONOTONIC);
        monotonic_at = end - monotonic_takes / 2;
        cpu_at = cpu + cpu_takes / 2;
    } else {
        functions[i].spent += took;
    }
    last = end;
}

int main(int argc, char **argv)
{
    uint64_t x = 1;
    monotonic_takes = reading_takes(CLOCK_MONOTONIC);
    cpu_takes = reading_takes(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < FUNCTIONS; i++)
        x = find_usual(i, x);
    cpu_at = now(CLOCK_THREAD_CPUTIME_ID);
    last = monotonic_at = now(CLOCK_MONOTONIC);
    for (long turns = argc > 1 ? strtol(argv[1], NULL, 10) : 0; turns > 0; turns--)
        for (int i = 0; i < FUNCTIONS; i++) {
            x = functions[i].call(x, functions[i].hundredths);
            add(i);
        }
    for (int i = 0; i < FUNCTIONS; i++)
        printf("%s %.0f\n", functions[i].name, functions[i].spent);
    printf("all %.0f\n", now(CLOCK_THREAD_CPUTIME_ID));
    return x == 0;
}
