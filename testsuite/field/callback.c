// SPDX-License-Identifier: GPL-3.0-or-later
// Time before, in and after functions that are called by what has no plugin: a callback
// and a handler of signals.  Of 100 steps user has 20, since outside.c works for it,
// callback 20, waiter 40 and on_signal 20.

#include <signal.h>
#include "kernel.h"

uint64_t outside(uint64_t x, long turns, uint64_t (*callback)(uint64_t));

static volatile uint64_t sink;

static uint64_t callback(uint64_t x)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, 200);
    return x;
}

__attribute__((noinline)) static void user(long turns)
{
    sink = outside(sink, turns, callback);
}

static long signal_steps;

static void on_signal(int number)
{
    uint64_t x = sink;

    KERNEL_SPIN(x, KERNEL_BETA, signal_steps);
    sink = x + (uint64_t)number;
}

__attribute__((noinline)) static void waiter(long steps)
{
    uint64_t x = sink;

    raise(SIGUSR1);
    KERNEL_SPIN(x, KERNEL_GAMMA, steps);
    sink = x;
}

int main(void)
{
    double end = KERNEL_SECONDS() + 0.3;
    uint64_t random = 88172645463325252u;

    signal(SIGUSR1, on_signal);
    while (KERNEL_SECONDS() < end) {
        long turns = kernel_random(&random, 500, 1500);
        signal_steps = turns * 200;
        user(turns);
        waiter(turns * 400);
    }
    return 0;
}
