// SPDX-License-Identifier: GPL-3.0-or-later
// Time before, in and after functions that are called by what has no plugin: callbacks of
// all ways, a method that overrides one of a library's class, and a handler of signals.
// Prints the name and the share of each function by the clock; a user has the time of the
// library when that works for it.
//
// Three units: with -DOUTSIDE a library, which is compiled without the plugin: it works,
// and calls back now and then, as qsort does; with -DELSEWHERE a callback whose address
// only another unit has; and the program.

#include <csignal>
#include <cstdio>
#include "library.h"

// The body of a callback: its time goes to SPENT.
#define WORK(spent)                                                                      \
    uint64_t next = *static_cast<const uint64_t *>(x);                                   \
    KERNEL_TIMED(spent, KERNEL_SPIN(next, KERNEL_ALPHA, 20000));                         \
    return next

extern double elsewhere_spent;
outside_callback callback_elsewhere;

#ifdef OUTSIDE

double outside_spent;

// What is between two calls of CALL.
#define LIBRARY_WORK(call)                                                               \
    for (long i = 0; i < turns; i++) {                                                   \
        KERNEL_TIMED(outside_spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));                \
        x = call;                                                                        \
        KERNEL_TIMED(outside_spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));                \
    }                                                                                    \
    return x

uint64_t outside(uint64_t x, long turns, outside_callback *callback)
{
    LIBRARY_WORK(callback(&x));
}

uint64_t Library::work(uint64_t x, long turns)
{
    LIBRARY_WORK(next(x));
}

#elif defined ELSEWHERE

double elsewhere_spent;

uint64_t callback_elsewhere(const void *x)
{
    WORK(elsewhere_spent);
}

#else

enum { HANDED, TABLED, TAIL, ELSEWHERE, METHOD, WAITER, ON_SIGNAL, USERS };

static volatile uint64_t sink;
static double spent[USERS + METHOD + 1];

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
    return behind(*static_cast<const uint64_t *>(x), 20000);
}

class User : public Library
{
  protected:
    uint64_t next(uint64_t x) override
    {
        KERNEL_TIMED(spent[METHOD], KERNEL_SPIN(x, KERNEL_ALPHA, 20000));
        return x;
    }
};

static User made;
static outside_callback *volatile const table[] = {callback_tabled};

#define USER(name, number, call)                                                         \
    __attribute__((noinline)) static void name(long turns)                               \
    {                                                                                    \
        double before = outside_spent;                                                   \
        sink = call;                                                                     \
        spent[USERS + (number)] += outside_spent - before;                               \
    }

USER(user_handed, HANDED, outside(sink, turns, callback_handed))
USER(user_tabled, TABLED, outside(sink, turns, table[0]))
USER(user_tail, TAIL, outside(sink, turns, callback_tail))
USER(user_elsewhere, ELSEWHERE, outside(sink, turns, callback_elsewhere))
USER(user_method, METHOD, made.work(sink, turns))

static void on_signal(int number)
{
    uint64_t x = sink;
    KERNEL_TIMED(spent[ON_SIGNAL], KERNEL_SPIN(x, KERNEL_BETA, 20000));
    sink = x + static_cast<uint64_t>(number);
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

int main()
{
    static const char *const names[] = {
        "callback_handed", "callback_tabled", "behind",         "callback_elsewhere",
        "User::next",      "waiter",          "on_signal",      "user_handed",
        "user_tabled",     "user_tail",       "user_elsewhere", "user_method"};
    double start = KERNEL_SECONDS();
    uint64_t random = 88172645463325252u;
    signal(SIGUSR1, on_signal);
    while (KERNEL_SECONDS() < start + 0.4) {
        long turns = kernel_random(&random, 3, 8);
        user_handed(turns);
        user_tabled(turns);
        user_tail(turns);
        user_elsewhere(turns);
        user_method(turns);
        waiter(turns);
    }
    spent[ELSEWHERE] = elsewhere_spent;
    double whole = KERNEL_SECONDS() - start;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        std::printf("%s %.2f\n", names[i], 100 * spent[i] / whole);
    return 0;
}

#endif
