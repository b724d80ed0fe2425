// SPDX-License-Identifier: GPL-3.0-or-later
// Time before, in and after functions that are called by what has no plugin: callbacks of
// all ways and a handler of signals.  Prints the name and the share of each function by
// the clock; a user has the time of `outside' when that works for it.
//
// Three units: with -DOUTSIDE a library, which is compiled without the plugin: it works,
// and calls back now and then, as qsort does; with -DELSEWHERE a callback whose address
// only another unit has; and the program.

#include <signal.h>
#include <stdio.h>
#include "kernel.h"

// Of what X points to it gives the next value.
typedef uint64_t outside_callback(const void *x);

extern double outside_spent; // seconds of CPU time in outside itself
extern double elsewhere_spent;
uint64_t outside(uint64_t x, long turns, outside_callback *callback);
outside_callback callback_elsewhere;

// The body of a callback: its time goes to SPENT.
#define WORK(spent)                                                                      \
    uint64_t next = *(const uint64_t *)x;                                                \
    KERNEL_TIMED(spent, KERNEL_SPIN(next, KERNEL_ALPHA, 20000));                         \
    return next

#ifdef OUTSIDE

double outside_spent;

uint64_t outside(uint64_t x, long turns, outside_callback *callback)
{
    for (long i = 0; i < turns; i++) {
        KERNEL_TIMED(outside_spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));
        x = callback(&x);
        KERNEL_TIMED(outside_spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));
    }
    return x;
}

#elif defined ELSEWHERE

double elsewhere_spent;

uint64_t callback_elsewhere(const void *x)
{
    WORK(elsewhere_spent);
}

#else

enum { HANDED, TABLED, TAIL, ELSEWHERE, WAITER, ON_SIGNAL, USERS = ON_SIGNAL + 1 };

static volatile uint64_t sink;
static double spent[USERS + ELSEWHERE + 1];

static uint64_t callback_handed(const void *x)
{
    WORK(spent[HANDED]);
}

static uint64_t callback_tabled(const void *x)
{
    WORK(spent[TABLED]);
}

__attribute__((noinline)) static uint64_t behind(uint64_t x, long steps)
{
    KERNEL_TIMED(spent[TAIL], KERNEL_SPIN(x, KERNEL_ALPHA, steps));
    return x;
}

// Jumps there, if it is compiled with optimisation.
static uint64_t callback_tail(const void *x)
{
    return behind(*(const uint64_t *)x, 20000);
}

static outside_callback *volatile const table[] = {callback_tabled};

#define USER(name, number, callback)                                                     \
    __attribute__((noinline)) static void name(long turns)                               \
    {                                                                                    \
        double before = outside_spent;                                                   \
        sink = outside(sink, turns, callback);                                           \
        spent[USERS + (number)] += outside_spent - before;                               \
    }

USER(user_handed, HANDED, callback_handed)
USER(user_tabled, TABLED, table[0])
USER(user_tail, TAIL, callback_tail)
USER(user_elsewhere, ELSEWHERE, callback_elsewhere)

static void on_signal(int number)
{
    uint64_t x = sink;
    KERNEL_TIMED(spent[ON_SIGNAL], KERNEL_SPIN(x, KERNEL_BETA, 20000));
    sink = x + (uint64_t)number;
}

__attribute__((noinline)) static void waiter(long turns)
{
    uint64_t x = sink;
    for (long i = 0; i < turns; i++) {
        raise(SIGUSR1);
        KERNEL_TIMED(spent[WAITER], KERNEL_SPIN(x, KERNEL_GAMMA, 20000));
    }
    sink = x;
}

int main(void)
{
    static const char *const names[] = {
        "callback_handed", "callback_tabled", "behind",      "callback_elsewhere",
        "waiter",          "on_signal",       "user_handed", "user_tabled",
        "user_tail",       "user_elsewhere"};
    double start = KERNEL_SECONDS();
    uint64_t random = 88172645463325252u;
    signal(SIGUSR1, on_signal);
    while (KERNEL_SECONDS() < start + 0.4) {
        long turns = kernel_random(&random, 3, 8);
        user_handed(turns);
        user_tabled(turns);
        user_tail(turns);
        user_elsewhere(turns);
        waiter(turns);
    }
    spent[ELSEWHERE] = elsewhere_spent;
    double whole = KERNEL_SECONDS() - start;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s %.2f\n", names[i], 100 * spent[i] / whole);
    return 0;
}

#endif
