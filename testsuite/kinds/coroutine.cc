// SPDX-License-Identifier: GPL-3.0-or-later
// A coroutine that works between its suspensions.  What it works on stands in its frame,
// so that without optimisation a step of its own costs more than one of its helper: it
// prints the percentage of its own part by the clock.

#include <coroutine>
#include <cstdio>
#include <exception>
#include "two.h"

volatile uint64_t two_sink;

struct Generator {
    struct promise_type {
        uint64_t value = 0;

        Generator get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        std::suspend_always yield_value(uint64_t x) noexcept
        {
            value = x;
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            std::terminate();
        }
    };

    std::coroutine_handle<promise_type> handle;
};

static inline uint64_t helper(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

static double own, whole;

static Generator numbers(uint64_t x, const long *steps)
{
    for (;;) {
        own -= KERNEL_SECONDS();
        KERNEL_SPIN(x, KERNEL_ALPHA, *steps);
        own += KERNEL_SECONDS();
        co_yield x;
        x = helper(x, *steps * 2 / 3);
    }
}

int main()
{
    uint64_t random = 88172645463325252u;
    double start = KERNEL_SECONDS(), end = start + KERNEL_RUN;
    long steps = 1;
    Generator g = numbers(1, &steps);

    while (KERNEL_SECONDS() < end) {
        steps = kernel_random(&random, 300000, 900000);
        g.handle.resume();
        two_sink = g.handle.promise().value;
    }
    whole = KERNEL_SECONDS() - start;
    g.handle.destroy();
    std::printf("%.2f\n", 100 * own / whole);
    return 0;
}
